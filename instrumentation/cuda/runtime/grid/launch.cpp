// One launch of a kernel: it is checked against the limits of the chosen GPU, run block by block,
// and recorded up to the budget.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include "instrumentation/analysis/generations/occupancy.h"
#include "instrumentation/cuda/include/tilereel/launch_types.h"
#include "instrumentation/cuda/runtime/api.h"
#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/block/division.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/grid/cluster_run.h"
#include "instrumentation/cuda/runtime/grid/cooperative_run.h"
#include "instrumentation/cuda/runtime/grid/grid_run.h"
#include "instrumentation/cuda/runtime/host_timing.h"
#include "instrumentation/cuda/runtime/launch_facts.h"
#include "instrumentation/cuda/runtime/launches/recorder.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_kernel.h"

namespace tilereel::runtime {
namespace {

std::uint32_t launches = 0;
std::uint64_t accesses_so_far = 0;

std::string text_of(const Index3& index) {
    return std::to_string(index.x) + " x " + std::to_string(index.y) + " x " +
           std::to_string(index.z);
}

struct Refusal {
    cudaError_t error = cudaSuccess;
    std::string why, advice;
};

// CUDA C++ Programming Guide, "Thread Block Clusters": 8 blocks are portable.
Refusal refusal_of_cluster(const LaunchFacts& facts) {
    constexpr std::uint64_t kMostBlocks = 8;
    const Index3 &grid = facts.grid, &cluster = facts.cluster;
    if (cluster.count() == 1) return {};
    const std::string what = "A cluster of " + text_of(cluster) + " blocks ";
    if (major_version(options().generation) < 9)
        return {
            cudaErrorInvalidClusterSize,
            what + "is asked for; compute capability " + options().generation + " has no clusters.",
            "Choose 9.0 with --generation, or launch without clusters."};
    if (cluster.count() == 0)
        return {cudaErrorInvalidClusterSize, what + "has an extent of 0.",
                "Give each extent at least 1."};
    if (cluster.count() > kMostBlocks)
        return {cudaErrorInvalidClusterSize,
                what + "has " + std::to_string(cluster.count()) +
                    "; at most 8 run on every GPU with clusters, and Tilereel runs no more.",
                "Choose a smaller cluster."};
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
        return {cudaErrorInvalidClusterSize,
                "The grid of " + text_of(grid) + " blocks is no multiple of its clusters of " +
                    text_of(cluster) + ".",
                "Round the number of blocks up to a multiple."};
    if (facts.cooperative)
        return {cudaErrorNotSupported,
                what +
                    "is in a cooperative launch, which Tilereel does not "
                    "run.",
                "Launch without one of the two."};
    return {};
}

// CUDA C++ Programming Guide, "Features and Technical Specifications".
Refusal refusal_of(const LaunchFacts& facts, const KernelState& kernel) {
    const DeviceLimits& limits = limits_chosen();
    const Index3 &grid = facts.grid, &block = facts.block;
    if (grid.count() == 0 || block.count() == 0)
        return {cudaErrorInvalidConfiguration,
                "The grid is " + text_of(grid) + " blocks of " + text_of(block) +
                    " threads: an extent is 0.",
                "Check how the number of blocks is computed."};
    if (block.count() > static_cast<std::uint64_t>(limits.threads_per_block))
        return {cudaErrorInvalidConfiguration,
                "A block of " + text_of(block) + " has " + std::to_string(block.count()) +
                    " threads; compute capability " + options().generation + " runs at most " +
                    std::to_string(limits.threads_per_block) + ".",
                "Launch smaller blocks."};
    if (block.z > 64 || block.x > 1024 || block.y > 1024)
        return {cudaErrorInvalidConfiguration,
                "A block of " + text_of(block) + " is too large: at most 1024 x 1024 x 64.",
                "Choose smaller extents."};
    if (grid.y > 65535 || grid.z > 65535 || grid.x > 0x7fffffff)
        return {cudaErrorInvalidConfiguration,
                "A grid of " + text_of(grid) + " is too large: at most 2147483647 x 65535 x 65535.",
                "Put the long extent into x."};
    const auto default_bytes = static_cast<std::uint64_t>(limits.default_shared_bytes_per_block);
    // cudaFuncSetAttribute() limits dynamic shared memory only. Static shared memory is added.
    const std::uint64_t most =
        kernel.sets_most_dynamic_bytes
            ? std::max<std::uint64_t>(default_bytes, std::uint64_t{kernel.most_dynamic_bytes} +
                                                         kernel.static_shared_bytes)
            : default_bytes;
    const std::uint64_t asked =
        std::uint64_t{facts.dynamic_shared_bytes} + kernel.static_shared_bytes;
    if (asked >
        std::min<std::uint64_t>(most, static_cast<std::uint64_t>(limits.shared_bytes_per_block)))
        return {cudaErrorInvalidValue,
                "The launch asks for " + std::to_string(asked) + " bytes of shared memory a block" +
                    (kernel.static_shared_bytes == 0
                         ? std::string()
                         : ", " + std::to_string(kernel.static_shared_bytes) +
                               " of them declared in the kernel") +
                    "; it may have " + std::to_string(most) + ".",
                "Ask for less, or raise the limit with cudaFuncSetAttribute(kernel, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)."};
    if (const Refusal refusal = refusal_of_cluster(facts); refusal.error != cudaSuccess)
        return refusal;
    if (!facts.cooperative) return {};
    const auto held = occupancy_of({.threads = static_cast<int>(block.count()),
                                    .registers_per_thread = kAssumedRegisters,
                                    .shared_bytes = static_cast<std::uint32_t>(asked)},
                                   generation_chosen());
    const auto room = static_cast<std::uint64_t>(held ? held->blocks : 0) *
                      static_cast<std::uint64_t>(multiprocessors_chosen());
    if (grid.count() > room)
        return {cudaErrorCooperativeLaunchTooLarge,
                "A cooperative launch of " + std::to_string(grid.count()) +
                    " blocks; the GPU chosen holds " + std::to_string(room) + " at once (with " +
                    std::to_string(kAssumedRegisters) + " registers a thread, which is assumed).",
                "Launch as many blocks as cudaOccupancyMaxActiveBlocksPerMultiprocessor allows, "
                "times the multiprocessors."};
    return {};
}

// What of the budget the launch may use; 0: it is not recorded. A quarter of the budget is kept for
// the first launches of kernels. Each of them may use three quarters of what is left, and never
// gets nothing.
std::uint64_t budget_of(const LaunchFacts& facts) {
    const Options& asked = options();
    if (asked.pipe < 0) return 0;
    if (asked.launch >= 0) return facts.number == asked.launch ? asked.accesses_a_launch : 0;
    for (const auto& [launch, block] : asked.more_blocks)
        if (launch == facts.number) return asked.accesses_a_launch;
    static auto& seen = *new std::set<std::string>;
    const auto left_of = [](std::uint64_t budget) {
        return budget > accesses_so_far ? budget - accesses_so_far : 0;
    };
    if (!seen.insert(facts.kernel).second)
        return std::min(asked.accesses_a_launch, left_of(asked.accesses - asked.accesses / 4));
    const std::uint64_t share =
        std::max<std::uint64_t>({left_of(asked.accesses) / 4 * 3, asked.accesses / 1024, 1});
    return std::min(asked.accesses_a_launch, share);
}

LaunchEnd end_of(bool complete) { return complete ? LaunchEnd::kEnded : LaunchEnd::kCutShort; }

// Runs the blocks of a GridRun or a ClusterRun, and writes what it has recorded.
template <class Run>
void run_and_record(Run& run, const LaunchFacts& facts, LaunchRecorder* recorder) {
    bool finished = false;
    run.on_recorded = [&] {
        set_finding_recorder(nullptr);
        report_divisions(recorder);
        accesses_so_far += run.cost();
        recorder->finish(run.worker(), run.recorded_blocks(),
                         facts.grid.count() - run.recorded_blocks().size(), LaunchEnd::kGoesOn);
        finished = true;
    };
    const bool complete = run.run();
    set_finding_recorder(nullptr);
    if (time_is_up()) report_late_launch(run.worker().site_reached());
    report_divisions(finished ? nullptr : recorder);
    if (recorder == nullptr || finished) return;
    accesses_so_far += run.cost();
    recorder->finish(run.worker(), run.recorded_blocks(), run.unhooked_blocks(), end_of(complete));
}

void run_blocks(const LaunchFacts& facts, void (*body)(void*), void* data) {
    const std::uint64_t budget = budget_of(facts);
    const std::unique_ptr<LaunchRecorder> recorder = budget > 0 ? make_recorder(facts) : nullptr;
    if (!recorder)
        send_message(
            contract::Launch{.number = facts.number, .call = facts.call(), .unrecorded = true});
    const OpenMemory open;
    const std::uint32_t grid[] = {facts.grid.x, facts.grid.y, facts.grid.z};
    const std::uint32_t block[] = {facts.block.x, facts.block.y, facts.block.z};
    set_extents(grid, block);
    set_finding_recorder(recorder.get());
    if (facts.cooperative && facts.grid.count() > 1) {
        CooperativeRun run(facts, body, data, recorder.get());
        const bool complete = run.run();
        set_finding_recorder(nullptr);
        if (time_is_up()) report_late_launch(run.worker().site_reached());
        report_divisions(recorder.get());
        if (!recorder) return;
        accesses_so_far += run.cost();
        recorder->finish(run.worker(), run.recorded_blocks(),
                         facts.grid.count() - run.recorded_blocks().size(), end_of(complete));
        return;
    }
    if (facts.cluster.count() > 1) {
        ClusterRun run(facts, body, data, recorder.get(), budget);
        run_and_record(run, facts, recorder.get());
        return;
    }
    GridRun run(facts, body, data, recorder.get(), budget);
    run_and_record(run, facts, recorder.get());
}

}  // namespace

cudaError_t launch(const LaunchText& text, const LaunchShape& shape, void (*body)(void*),
                   void* data, bool cooperative) {
    forget_left_launch();
    if (const RunningBlock* const running_block = RunningBlock::current();
        running_block != nullptr && running_block->in_thread())
        report_and_end_launch(
            RecordedFindingKind::kUnsupported,
            "launches a kernel from device code (dynamic parallelism), which Tilereel "
            "does not run: launch it from the host",
            cudaErrorNotSupported);
    const HostCall call;
    LaunchFacts facts;
    facts.number = launches++;
    facts.file = text.file;
    facts.line = text.line;
    facts.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
    facts.block = {shape.block.x, shape.block.y, shape.block.z};
    facts.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.shared_bytes);
    facts.cooperative = cooperative;
    const ProbedKernel probed = probe_kernel(body, data);
    const Kernel* const kernel = probed.kernel;
    facts.kernel = kernel != nullptr ? kernel->name : text.kernel;
    if (text.line == 0 && kernel != nullptr) {
        facts.file = kernel->file;
        facts.line = static_cast<std::uint32_t>(kernel->line);
    }
    facts.cluster = {shape.cluster.x, shape.cluster.y, shape.cluster.z};
    if (facts.cluster.count() == 0 && kernel != nullptr && kernel->cluster[0] != 0)
        facts.cluster = {kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]};
    if (facts.cluster.x == 0 && facts.cluster.y == 0 && facts.cluster.z == 0) facts.cluster = {};
    KernelState& state = state_of_kernel(kernel == nullptr ? nullptr : kernel->entry);
    state.kernel = kernel;
    state.static_shared_bytes = probed.static_shared_bytes;
    const auto refuse = [&](RecordedFindingKind kind, cudaError_t error, const std::string& why,
                            const std::string& advice) {
        send_message(contract::Launch{.number = facts.number,
                                      .call = facts.call(),
                                      .reason = why,
                                      .reason_kind = std::string(finding_name(kind)),
                                      .advice = advice});
        return set_error(error);
    };
    if (sticky_error() != cudaSuccess)
        return refuse(RecordedFindingKind::kNeverRan, sticky_error(),
                      std::string("The kernel never ran: an earlier error remains (") +
                          error_message(sticky_error()) + ").",
                      "Fix the first error; check every call with cudaGetLastError().");
    if (probed.overflows)
        return refuse(RecordedFindingKind::kRefusedLaunch, cudaErrorInvalidValue,
                      "The kernel's local variables are larger than the 512 KiB of local memory "
                      "that a thread of a GPU has at most; nvcc refuses it.",
                      "Put its arrays into memory that cudaMalloc gives.");
    if (const Refusal refusal = refusal_of(facts, state); refusal.error != cudaSuccess)
        return refuse(RecordedFindingKind::kRefusedLaunch, refusal.error, refusal.why,
                      refusal.advice);
    note_timed_launch(facts.kernel, facts.line);
    send_message(contract::Start{facts.number, facts.call()});
    run_blocks(facts, body, data);
    if (time_is_up()) _exit(124);
    if (facts.number == options().launch) {
        send_message(contract::Stopped{facts.number});
        std::fflush(nullptr);
        _exit(0);
    }
    return set_error(sticky_error());
}

}  // namespace tilereel::runtime
