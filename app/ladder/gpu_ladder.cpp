#include "app/ladder/gpu_ladder.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ladder/estimate.h"
#include "app/ladder/ladder_memory.h"
#include "app/ladder/ladder_trace.h"
#include "app/ladder/record_plan.h"
#include "instrumentation/gpu/convert/gpu_blocks.h"
#include "kernels/ladder_file.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kMostGridRows = 65535;  // CUDA programming guide, Technical Specifications
// With at most so many registers a thread, a block of 1,024 threads fits into a multiprocessor.
constexpr int kMostRegisters = 64;

Status check_launchable(const RequestedLaunch& requested, const RecordRequest& request, Gpu& gpu) {
    if (request.removed_barrier != 0)
        return wrong_call(
            "the GPU runs kernels with all their barriers; leave one out on the CPU only");
    const KernelInfo& kernel = *requested.kernel;
    if (Status runs = runs_on(kernel, gpu.compute_capability()); !runs)
        return wrong_call(runs.error().message + "; record it without the GPU");
    if (requested.shape.grid_y > kMostGridRows)
        return wrong_call("the launch has " + std::to_string(requested.shape.grid_y) +
                          " rows of blocks, a GPU takes " + std::to_string(kMostGridRows) +
                          "; use a larger TILE, fewer rows, or record without the GPU");
    return Done{};
}

bool stop_asked(const RecordProgress* progress) {
    return progress != nullptr && progress->cancel.load(std::memory_order_relaxed);
}

// Pads rows so that each begins at a multiple of 16 bytes, as the TMA requires.
std::vector<float> with_aligned_rows(const std::vector<float>& matrix, InputType type, int rows,
                                     int columns) {
    return with_padded_rows(matrix, static_cast<std::size_t>(rows),
                            static_cast<std::size_t>(columns),
                            static_cast<std::size_t>(aligned_row(columns, type)));
}

// A, B and C on the GPU, and the kernel's arguments.
class LadderLaunch {
  public:
    LadderLaunch(Gpu& gpu, const RequestedLaunch& requested, const RecordRequest& request,
                 const Inputs& inputs)
        : gpu_(gpu), requested_(requested), p_(request.parameters) {
        const bool boxes = requested.kernel->boxes;
        const InputType type = requested.kernel->inputs;
        a_ = bytes_of(type, boxes ? with_aligned_rows(inputs.a, type, p_.m, p_.k) : inputs.a);
        b_ = bytes_of(type, boxes ? with_aligned_rows(inputs.b, type, p_.k, p_.n) : inputs.b);
        before_ = inputs.c;
        if (before_.empty())
            before_.resize(static_cast<std::size_t>(p_.m) * static_cast<std::size_t>(p_.n));
    }

    Status prepare(const std::string& symbol) {
        for (const auto& [memory, values] : {std::pair{&a_memory_, &a_}, {&b_memory_, &b_}}) {
            const Status taken = take(*memory, values->size());
            if (!taken) return taken;
            const Status written = gpu_.write(memory->as<void>(), values->data(), values->size());
            if (!written) return written;
        }
        TRY(take(c_memory_, before_.size() * sizeof(float)));
        TRY(make_parameters());
        launch_.symbol = symbol;
        launch_.shape = requested_.shape;
        return Done{};
    }

    [[nodiscard]] GpuPasses::Launched launched(std::uint32_t blocks, std::uint32_t warps) const {
        return {.launch = launch_,
                .blocks = blocks,
                .warps = warps,
                .c = c_memory_.as<void>(),
                .before = &before_};
    }
    [[nodiscard]] LadderMatrices matrices() const {
        return {.a = {a_memory_.as<void>(), a_},
                .b = {b_memory_.as<void>(), b_},
                .c = {c_memory_.as<void>(), std::as_bytes(std::span(before_))},
                .maps = maps_};
    }
    Result<std::vector<float>> read_product() {
        std::vector<float> c(before_.size());
        TRY(gpu_.read(c.data(), c_memory_.as<void>(), c.size() * sizeof(float)));
        return c;
    }

  private:
    Status take(DeviceMemory& memory, std::size_t bytes) {
        DeviceMemory taken = TRY(gpu_.allocate(bytes));
        memory = std::move(taken);
        return Done{};
    }

    Status make_parameters() {
        CapturedLaunch captured =
            capture_launch(*requested_.kernel->file, p_.tile, p_.pad, p_.m, p_.n, p_.k,
                           {a_memory_.as<void>(), b_memory_.as<void>(), c_memory_.as<float>()});
        for (const CapturedMap& map : captured.maps) TRY(make_map(map));
        arguments_ = std::move(captured.arguments);
        for (CapturedArgument& argument : arguments_)
            launch_.parameters.push_back(
                argument.map < 0 ? static_cast<void*>(&argument.bytes)
                                 : map_words_[static_cast<std::size_t>(argument.map)].words.data());
        return Done{};
    }
    Status make_map(const CapturedMap& map) {
        const BoxedMatrix boxed{.first = map.matrix,
                                .type = map.type,
                                .rows = map.rows,
                                .columns = map.columns,
                                .box_rows = map.box_rows,
                                .box_columns = map.box_columns,
                                .swizzle_bytes = map.swizzle_bytes};
        const TensorMapWords words = TRY(gpu_.map_boxes(boxed));
        map_words_.push_back({words});
        maps_.emplace_back(tilereel_gpu::map_hash(words.data()), tensor_map_of(boxed));
        return Done{};
    }

    struct alignas(64) AlignedMap {  // as CUtensorMap is
        TensorMapWords words;
    };

    Gpu& gpu_;
    const RequestedLaunch& requested_;
    KernelParameters p_;
    std::vector<std::byte> a_, b_;
    std::vector<float> before_;
    DeviceMemory a_memory_, b_memory_, c_memory_;
    ModuleLaunch launch_;
    std::vector<CapturedArgument> arguments_;
    std::deque<AlignedMap> map_words_;
    std::vector<std::pair<std::uint64_t, runtime::TensorMap>> maps_;
};

// The estimated size of the trace: records with clocks, and values of stores and of kept sums.
std::uint64_t estimated_bytes(const GpuPasses& passes, const Launch& launch,
                              std::uint32_t interval) {
    constexpr std::uint64_t kOfRecord = 2 + 4 + 4 + 8, kOfValue = 4;
    std::uint64_t records = 0, accesses = 0;
    for (const std::uint64_t count : passes.counts()) {
        records += count & 0xffffffff;
        accesses += count >> 32;
    }
    const std::uint64_t sums =
        std::uint64_t{launch.m} * launch.n * launch.k / std::max(interval, 1u);
    return records * kOfRecord + (sums + accesses / 8) * kOfValue;
}

Status record_passes(GpuPasses& passes, const Launch& launch, std::uint32_t interval,
                     const RecordRequest& request, const RecordProgress* progress) {
    TRY(passes.count());
    if (stop_asked(progress)) return cancelled();
    const std::uint64_t bytes = estimated_bytes(passes, launch, interval);
    if (bytes > request.memory_limit_bytes) return too_large(bytes, request.memory_limit_bytes);
    TRY(passes.fill());
    return stop_asked(progress) ? Status(cancelled()) : Status(Done{});
}

// The blocks of a cluster, in a row, that the kernel's PTX asks for (PTX ISA,
// ".reqnctapercluster").
std::uint32_t cluster_of(std::string_view ptx) {
    constexpr std::string_view kDirective = ".reqnctapercluster";
    const std::size_t at = ptx.find(kDirective);
    std::uint32_t blocks = 1;
    if (at == std::string_view::npos) return blocks;
    const std::size_t digits = ptx.find_first_of("0123456789", at + kDirective.size());
    if (digits != std::string_view::npos)
        std::from_chars(ptx.data() + digits, ptx.data() + ptx.size(), blocks);
    return std::max(blocks, 1u);
}

Status convert(const GpuPasses& passes, const RequestedLaunch& requested,
               const RecordRequest& request, const LadderPtx& ptx, LadderMatrices matrices,
               RecordProgress* progress, Trace& trace) {
    const gpu::GpuFacts& facts = ptx.facts;
    const std::vector<std::uint64_t> places = TRY(passes.places());
    const LadderMemory memory(trace.launch, requested, facts, places, std::move(matrices));
    // Clusters are recorded as a whole.
    trace.launch.cluster = {cluster_of(ptx.text), 1, 1};
    const std::span<const std::uint32_t> blocks = passes.blocks();
    trace.arrays = memory.arrays();
    const std::string_view source = requested.kernel->source;
    const gpu::GpuConversion conversion{
        .facts = &facts,
        .memory = &memory,
        .warps = trace.launch.warps(),
        .grid = trace.launch.grid,
        .cluster = trace.launch.cluster,
        .blocks = blocks.first(blocks.size() - blocks.size() % trace.launch.cluster.x),
        .segment_begin = passes.segment_begin(),
        .counts = passes.counts(),
        .records = [&] { return passes.records(); },
        .finish_site = [&](const Site& site) { return ladder_site(site, source); },
        .accumulator_interval = trace.accumulator_interval,
        .workers = request.workers,
        .progress = progress,
        .out_of_bounds = nullptr};
    return gpu::convert_gpu_records(conversion, trace);
}

}  // namespace

Result<const GpuLadder::Variant*> GpuLadder::variant_of(const KernelInfo& kernel,
                                                        const KernelParameters& p,
                                                        RecordProgress* progress) {
    const std::tuple key(kernel.id, p.tile, p.pad);
    if (const auto known = variants_.find(key); known != variants_.end()) return &known->second;
    LadderPtx ptx = TRY(ladder_ptx(kernel, p, gpu_->compute_capability(),
                                   progress == nullptr ? nullptr : &progress->cancel,
                                   progress == nullptr ? nullptr : &progress->compiling));
    std::unique_ptr<GpuModule> module = TRY(gpu_->load(ptx.text, kMostRegisters));
    Variant& variant = variants_[key];
    variant = {std::move(ptx), std::move(module)};
    return &variant;
}

Result<Trace> GpuLadder::record(const RecordRequest& request, RecordProgress* progress,
                                GpuTimes* times) {
    const std::lock_guard lock(mutex_);
    const RequestedLaunch requested = TRY(launch_of(request));
    TRY(check_launchable(requested, request, *gpu_));
    const Variant* const variant = TRY(variant_of(*requested.kernel, request.parameters, progress));
    return run(requested, request, *variant, progress, times);
}

Result<Trace> GpuLadder::run(const RequestedLaunch& requested, const RecordRequest& request,
                             const Variant& variant, RecordProgress* progress, GpuTimes* times) {
    Inputs inputs = inputs_of(request);
    LadderLaunch launch(*gpu_, requested, request, inputs);
    TRY(launch.prepare(variant.ptx.symbol));
    Trace trace;
    trace.launch = traced_launch(requested, request);
    trace.accumulator_interval = interval_of(request);
    const auto blocks = static_cast<std::uint32_t>(trace.launch.blocks());
    if (progress != nullptr) {
        progress->blocks_done = 0;
        progress->blocks = blocks;
    }
    GpuPasses passes(*gpu_, *variant.module, copies_,
                     launch.launched(blocks, trace.launch.warps()));
    TRY(record_passes(passes, trace.launch, trace.accumulator_interval, request, progress));
    const auto begin = std::chrono::steady_clock::now();
    std::vector<float> c = TRY(launch.read_product());
    LadderMatrices matrices = launch.matrices();
    matrices.c_after = c;
    TRY(convert(passes, requested, request, variant.ptx, std::move(matrices), progress, trace));
    TRY(describe(passes, requested, variant, trace));
    finish_ladder_trace(trace, requested, request, inputs, c);
    if (times != nullptr) {
        *times = passes.times();
        times->convert_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count();
    }
    return trace;
}

// Fills in shared memory, SMs, whether the trace is complete, and which GPU and compiler made it.
Status GpuLadder::describe(const GpuPasses& passes, const RequestedLaunch& requested,
                           const Variant& variant, Trace& trace) const {
    std::vector<std::uint16_t> multiprocessors = TRY(passes.multiprocessors());
    const std::uint32_t shared = TRY(variant.module->static_shared_bytes(variant.ptx.symbol));
    trace.launch.shared_bytes = shared + requested.shape.dynamic_shared_bytes;
    trace.multiprocessors = std::move(multiprocessors);
    trace.complete = passes.complete();
    const GpuName name = gpu_->name();
    trace.recorded_by = {.recorder = std::string(kGpuRecorder),
                         .device = name.device,
                         .driver = name.driver,
                         .compiler = variant.ptx.facts.compiler};
    return Done{};
}

Result<Trace> record_ladder_on_gpu(const RecordRequest& request, RecordProgress* progress) {
    static std::mutex mutex;
    // Never destroyed: CUDA may have shut down before the destructors of static objects run.
    static GpuLadder* ladder = nullptr;
    {
        const std::lock_guard lock(mutex);
        Result<std::unique_ptr<Gpu>> gpu = open_gpu();  // selects the GPU for this thread, too
        if (!gpu) return gpu.error();
        if (ladder == nullptr) ladder = new GpuLadder(std::move(gpu).value());
    }
    return ladder->record(request, progress);
}

}  // namespace tilereel
