#include "kernels/cuda/champion/champion.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <string>

#include "instrumentation/base/check.h"
#include "kernels/cuda/champion/champion_bulk.cuh"
#include "kernels/cuda/champion/champion_kernels.cuh"
#include "kernels/cuda/cuda_handles.h"
#include "kernels/cuda/tensor_map.h"

namespace tilereel {
namespace {

static_assert(sizeof(ChampionCut) == sizeof(ChampionPiece));  // uploaded as it is

constexpr const char* kUse19Instead = "use 19_async_pipeline instead of 20_champion";

Status status_of(cudaError_t error, const char* wanted) {
    return cuda_status(error, wanted, kUse19Instead);
}

int ceil_div(int extent, int step) { return (extent + step - 1) / step; }

// A matrix, row-major.
struct Operand {
    const float* matrix;
    int rows, columns, stride;  // floats from row to row
    [[nodiscard]] bool is_aligned() const {  // all rows start at multiples of 16 bytes
        return stride % 4 == 0 && reinterpret_cast<std::size_t>(matrix) % 16 == 0;
    }
};

Result<CudaMemory> memory_of(std::size_t bytes) { return make_memory(bytes, kUse19Instead); }

// Shared memory of a multiprocessor. A block takes 1 kB more than it asks for, and these kernels at
// most 1 kB of static shared memory.
constexpr int kSharedOfMultiprocessor = 228, kSharedBesides = 2;  // kB
constexpr int kAlone = 116;  // kB; with so much no second block fits

// Blocks of a launch may begin while the launch before still runs, and then find some
// multiprocessors emptier than others. So that all get equally many nevertheless, a block asks for
// so much shared memory that a multiprocessor has room for `each` blocks and no more.
int shared_for_equal_shares(int bytes, int each) {
    const int kilobytes = std::min(kSharedOfMultiprocessor / each - kSharedBesides, kAlone);
    return std::max(bytes, kilobytes << 10);
}

Status allow_shared(const CompiledChampion& kernel) {
    return allow_shared_bytes(kernel.function, std::max(kernel.shared_bytes, kAlone << 10),
                              kUse19Instead);
}

}  // namespace

class ChampionPlan::Parts {
  public:
    Parts(const ChampionSize& size, CUstream_st* stream, const ChampionChoice& choice,
          int multiprocessors)
        : size_(size),
          stream_(stream),
          choice_(choice),
          config_(champion_configs()[static_cast<std::size_t>(choice.config)]),
          tiles_(ceil_div(size.m, config_.rows) * ceil_div(size.n, config_.columns)),
          each_(choice.stream_k ? std::nullopt : blocks_of_each(size, choice, multiprocessors)) {}
    void take_variant(const CompiledChampion& variant) { variant_ = variant; }
    [[nodiscard]] const ChampionChoice& choice() const { return choice_; }
    Status prepare(int multiprocessors);
    Status launch(const float* a, const float* b, float* c) {
        return config_.kernel == ChampionKernel::kBulk ? launch_bulk(a, b, c) : launch_other(a, b, c);
    }

  private:
    [[nodiscard]] CompiledChampion bulk(bool c_is_aligned) const {
        return variant_ ? *variant_ : bulk_kernel(config_, shares(), c_is_aligned);
    }
    [[nodiscard]] bool shares() const { return choice_.cluster * choice_.rounds > 1; }
    [[nodiscard]] std::array<Operand, 2> plain(const float* a, const float* b) const {
        return {{{a, size_.m, size_.k, size_.k}, {b, size_.k, size_.n, size_.n}}};
    }
    Status prepare_rounds();
    Status prepare_cuts(int multiprocessors);
    Status allocate_sums(std::size_t tiles, std::size_t counters);
    Status launch_bulk(const float* a, const float* b, float* c);
    Status launch_other(const float* a, const float* b, float* c);
    // A and B with rows that start at multiples of 16 bytes: the matrices themselves, or copies.
    Result<std::array<Operand, 2>> aligned_operands(const float* a, const float* b);
    using Attributes = std::array<cudaLaunchAttribute, 2>;
    cudaLaunchConfig_t launch_of(const CompiledChampion& kernel, dim3 grid, int cluster,
                                 Attributes& attributes) const;
    Status start(const CompiledChampion& kernel, dim3 grid, int cluster, void** arguments) const;
    Status make_room_for_clusters(const CompiledChampion& kernel);
    [[nodiscard]] dim3 grid() const { return dim3(blocks_, 1, choice_.rounds); }

    ChampionSize size_;
    CUstream_st* stream_;
    ChampionChoice choice_;
    ChampionConfig config_;
    std::optional<CompiledChampion> variant_;
    int tiles_;
    // How many blocks a multiprocessor gets if all get equally many; none if not all run at once.
    std::optional<int> each_;
    int blocks_ = 0;  // gridDim.x
    TensorMaps tensor_maps_;
    CudaMemory pieces_, sums_, arrived_, copies_[2];  // copies_: of A and B
    ChampionWork work_{};
    ChampionRounds rounds_{};
};

Status ChampionPlan::Parts::allocate_sums(std::size_t tiles, std::size_t counters) {
    auto sums = memory_of(tiles * config_.rows * config_.columns * sizeof(float));
    if (!sums) return sums.error();
    auto arrived = memory_of(counters * sizeof(unsigned));
    if (!arrived) return arrived.error();
    sums_ = *std::move(sums);
    arrived_ = *std::move(arrived);
    return status_of(cudaMemset(arrived_.get(), 0, counters * sizeof(unsigned)),
                     "clear its memory");
}

Status ChampionPlan::Parts::prepare_rounds() {
    blocks_ = tiles_ * choice_.cluster;
    rounds_ = {.rounds = choice_.rounds, .parts = nullptr, .arrived = nullptr};
    if (choice_.rounds == 1) return Done{};
    const Status taken = allocate_sums(static_cast<std::size_t>(tiles_) * choice_.rounds,
                                       static_cast<std::size_t>(blocks_));
    rounds_.parts = static_cast<float4*>(sums_.get());
    rounds_.arrived = static_cast<unsigned*>(arrived_.get());
    return taken;
}

Status ChampionPlan::Parts::prepare_cuts(int multiprocessors) {
    const ChampionCuts cuts = cut_champion(tiles_, ceil_div(size_.k, config_.depth), config_.depth,
                                           config_.blocks * multiprocessors);
    const std::size_t bytes = cuts.pieces.size() * sizeof(ChampionCut);
    auto pieces = memory_of(bytes);
    if (!pieces) return pieces.error();
    pieces_ = *std::move(pieces);
    const Status copied =
        status_of(cudaMemcpy(pieces_.get(), cuts.pieces.data(), bytes, cudaMemcpyHostToDevice),
             "take the list of pieces");
    if (!copied) return copied;
    const auto parts = static_cast<std::size_t>(cuts.parts);
    if (const Status taken = allocate_sums(parts, parts); !taken) return taken;
    work_ = {.pieces = static_cast<const ChampionPiece*>(pieces_.get()),
             .piece_count = static_cast<int>(cuts.pieces.size()),
             .cut_tiles = cuts.cut_tiles,
             .parts = static_cast<float*>(sums_.get()),
             .arrived = static_cast<unsigned*>(arrived_.get())};
    blocks_ = work_.piece_count + tiles_ - cuts.cut_tiles;
    return Done{};
}

Status ChampionPlan::Parts::prepare(int multiprocessors) {
    if (config_.kernel == ChampionKernel::kBulk) {
        const auto maps = TensorMaps::find(kUse19Instead);
        if (!maps) return maps.error();
        tensor_maps_ = *maps;
        for (const bool c_is_aligned : {false, true}) {
            const Status allowed = allow_shared(bulk(c_is_aligned));
            if (!allowed) return allowed;
        }
        if (choice_.stream_k) return prepare_cuts(multiprocessors);
        if (const Status ready = prepare_rounds(); !ready) return ready;
        return make_room_for_clusters(bulk(true));
    }
    for (const bool a : {false, true})
        for (const bool b : {false, true})
            if (const Status allowed = allow_shared(other_kernel(config_, a, b)); !allowed)
                return allowed;
    if (const Status ready = prepare_rounds(); !ready) return ready;
    return make_room_for_clusters(other_kernel(config_, true, true));
}

// With programmatic dependent launch: blocks begin where there is room while the launch before
// still runs. The kernels themselves wait until it has ended.
cudaLaunchConfig_t ChampionPlan::Parts::launch_of(const CompiledChampion& kernel, dim3 grid,
                                                  int cluster, Attributes& attributes) const {
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
    cudaLaunchConfig_t launch{};
    launch.gridDim = grid;
    launch.blockDim = dim3(static_cast<unsigned>(kernel.threads));
    const bool equal = each_ && kernel.shared_bytes > 0;
    launch.dynamicSmemBytes = static_cast<std::size_t>(
        equal ? shared_for_equal_shares(kernel.shared_bytes, *each_) : kernel.shared_bytes);
    launch.stream = stream_;
    launch.attrs = attributes.data();
    launch.numAttrs = cluster > 1 ? 2 : 1;
    return launch;
}

Status ChampionPlan::Parts::start(const CompiledChampion& kernel, dim3 grid, int cluster,
                                  void** arguments) const {
    Attributes attributes{};
    const cudaLaunchConfig_t launch = launch_of(kernel, grid, cluster, attributes);
    return status_of(cudaLaunchKernelExC(&launch, kernel.function, arguments), "start the kernel");
}

// Which clusters find room together depends on the GPU: lets each multiprocessor have more blocks
// until all clusters do.
Status ChampionPlan::Parts::make_room_for_clusters(const CompiledChampion& kernel) {
    if (choice_.cluster == 1) return Done{};
    for (; each_ && *each_ <= config_.blocks; ++*each_) {
        Attributes attributes{};
        const cudaLaunchConfig_t launch = launch_of(kernel, grid(), choice_.cluster, attributes);
        int clusters = 0;
        const Status known =
            status_of(cudaOccupancyMaxActiveClusters(&clusters, kernel.function, &launch),
                      "tell how many clusters it holds");
        if (!known) return known;
        if (clusters * choice_.cluster >= blocks_ * choice_.rounds) return Done{};
    }
    each_.reset();
    return Done{};
}

Result<std::array<Operand, 2>> ChampionPlan::Parts::aligned_operands(const float* a,
                                                                    const float* b) {
    std::array<Operand, 2> operands = plain(a, b);
    Widening widenings[2];
    for (std::size_t i = 0; i < operands.size(); ++i) {
        Operand& each = operands[i];
        if (each.is_aligned()) continue;
        Widening& to = widenings[i];
        to = {.from = each.matrix, .to = nullptr, .rows = each.rows, .columns = each.columns};
        if (!copies_[i]) {
            auto taken = memory_of(sizeof(float) * static_cast<std::size_t>(to.rows) * to.stride());
            if (!taken) return taken.error();
            copies_[i] = *std::move(taken);
        }
        to.to = static_cast<float*>(copies_[i].get());
        each.matrix = to.to;
        each.stride = to.stride();
    }
    const int runs = widenings[0].runs() + widenings[1].runs();
    if (runs == 0) return operands;
    void* arguments[] = {&widenings[0], &widenings[1]};
    const CompiledChampion kernel = widen_kernel();
    const Status started = start(kernel, dim3(ceil_div(runs, kernel.threads / 32)), 1, arguments);
    if (!started) return started.error();
    return operands;
}

Status ChampionPlan::Parts::launch_bulk(const float* a, const float* b, float* c) {
    const auto operands = aligned_operands(a, b);
    if (!operands) return operands.error();
    const auto& [wide_a, wide_b] = *operands;
    const CompiledChampion kernel = bulk(Operand{c, size_.m, size_.n, size_.n}.is_aligned());
    auto map_a = tensor_maps_.make(wide_a.matrix, InputType::kFloat32, wide_a.rows, wide_a.columns, config_.rows,
                                   config_.depth, kernel.swizzle_bytes);
    if (!map_a) return map_a.error();
    auto map_b = tensor_maps_.make(wide_b.matrix, InputType::kFloat32, wide_b.rows, wide_b.columns, config_.depth,
                                   config_.columns, 0);
    if (!map_b) return map_b.error();
    Shape shape{size_.m, size_.n, size_.k};
    float alpha = 1;
    void* arguments[] = {&*map_a, &*map_b, &c, &shape, &work_, &rounds_, &alpha};
    return start(kernel, grid(), choice_.cluster, arguments);
}

Status ChampionPlan::Parts::launch_other(const float* a, const float* b, float* c) {
    auto [of_a, of_b] = plain(a, b);
    const CompiledChampion kernel = other_kernel(config_, of_a.is_aligned(), of_b.is_aligned());
    Shape shape{size_.m, size_.n, size_.k};
    float alpha = 1;
    int deep = config_.deep;  // kColumns: warps that share rows
    void* of_small[] = {&a, &of_a.stride, &b, &of_b.stride, &c, &shape, &rounds_, &alpha};
    void* of_vector[] = {&a, &b, &c, &shape, &rounds_, &deep};
    return start(kernel, grid(), choice_.cluster,
                 config_.kernel == ChampionKernel::kSmall ? of_small : of_vector);
}

ChampionPlan::ChampionPlan(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ChampionPlan::ChampionPlan(ChampionPlan&&) noexcept = default;
ChampionPlan& ChampionPlan::operator=(ChampionPlan&&) noexcept = default;
ChampionPlan::~ChampionPlan() = default;
ChampionChoice ChampionPlan::choice() const { return parts_->choice(); }
Status ChampionPlan::launch(const float* a, const float* b, float* c) {
    return parts_->launch(a, b, c);
}

namespace {

// Multiprocessors of this thread's GPU, if it is a Hopper.
Result<int> multiprocessors_of_hopper() {
    int device = 0, major = 0, multiprocessors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (const Status known = status_of(error, "tell what it is"); !known) return known.error();
    if (major != 9)
        return wrong_call(
            "20_champion needs a GPU of compute capability 9.0; use 19_async_pipeline instead");
    return multiprocessors;
}

}  // namespace

Result<ChampionPlan> ChampionPlan::make(std::unique_ptr<Parts> parts, int multiprocessors) {
    if (const Status ready = parts->prepare(multiprocessors); !ready) return ready.error();
    return ChampionPlan(std::move(parts));
}

Result<ChampionPlan> ChampionPlan::make(const ChampionSize& size, CUstream_st* stream,
                                        std::optional<ChampionChoice> choice) {
    const auto multiprocessors = multiprocessors_of_hopper();
    if (!multiprocessors) return multiprocessors.error();
    if (!choice) choice = choose_champion(size, *multiprocessors);
    if (!expected_time(size, *choice, *multiprocessors))
        return wrong_call(
            "this configuration of 20_champion does not support this size; let the plan choose");
    return make(std::make_unique<Parts>(size, stream, *choice, *multiprocessors), *multiprocessors);
}

Result<ChampionPlan> ChampionPlan::make_with(const CompiledChampion& variant,
                                             const ChampionSize& size,
                                             const ChampionChoice& choice) {
    const auto multiprocessors = multiprocessors_of_hopper();
    if (!multiprocessors) return multiprocessors.error();
    auto parts = std::make_unique<Parts>(size, nullptr, choice, *multiprocessors);
    parts->take_variant(variant);
    return make(std::move(parts), *multiprocessors);
}

}  // namespace tilereel
