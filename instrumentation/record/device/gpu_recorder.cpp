#include "instrumentation/record/device/gpu_recorder.h"

#include <algorithm>
#include <chrono>

#include "instrumentation/record/device/device_blocks.h"
#include "instrumentation/record/device/traced_run.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kMostGridRows = 65535;  // CUDA programming guide, Technical Specifications

Status check_launchable(const RecordPlan& plan, const RecordRequest& request, const Gpu& gpu) {
    if (request.removed_barrier != 0)
        return wrong_call(
            "the GPU runs kernels with all their barriers; leave one out with the emulator");
    constexpr int kBoxes = 90;  // the first compute capability with a copy engine
    if (const int has = gpu.compute_capability(); plan.kernel->boxes && has < kBoxes)
        return wrong_call(std::string(plan.kernel->id) +
                          " needs a GPU of compute capability 9.0, this one has " +
                          std::to_string(has / 10) + "." + std::to_string(has % 10) +
                          "; record it with the emulator");
    if (plan.shape.grid_y > kMostGridRows)
        return wrong_call("the launch has " + std::to_string(plan.shape.grid_y) +
                          " rows of blocks, a GPU takes " + std::to_string(kMostGridRows) +
                          "; use a larger TILE, fewer rows, or the emulator");
    return Done{};
}

bool same_sizes(const std::vector<Array>& declared,
                const std::vector<device::DeviceSharedArray>& found) {
    return std::ranges::equal(declared, found, [](const Array& one, const auto& other) {
        return one.size_bytes() == other.size_bytes;
    });
}

// Names, rows and columns as the kernel declares them, told by an emulated block; where each lies,
// told by the GPU. K changes no declaration of most kernels, so a short block is tried first.
Result<std::vector<Array>> shared_arrays(const RecordPlan& plan, const RecordRequest& request,
                                         TracedRun& run) {
    const auto found = run.shared_arrays();
    if (!found) return found.error();
    if (found->empty()) return std::vector<Array>();
    constexpr int kShortK = 64;  // a multiple of every TILE
    const int k = request.parameters.k;
    for (const int tried : {std::min(k, kShortK), k}) {
        const Result<Trace> sample = sample_one_block(plan, request, tried);
        if (!sample) return sample.error();
        std::vector<Array> declared(sample->arrays.begin() + kGlobalArrayCount,
                                    sample->arrays.end());
        if (!same_sizes(declared, *found)) continue;
        for (std::size_t i = 0; i < declared.size(); ++i)
            declared[i].base_bytes = (*found)[i].offset_bytes;
        return declared;
    }
    return failed(
        "the kernel declares other shared memory on the GPU than in the emulator; use "
        "the emulator");
}

// Batches small enough that their copies stay in the caches and in little pinned memory.
std::uint32_t blocks_of_a_gpu_batch(const SegmentPlan& segments, unsigned workers) {
    constexpr std::uint64_t kBatchRecords = 1 << 16;  // 9 MiB with their words
    const std::uint64_t of_block =
        std::max<std::uint64_t>(segments.records() / std::max(segments.blocks, 1u), 1);
    const std::uint64_t wanted = std::max<std::uint64_t>(kBatchRecords / of_block, 1);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(wanted, blocks_of_a_batch(segments.blocks, workers)));
}

Status convert(const RecordPlan& plan, const RecordRequest& request, TracedRun& run, Trace& trace,
               RecordProgress* progress) {
    const auto declared = shared_arrays(plan, request, run);
    if (!declared) return declared.error();
    MemoryBudget budget(request.memory_limit_bytes);
    DeviceRecording recording{.launch = &trace.launch,
                              .segment_begin = run.segments().begin,
                              .record_counts = run.record_counts(),
                              .shared_arrays = *declared,
                              .accumulator_interval = trace.accumulator_interval,
                              .budget = &budget,
                              .cancel = progress != nullptr ? &progress->cancel : nullptr};
    for (const Array& array : *declared)
        recording.shared_bytes =
            std::max(recording.shared_bytes,
                     array.base_bytes + static_cast<std::uint32_t>(array.size_bytes()));
    const std::uint32_t blocks = run.segments().blocks;
    const unsigned workers = workers_for(request.workers, blocks);
    const BlockRange range{.first = 0,
                           .blocks = blocks,
                           .batch_blocks = blocks_of_a_gpu_batch(run.segments(), workers),
                           .workers = workers};
    return record_blocks(
        range, [&] { return std::make_unique<DeviceBlocks>(recording, run.source()); }, trace,
        progress);
}

bool stop_asked(const RecordProgress* progress) {
    return progress != nullptr && progress->cancel.load(std::memory_order_relaxed);
}

Status record_passes(TracedRun& run, Trace& trace, const RecordProgress* progress) {
    if (const Status counted = run.count(); !counted) return counted;
    if (stop_asked(progress)) return cancelled();
    if (const Status filled = run.fill(); !filled) return filled;
    if (stop_asked(progress)) return cancelled();
    trace.complete = run.complete();
    Result<std::vector<std::uint16_t>> multiprocessors = run.multiprocessors();
    if (!multiprocessors) return multiprocessors.error();
    trace.multiprocessors = std::move(multiprocessors).value();
    return run.read_product(trace.c);
}

}  // namespace

Result<Trace> record_with_gpu(const RecordRequest& request, Gpu& gpu, RecordProgress* progress,
                              GpuTimes* times) {
    const Result<RecordPlan> plan = plan_of(request);
    if (!plan) return plan.error();
    if (request.removed_barrier != 0)
        return wrong_call(
            "the GPU runs the kernel as it stands; record with the emulator to leave a barrier "
            "out");
    if (const Status launchable = check_launchable(*plan, request, gpu); !launchable)
        return launchable.error();
    if (const Status fits = check_fits(*plan, request, sizeof(std::uint64_t)); !fits)
        return fits.error();
    if (progress != nullptr) {
        progress->blocks_done = 0;
        progress->blocks = plan->emulated.launch.blocks();
    }
    Trace trace = empty_trace(plan->emulated, inputs_of(request));
    const GpuName name = gpu.name();
    trace.recorded_by = {.recorder = "gpu", .device = name.device, .driver = name.driver};
    TracedRun run(gpu, *plan, trace);
    if (const Status recorded = record_passes(run, trace, progress); !recorded)
        return recorded.error();
    const auto begin = std::chrono::steady_clock::now();
    if (const Status converted = convert(*plan, request, run, trace, progress); !converted)
        return converted.error();
    if (times != nullptr) {
        *times = run.times();
        times->convert_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count();
    }
    finish_trace(*plan, request, trace);
    return trace;
}

}  // namespace tilereel
