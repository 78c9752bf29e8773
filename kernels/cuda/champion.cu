#define TILEREEL_BUILD_NATIVE
#include "kernels/cuda/champion.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "instrumentation/base/check.h"
#include "kernels/20_champion.cuh"
#include "kernels/20_champion_vector.cuh"
#include "kernels/cuda/champion_kernels.cuh"
#include "kernels/cuda/cuda_handles.cuh"
#include "kernels/cuda/tensor_map.cuh"

namespace tilereel {
namespace {

static_assert(sizeof(ChampionCut) == sizeof(ChampionPiece));  // uploaded as it is

constexpr const char* kTake19 = "let 19 take the place of 20";

Status said(cudaError_t error, const char* wanted) { return cuda_status(error, wanted, kTake19); }

int up(int extent, int step) { return (extent + step - 1) / step; }

bool starts_at_16_bytes(const void* place) {
    return reinterpret_cast<std::size_t>(place) % 16 == 0;
}

Result<CudaMemory> memory_of(std::size_t bytes) { return make_memory(bytes, kTake19); }

Status allow_shared(const CompiledChampion& kernel) {
    return allow_shared_bytes(kernel.function, kernel.shared_bytes, kTake19);
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
    TensorMaps tensor_maps_;
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
        const auto maps = TensorMaps::find(kTake19);
        if (!maps) return maps.error();
        tensor_maps_ = *maps;
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
    int stride = in_whole_fours(columns);
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
    const int row_bytes = way_.depth * static_cast<int>(sizeof(float));  // of A's box
    auto map_a =
        tensor_maps_.make(*wide_a, size_.m, size_.k, way_.rows, way_.depth, row_bytes);
    if (!map_a) return map_a.error();
    auto map_b = tensor_maps_.make(*wide_b, size_.k, size_.n, way_.depth, way_.columns, 0);
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
