#include "instrumentation/cuda/runtime/block/thread_findings.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>

#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/trace/launch_end.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::runtime {
namespace {

LaunchRecorder* finding_recorder = nullptr;
std::mutex finding_mutex;  // blocks run on several CPU threads
// Places in the source that a finding of this launch has named.
std::set<const void*>& reported_places = *new std::set<const void*>;
std::set<SourcePlace>& overflowing_products = *new std::set<SourcePlace>;  // of all launches
std::atomic<std::uint32_t> reported_line{0};

}  // namespace

void set_finding_recorder(LaunchRecorder* recorder) {
    const std::lock_guard lock(finding_mutex);
    finding_recorder = recorder;
    reported_places.clear();
    reported_line = 0;
}

RunningThread thread_of(const RunningBlock& block) {
    const auto extents = [](const Index3& index) { return Dim3{index.x, index.y, index.z}; };
    return {extents(block.grid()), extents(block.extents()), block.block(), block.thread()};
}

RecordedFinding finding_of(const RunningThread& thread, RecordedFindingKind kind,
                           const std::string& what, std::uint32_t line, std::uint64_t count) {
    RecordedFinding finding;
    finding.kind = kind;
    finding.line = line;
    finding.block = thread.block;
    finding.thread = thread.thread;
    finding.count = count;
    finding.what = "Thread " + thread_name(thread.extents, thread.thread) + " of block " +
                   block_name(thread.grid, thread.block) + " " + what +
                   (line == 0 ? "" : ", on line " + std::to_string(line)) +
                   (count == 1 ? "." : " (" + std::to_string(count) + " times in all).");
    return finding;
}

void add_or_send(LaunchRecorder* recorder, const RecordedFinding& finding) {
    if (recorder != nullptr)
        recorder->add_finding(finding);
    else
        send_finding(finding.kind, finding.what, finding.advice, "", finding.line, 0,
                     finding.error);
}

void report(RecordedFindingKind kind, const std::string& what, std::uint32_t line) {
    const RunningBlock* const running_block = RunningBlock::current();
    if (running_block == nullptr) return;
    const Site* const site = running_block->last_site();
    if (line == 0 && site != nullptr) line = site->line;
    reported_line = line;
    RecordedFinding finding = finding_of(thread_of(*running_block), kind, what, line);
    finding.advice =
        std::string(kLaunchEndsHere) + "; every later call of the runtime gives the error.";
    const std::lock_guard lock(finding_mutex);
    add_or_send(finding_recorder, finding);
}

std::uint32_t last_reported_line() { return reported_line; }

void report_once(const void* place, RecordedFindingKind kind, const std::string& what,
                 const std::string& advice, std::uint32_t line) {
    const RunningBlock* const running_block = RunningBlock::current();
    if (running_block == nullptr) return;
    const std::lock_guard lock(finding_mutex);
    if (!reported_places.insert(place).second) return;
    RecordedFinding finding = finding_of(thread_of(*running_block), kind, what, line);
    finding.advice = advice;
    add_or_send(finding_recorder, finding);
}

void report_outside_mask(std::uint32_t mask, const Site* call) {
    const RunningBlock* const running_block = RunningBlock::current();
    if (running_block == nullptr) return;
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    const bool named = call != nullptr && call->callee != nullptr;
    report_once(
        call, RecordedFindingKind::kOther,
        "calls " + std::string(named ? call->callee : "a function of the warp") + " as lane " +
            std::to_string(running_block->lane()) + ", which its own mask " + text + " lacks",
        "The result is undefined: let exactly the lanes of the mask call the function, with the "
        "same mask.",
        call == nullptr ? 0 : call->line);
}

void warn_once(const void* place, const std::string& what, const std::string& advice,
               std::uint32_t line) {
    const RunningBlock* const running_block = RunningBlock::current();
    if (running_block == nullptr) return;
    const std::lock_guard lock(finding_mutex);
    if (finding_recorder == nullptr || !reported_places.insert(place).second) return;
    RecordedFinding finding =
        finding_of(thread_of(*running_block), RecordedFindingKind::kOther, what, line);
    finding.error = false;
    finding.advice = advice;
    add_or_send(finding_recorder, finding);
}

void warn_of_overflow(const SourcePlace& place, std::int32_t a, std::int32_t b) {
    const RunningBlock* const running_block = RunningBlock::current();
    if (running_block == nullptr || !running_block->in_thread()) return;
    const std::lock_guard lock(finding_mutex);
    if (!overflowing_products.insert(place).second) return;
    const auto wrapped =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
    RecordedFinding finding = finding_of(thread_of(*running_block), RecordedFindingKind::kOther,
                                         "multiplies " + std::to_string(a) + " by " +
                                             std::to_string(b) + ", which does not fit into an int",
                                         place.line);
    finding.error = false;
    finding.advice = "The product becomes " + std::to_string(wrapped) +
                     ": convert one of the two to size_t first.";
    add_or_send(finding_recorder, finding);
}

void report_and_end_launch(RecordedFindingKind kind, const std::string& what, cudaError_t error,
                           std::uint32_t line) {
    report(kind, what, line);
    end_launch(error);
}

void end_at_call(const std::string& what, cudaError_t error, RecordedFindingKind kind) {
    const Site* const call = RunningBlock::current()->call_site();
    report_and_end_launch(kind, what, error, call == nullptr ? 0 : call->line);
}

void report_deadlock(SharedBarriers& barriers, std::uint32_t thread) {
    const SharedBarriers::Awaited& awaited = barriers.awaited(thread);
    const SharedBarriers::Barrier& barrier = barriers.at(awaited.barrier);
    const std::string why = !barrier.initialised()   ? "no thread initialises the barrier"
                            : barrier.pending() != 0 ? "too few threads arrive at the barrier"
                                                     : "fewer bytes arrive than are expected";
    report_and_end_launch(RecordedFindingKind::kBarrierNotReached, "waits for ever: " + why,
                          cudaErrorLaunchTimeout, awaited.site == nullptr ? 0 : awaited.site->line);
}

}  // namespace tilereel::runtime

// What the plugin's checked products call where they do not fit. The data are those that GCC makes
// for the undefined behaviour sanitizer (ubsan_handlers.h in its runtime library). A value of at
// most 8 bytes is passed as itself, with its sign.
extern "C" {

void tilereel_product_overflow(const void* data, const void* a, const void* b);
void tilereel_product_overflow(const void* data, const void* a, const void* b) {
    struct OverflowData {
        const char* file;
        std::uint32_t line, column;
        const void* type;
    };
    const auto& at = *static_cast<const OverflowData*>(data);
    const auto int_of = [](const void* value) {
        return static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(value));
    };
    tilereel::runtime::warn_of_overflow({at.file, at.line, at.column}, int_of(a), int_of(b));
}

}  // extern "C"
