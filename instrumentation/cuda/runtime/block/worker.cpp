#include "instrumentation/cuda/runtime/block/worker.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/block/stacks.h"
#include "instrumentation/cuda/runtime/cluster/running_cluster.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/warp/communicating_lanes.h"
#include "instrumentation/cuda/runtime/warp/event_buffer.h"
#include "instrumentation/cuda/runtime/warp/is_left_out.h"

namespace tilereel::runtime {
namespace {

void thread_entry() { Worker::current()->run_thread(); }

}  // namespace

thread_local constinit Worker* Worker::current_ = nullptr;

Worker::Worker(const Job& job)
    : RunningBlock(job.grid, job.block),
      job_(job),
      fibers_(stacks_for(threads_)),
      by_thread_(threads_),
      positions_(threads_),
      warps_((threads_ + kLanes - 1) / kLanes),
      lockstep_(job.lockstep || job.runs_once || leaves_out_a_barrier()),
      leaves_out_a_barrier_(leaves_out_a_barrier()),
      scratch_(256) {
    main_ = suspended_main();
    for (std::uint32_t i = 0; i < threads_; ++i) by_thread_[i].index = thread_index(job.block, i);
    // In lockstep a block cannot be undone, so it gets logs from the start if it may need them.
    if (leaves_out_a_barrier() || job.runs_once || (lockstep_ && uses_shared_barriers()))
        keep_logs();
}

void Worker::keep_logs() {
    while (logs_.size() < warps_.size()) logs_.push_back(std::make_unique<EventBuffer>());
}

Worker::~Worker() {
    own_stacks = {};
    current_ = nullptr;
    set_current(nullptr);
}

const Site* Worker::last_site() const {
    // Without these, threads run code without hooks.
    if (!recorded_ && !lockstep_ && !checked_ && !has_ended_recording_) return nullptr;
    if (recorded_ && !lockstep_)
        if (const Site* const site = rows_.last_site()) return site;
    return last_site_ != nullptr ? last_site_ : call_site_;
}

bool Worker::owns_stack(std::uint64_t address) const {
    return fibers_.contains(reinterpret_cast<const void*>(address));
}

void Worker::run(std::uint32_t block, bool recorded, bool checked) {
    recorded_ = recorded;
    checked_ = checked;
    current_ = this;
    set_current(this);
    if (recorded) job_.sink->begin_block(block);
    start_block(block);
    if (leaves_out_a_barrier()) {
        run_in_order();
    } else {
        const std::uint64_t before = accesses_, cost_before = cost_;
        while (!run_once()) {
            // The block runs again. Either a warp waited for a phase: warps then run in interleaved
            // time slices, and each needs a log. Or lanes of a warp communicated: then the block
            // runs in lockstep.
            undo();
            lockstep_ = lockstep_ || !lacks_logs_;
            if (lacks_logs_ || uses_shared_barriers()) keep_logs();
            lacks_logs_ = false;
            accesses_ = before;
            cost_ = cost_before;
            job_.sink->undo_block();
            job_.sink->begin_block(block);
            start_block(block);
        }
    }
    // Nothing keeps the other blocks from ending before this access.
    if (other_blocks_access_ && job_.on_fault && !in_cluster.cluster->has_barriers_of_others())
        job_.on_fault(*other_blocks_access_);
    current_ = nullptr;
    set_current(nullptr);
    if (fatal_error_ != cudaSuccess) end_launch(fatal_error_);
}

void Worker::start_block(std::uint32_t block) {
    block_ = block;
    epoch_ = 0;
    fatal_error_ = cudaSuccess;
    fatal_faults_ = 0;
    faulted_warps_.clear();
    other_blocks_access_.reset();
    cost_before_block_ = cost_;
    cut_lanes_ = 0;
    is_cut_ = false;
    has_ended_recording_ = false;
    old_.clear();
    printed.clear();
    forget_threads();
    pending_sums_.assign(threads_, {});
    own_stacks = {fibers_.begin(), fibers_.bytes()};
    const Index3& grid = job_.grid;
    set_block(block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y);
    // Shared memory is filled with NaN, so that no value of the previous block remains.
    for (const MemoryArray& array : shared_)
        std::memset(reinterpret_cast<void*>(array.base), 0xff, array.bytes);
    if (shared_.empty()) std::memset(dynamic_shared(), 0xff, job_.dynamic_shared_bytes);
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
        by_thread_[thread].suspended = begin_on_stack(fibers_, thread, thread_entry);
        by_thread_[thread].wait = Wait::kNothing;
        by_thread_[thread].site = nullptr;
        if (lockstep_) positions_[thread] = {};
    }
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
        const std::uint32_t lanes = std::min(threads_ - warp * kLanes, kLanes);
        warps_[warp].ready = lanes == kLanes ? 0xffffffff : (1u << lanes) - 1;
        warps_[warp].at_block = 0;
        warps_[warp].collectives.clear();
        warps_[warp].slice_is_suspended = warps_[warp].began_epoch = false;
        warps_[warp].before = {};
        if (warp < logs_.size()) logs_[warp]->undo_block();
    }
}

// Returns false if the block must run again, in another way.
bool Worker::run_once() {
    for (;; ++epoch_) {
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
        bool any = false;
        for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
            if (warps_[warp].ready == 0) continue;
            any = true;
            if (!run_warp(warp)) return false;
        }
        if (!any) return true;
        if (!resume_from_phases()) return false;
        write_epoch();
        if (recorded_ && (is_cut_ || cost_ - cost_before_block_ >= job_.most_cost)) end_recording();
        release_block();
    }
}

// Runs the warp until it waits for other warps.
bool Worker::run_warp(std::uint32_t number) {
    Warp& warp = warps_[number];
    if (recorded_ && !warp.began_epoch) sink_of(number).begin_segment(epoch_, number);
    warp.began_epoch = true;
    while (warp.ready != 0) {
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
        if (recorded_) begin_slice(warp);
        if (lockstep_)
            run_slice_in_lockstep(number);
        else
            run_slice(number);
        if (barriers_.waiting(number) != 0) {
            lacks_logs_ = recorded_ && logs_.empty();
            return !recorded_ || (!lacks_logs_ && stop_slice(number));
        }
        if (recorded_ && !write_slice(number)) return false;
        if (recorded_ && logs_.empty() &&
            (is_cut_ || cost_ - cost_before_block_ >= job_.most_cost)) {
            job_.sink->end_segment();
            end_recording();
        }
        if (cut_lanes_ != 0 && recorded_ && job_.on_full_slice) job_.on_full_slice(block_);
        if (cut_lanes_ != 0)
            warp.ready = std::exchange(cut_lanes_, 0u);
        else
            complete_collectives(number, 0);
    }
    end_warp(number);
    return true;
}

// Whether the event of the running lane is one too many for the time slice. The lane then stops,
// and goes on when the other lanes have come as far: in another time slice, or without being
// recorded if the block's budget is used up. Where a lane cannot stop, the event is left out.
bool Worker::is_full() {
    if (!rows_.is_full()) return false;
    if (lockstep_ || !logs_.empty()) {
        is_cut_ = true;
        return true;
    }
    cut_lanes_ |= 1u << lane();
    stop(Wait::kCut);
    return !recorded_;
}

// The block goes on without being recorded.
void Worker::end_recording() {
    recorded_ = false;
    has_ended_recording_ = true;
    if (job_.on_cut) job_.on_cut(block_);
}

// All lanes wait at the block's barrier, or are done.
void Worker::end_warp(std::uint32_t number) {
    Warp& warp = warps_[number];
    warp.began_epoch = false;
    if (!recorded_) return;
    BlockSink& sink = sink_of(number);
    // A record for each barrier of the source at which lanes wait. More than one is a finding.
    const CollectiveKind kind =
        barrier_reach() == BarrierReach::kGrid      ? CollectiveKind::kGridBarrier
        : barrier_reach() == BarrierReach::kCluster ? CollectiveKind::kClusterBarrier
                                                    : CollectiveKind::kBlockBarrier;
    const Thread* const lanes = &by_thread_[number * kLanes];
    for (std::uint32_t left = warp.at_block, together; left != 0; left &= ~together) {
        const Site* const site = lanes[std::countr_zero(left)].site;
        together = 0;
        for (std::uint32_t others = left; others != 0; others &= others - 1)
            if (lanes[std::countr_zero(others)].site == site) together |= others & (0u - others);
        sink.add_call(site, together, kind, nullptr);
        note_call(number, site, together);
    }
    sink.end_segment();
}

void Worker::complete_collectives(std::uint32_t number, std::uint32_t elsewhere) {
    Warp& warp = warps_[number];
    warp.ready = warp.collectives.complete(
        [&](const Site* site, std::uint32_t together, CollectiveKind kind,
            const std::uint32_t* operand) {
            if (!recorded_ || kind == CollectiveKind::kTogether) return;
            cost_ += operand == nullptr ? kRecordCost : kLanes;
            sink_of(number).add_call(site, together, kind, operand);
            note_call(number, site, together);
        },
        elsewhere);
}

// Runs all ready lanes. Where a lane stops, it switches to the next one.
void Worker::run_slice(std::uint32_t number) {
    slice_lanes_ = warps_[number].ready;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(slice_lanes_));
    slice_lanes_ &= slice_lanes_ - 1;
    resume(number * kLanes + first);
}

void Worker::run_slice_in_lockstep(std::uint32_t number) {
    run_slice(number);  // to the first access
    while (const std::uint32_t lanes = lanes_at_next_access(number)) resume_lanes(number, lanes);
}

inline void Worker::begin_thread_slice(std::uint32_t number) {
    Thread& thread = by_thread_[number];
    thread_ = number;
    threadIdx = thread.index;
    thread.wait = Wait::kNothing;
    if (recorded_)
        rows_.begin_lane(number % kLanes);
    else
        running = {.idle = !lockstep_ && !checked_};
}

void Worker::resume(std::uint32_t thread) {
    begin_thread_slice(thread);
    in_thread_ = true;
    switch_stack(main_, by_thread_[thread].suspended);
    in_thread_ = false;
}

void Worker::run_thread() {
    job_.body(job_.data);
    stop(Wait::kDone);
}

void Worker::stop(Wait why) {
    Suspended& self = by_thread_[thread_].suspended;
    switch_stack(self, stop_for_next(why));
}

// Ends the running thread's time slice. Returns the stack that runs next: of the next lane of its
// warp, or of the CPU thread.
inline Suspended& Worker::stop_for_next(Wait why) {
    Thread& thread = by_thread_[thread_];
    Warp& warp = warps_[thread_ / kLanes];
    const std::uint32_t bit = 1u << (thread_ % kLanes);
    thread.wait = why;
    thread.site = why == Wait::kAccess || why == Wait::kCut ? last_site() : call_site_;
    warp.ready &= ~bit;
    if (why == Wait::kBlock || why == Wait::kGrid) warp.at_block |= bit;
    if (recorded_) rows_.end_lane();
    if (slice_lanes_ == 0) {
        running = {};
        return main_;
    }
    const std::uint32_t base = thread_ / kLanes * kLanes;
    const auto next = static_cast<std::uint32_t>(std::countr_zero(slice_lanes_));
    slice_lanes_ &= slice_lanes_ - 1;
    if (slice_lanes_ != 0) {
        const auto after = static_cast<std::uint32_t>(std::countr_zero(slice_lanes_));
        prefetch_stack(by_thread_[base + after].suspended);
        // Its pointer to the stack is read here, so those of later lanes are fetched in advance.
        constexpr std::uint32_t kLanesAhead = 4;
        __builtin_prefetch(&by_thread_[std::min(base + after + kLanesAhead, threads_ - 1)]);
    }
    begin_thread_slice(base + next);
    return by_thread_[base + next].suspended;
}

// The lanes that are not done.
std::uint32_t Worker::lanes_left(std::uint32_t number) const {
    std::uint32_t left = 0;
    for (std::uint32_t lane = 0; lane < kLanes && number * kLanes + lane < threads_; ++lane)
        left |= std::uint32_t{by_thread_[number * kLanes + lane].wait != Wait::kDone} << lane;
    return left;
}

// Notes that the lanes take part in a collective or a barrier.
void Worker::note_call(std::uint32_t number, const Site* site, std::uint32_t lanes) {
    const bool all = (lanes_left(number) & ~lanes) == 0;
    warps_[number].before = all ? LastPlace{site} : LastPlace{};
}

bool Worker::write_slice(std::uint32_t number) {
    const std::vector<WarpEvent>& events = rows_.finish();
    if (!events.empty()) {
        last_site_ = events.back().row->site;
        warps_[number].before = last_place(events, lanes_left(number));
    }
    accesses_ += rows_.totals().accesses;
    cost_ += std::max<std::uint64_t>(rows_.totals().accesses, kRecordCost * events.size());
    if (!lockstep_ && !rows_.totals().loads && lanes_communicate(events)) return false;
    sink_of(number).add_slice(events);
    return true;
}

void Worker::undo() {
    for (auto old = old_.rbegin(); old != old_.rend(); ++old)
        std::memcpy(reinterpret_cast<void*>(old->address), old->value, old->bytes);
    old_.clear();
}

// Every thread of the block waits at a barrier, or is done.
void Worker::release_block() {
    if (barrier_reach() == BarrierReach::kCluster) other_blocks_access_.reset();
    pass_outer_barrier();
    barrier_sum_ = next_barrier_sum_;
    next_barrier_sum_ = 0;
    for (Warp& warp : warps_) {
        warp.ready = warp.at_block;
        warp.at_block = 0;
    }
}

CollectiveResult Worker::warp_collective(std::uint32_t mask, std::uint64_t value,
                                         CollectiveKind kind, std::uint32_t operand) {
    if (kind == CollectiveKind::kExchange && is_left_out(call_site_)) return {};
    WarpCollectives& collectives = warps_[thread_ / kLanes].collectives;
    collectives.arrive(lane(), mask, call_site_, value, kind, operand);
    stop(Wait::kWarp);
    return collectives.of(lane());
}

void Worker::block_barrier() {
    if (is_left_out(call_site_)) return;
    next_barrier_sum_ += barrier_value;
    barrier_value = 0;
    stop(Wait::kBlock);
}

void* Worker::pass_barrier([[maybe_unused]] void* stack_pointer) {
#ifdef TILEREEL_OWN_STACK_SWITCH
    if (leaves_out_a_barrier_ && is_left_out(call_site_)) return nullptr;
    by_thread_[thread_].suspended = stack_pointer;
    return stop_for_next(Wait::kBlock);
#else
    block_barrier();
    return nullptr;
#endif
}

}  // namespace tilereel::runtime
