#define TILEREEL_BUILD_NATIVE
#include "kernels/cuda/champion.h"

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "instrumentation/base/check.h"
#include "kernels/20_champion.cuh"
#include "kernels/20_champion_vector.cuh"
#include "kernels/cuda/champion_kernels.cuh"
#include "kernels/cuda/cuda_handles.cuh"

namespace tilereel {
namespace {

static_assert(sizeof(ChampionCut) == sizeof(ChampionPiece));  // uploaded as it is

constexpr const char* kTake19 = "let 19 take the place of 20";

Status said(cudaError_t error, const char* wanted) { return cuda_status(error, wanted, kTake19); }

int up(int extent, int step) { return (extent + step - 1) / step; }
int to_fours(int extent) { return up(extent, 4) * 4; }

bool starts_at_16_bytes(const void* place) {
    return reinterpret_cast<std::size_t>(place) % 16 == 0;
}

Result<CudaMemory> memory_of(std::size_t bytes) {
    void* memory = nullptr;
    const Status taken = said(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)), "give memory");
    if (!taken) return taken.error();
    return CudaMemory(memory);
}

Status allow_shared(const CompiledChampion& kernel) {
    return said(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     kernel.shared_bytes),
                "give a block so much shared memory");
}

// The driver's function, asked of the runtime: the program links no driver.
using Encode = PFN_cuTensorMapEncodeTiled_v12000;
Result<Encode> find_encoder() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const Status asked =
        said(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                              cudaEnableDefault, &found),
             "make a tensor map");
    if (!asked) return asked.error();
    if (found != cudaDriverEntryPointSuccess)
        return failed("the NVIDIA driver is too old for 20; install a newer one, or " +
                      std::string(kTake19));
    return reinterpret_cast<Encode>(function);
}

// A matrix whose rows start at multiples of 16 bytes, `to_fours(columns)` floats apart.
Result<BoxMap> map_of(Encode encode, const float* matrix, int rows, int columns, int box_rows,
                      int box_columns, CUtensorMapSwizzle swizzle) {
    BoxMap map;
    const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
    const cuuint64_t stride_bytes[] = {static_cast<cuuint64_t>(to_fours(columns)) * sizeof(float)};
    const cuuint32_t box[] = {static_cast<cuuint32_t>(box_columns),
                              static_cast<cuuint32_t>(box_rows)};
    const cuuint32_t steps[] = {1, 1};
    const CUresult made = encode(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(matrix), extents, stride_bytes,
        box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (made != CUDA_SUCCESS)
        return failed("the driver made no tensor map (error " + std::to_string(made) + "); " +
                      kTake19);
    return map;
}

}  // namespace

class ChampionPlan::Parts {
  public:
    Parts(const ChampionSize& size, CUstream_st* stream, const ChampionChoice& choice)
        : size_(size),
          stream_(stream),
          choice_(choice),
          way_(champion_ways()[static_cast<std::size_t>(choice.way)]),
          tiles_(up(size.m, way_.rows) * up(size.n, way_.columns)) {}
    [[nodiscard]] const ChampionChoice& choice() const { return choice_; }
    Status prepare(int multiprocessors);
    Status launch(const float* a, const float* b, float* c) {
        return way_.kernel == ChampionKernel::kBulk ? launch_bulk(a, b, c) : launch_other(a, b, c);
    }

  private:
    [[nodiscard]] bool shares() const { return choice_.cluster * choice_.rounds > 1; }
    Status prepare_rounds();
    Status prepare_cuts(int multiprocessors);
    Status take_sums(std::size_t tiles, std::size_t counters);
    Status launch_bulk(const float* a, const float* b, float* c);
    Status launch_other(const float* a, const float* b, float* c);
    // The matrix itself, or a copy whose rows start at multiples of 16 bytes.
    Result<const float*> in_fours(CudaMemory& memory, const float* matrix, int rows, int columns);
    Status start(const CompiledChampion& kernel, dim3 grid, int cluster, void** arguments) const;

    ChampionSize size_;
    CUstream_st* stream_;
    ChampionChoice choice_;
    ChampionWay way_;
    int tiles_;
    int blocks_ = 0;  // gridDim.x
    Encode encode_ = nullptr;
    CudaMemory pieces_, sums_, arrived_, copy_of_a_, copy_of_b_;
    ChampionWork work_{};
    ChampionRounds rounds_{};
};

Status ChampionPlan::Parts::take_sums(std::size_t tiles, std::size_t counters) {
    auto sums = memory_of(tiles * way_.rows * way_.columns * sizeof(float));
    if (!sums) return sums.error();
    auto arrived = memory_of(counters * sizeof(unsigned));
    if (!arrived) return arrived.error();
    sums_ = *std::move(sums);
    arrived_ = *std::move(arrived);
    return said(cudaMemset(arrived_.get(), 0, counters * sizeof(unsigned)), "clear its memory");
}

Status ChampionPlan::Parts::prepare_rounds() {
    blocks_ = tiles_ * choice_.cluster;
    rounds_ = {.rounds = choice_.rounds, .parts = nullptr, .arrived = nullptr};
    if (choice_.rounds == 1) return Done{};
    const Status taken = take_sums(static_cast<std::size_t>(tiles_) * choice_.rounds,
                                   static_cast<std::size_t>(blocks_));
    rounds_.parts = static_cast<float4*>(sums_.get());
    rounds_.arrived = static_cast<unsigned*>(arrived_.get());
    return taken;
}

Status ChampionPlan::Parts::prepare_cuts(int multiprocessors) {
    const ChampionCuts cuts = cut_champion(tiles_, up(size_.k, way_.depth), way_.depth,
                                           way_.blocks * multiprocessors);
    const std::size_t bytes = cuts.pieces.size() * sizeof(ChampionCut);
    auto pieces = memory_of(bytes);
    if (!pieces) return pieces.error();
    pieces_ = *std::move(pieces);
    const Status copied =
        said(cudaMemcpy(pieces_.get(), cuts.pieces.data(), bytes, cudaMemcpyHostToDevice),
             "take the list of pieces");
    if (!copied) return copied;
    const auto parts = static_cast<std::size_t>(cuts.parts);
    if (const Status taken = take_sums(parts, parts); !taken) return taken;
    work_ = {.pieces = static_cast<const ChampionPiece*>(pieces_.get()),
             .piece_count = static_cast<int>(cuts.pieces.size()),
             .cut_tiles = cuts.cut_tiles,
             .parts = static_cast<float*>(sums_.get()),
             .arrived = static_cast<unsigned*>(arrived_.get())};
    blocks_ = work_.piece_count + tiles_ - cuts.cut_tiles;
    return Done{};
}

Status ChampionPlan::Parts::prepare(int multiprocessors) {
    if (way_.kernel == ChampionKernel::kBulk) {
        auto encode = find_encoder();
        if (!encode) return encode.error();
        encode_ = *encode;
        if (const Status allowed = allow_shared(bulk_kernel(way_, shares())); !allowed)
            return allowed;
        return choice_.stream_k ? prepare_cuts(multiprocessors) : prepare_rounds();
    }
    for (const bool a : {false, true})
        for (const bool b : {false, true})
            if (const Status allowed = allow_shared(other_kernel(way_, a, b)); !allowed)
                return allowed;
    return prepare_rounds();
}

// Begins where there is room beside the launch before, which the kernels wait for by themselves.
Status ChampionPlan::Parts::start(const CompiledChampion& kernel, dim3 grid, int cluster,
                                  void** arguments) const {
    cudaLaunchAttribute attributes[2]{};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
    cudaLaunchConfig_t launch{};
    launch.gridDim = grid;
    launch.blockDim = dim3(static_cast<unsigned>(kernel.threads));
    launch.dynamicSmemBytes = static_cast<std::size_t>(kernel.shared_bytes);
    launch.stream = stream_;
    launch.attrs = attributes;
    launch.numAttrs = cluster > 1 ? 2 : 1;
    return said(cudaLaunchKernelExC(&launch, kernel.function, arguments), "start the kernel");
}

Result<const float*> ChampionPlan::Parts::in_fours(CudaMemory& memory, const float* matrix,
                                                   int rows, int columns) {
    if (columns % 4 == 0 && starts_at_16_bytes(matrix)) return matrix;
    int stride = to_fours(columns);
    if (!memory) {
        auto taken = memory_of(sizeof(float) * static_cast<std::size_t>(rows) * stride);
        if (!taken) return taken.error();
        memory = *std::move(taken);
    }
    constexpr int kMostRows = 65535;  // blocks along y
    const CompiledChampion kernel = widen_kernel();
    void* to = memory.get();
    void* arguments[] = {&matrix, &to, &rows, &columns, &stride};
    const Status started = start(
        kernel, dim3(up(stride / 4, kernel.threads), std::min(rows, kMostRows)), 1, arguments);
    if (!started) return started.error();
    return static_cast<const float*>(to);
}

Status ChampionPlan::Parts::launch_bulk(const float* a, const float* b, float* c) {
    const auto wide_a = in_fours(copy_of_a_, a, size_.m, size_.k);
    if (!wide_a) return wide_a.error();
    const auto wide_b = in_fours(copy_of_b_, b, size_.k, size_.n);
    if (!wide_b) return wide_b.error();
    const bool swizzle_128 = way_.depth * sizeof(float) == 128;  // bytes of a row of A's box
    auto map_a = map_of(encode_, *wide_a, size_.m, size_.k, way_.rows, way_.depth,
                        swizzle_128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B);
    if (!map_a) return map_a.error();
    auto map_b = map_of(encode_, *wide_b, size_.k, size_.n, way_.depth, way_.columns,
                        CU_TENSOR_MAP_SWIZZLE_NONE);
    if (!map_b) return map_b.error();
    Shape shape{size_.m, size_.n, size_.k};
    float alpha = 1;
    void* arguments[] = {&*map_a, &*map_b, &c, &shape, &work_, &rounds_, &alpha};
    return start(bulk_kernel(way_, shares()), dim3(blocks_, 1, choice_.rounds), choice_.cluster,
                 arguments);
}

Status ChampionPlan::Parts::launch_other(const float* a, const float* b, float* c) {
    const CompiledChampion kernel =
        other_kernel(way_, size_.k % 4 == 0 && starts_at_16_bytes(a),
                     size_.n % 4 == 0 && starts_at_16_bytes(b));
    Shape shape{size_.m, size_.n, size_.k};
    int deep = kVectorWarps * kRowsOfWarp / way_.rows;  // the last parameter of kColumns
    void* arguments[] = {&a, &b, &c, &shape, &rounds_, &deep};
    return start(kernel, dim3(blocks_, 1, choice_.rounds), choice_.cluster, arguments);
}

ChampionPlan::ChampionPlan(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ChampionPlan::ChampionPlan(ChampionPlan&&) noexcept = default;
ChampionPlan& ChampionPlan::operator=(ChampionPlan&&) noexcept = default;
ChampionPlan::~ChampionPlan() = default;
ChampionChoice ChampionPlan::choice() const { return parts_->choice(); }
Status ChampionPlan::launch(const float* a, const float* b, float* c) {
    return parts_->launch(a, b, c);
}

Result<ChampionPlan> ChampionPlan::make(const ChampionSize& size, CUstream_st* stream,
                                        std::optional<ChampionChoice> choice) {
    int device = 0, major = 0, multiprocessors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (const Status known = said(error, "tell what it is"); !known) return known.error();
    if (major != 9)
        return wrong_call("20 needs a GPU of compute capability 9.0; 19 takes its place");
    if (!choice) choice = choose_champion(size, multiprocessors);
    if (!expected_us(size, *choice, multiprocessors))
        return wrong_call("this way of 20 does not take this size; let the plan choose");
    auto parts = std::make_unique<Parts>(size, stream, *choice);
    if (const Status ready = parts->prepare(multiprocessors); !ready) return ready.error();
    return ChampionPlan(std::move(parts));
}

}  // namespace tilereel
