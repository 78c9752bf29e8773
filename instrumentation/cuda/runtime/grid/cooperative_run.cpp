#include "instrumentation/cuda/runtime/grid/cooperative_run.h"

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <thread>

#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/block/stacks.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/grid/block_choice.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_kernel.h"

namespace tilereel::runtime {
namespace {

// The number of recorded blocks is fixed, because their cost is known only when all have ended.
constexpr std::uint64_t kRecorded = 8;
// A launch of more threads has stacks without guard pages, because a process can have some 65,000
// mappings.
constexpr std::uint64_t kGuardedThreads = 16'384;

}  // namespace

CooperativeRun::CooperativeRun(const LaunchFacts& facts, void (*body)(void*), void* data,
                               LaunchRecorder* recorder)
    : facts_(facts),
      body_(body),
      data_(data),
      recorder_(recorder),
      blocks_(static_cast<std::uint32_t>(facts.grid.count())),
      guarded_(facts.grid.count() * facts.block.count() <= kGuardedThreads),
      wake_(new std::condition_variable[blocks_]),
      done_(blocks_),
      has_ended_(blocks_) {
    if (recorder != nullptr)
        chosen_ =
            options().blocks.empty() ? spread_blocks(facts.grid, kRecorded) : options().blocks;
    std::erase_if(chosen_, [&](std::uint32_t block) { return block >= blocks_; });
    std::ranges::sort(chosen_);
    if (recorder != nullptr) {
        const std::vector<std::uint32_t> more = more_blocks_of(facts.number, blocks_, chosen_);
        chosen_.insert(chosen_.end(), more.begin(), more.end());
        std::ranges::sort(chosen_);
    }
    if (chosen_.empty()) chosen_ = {0};
    kept_.resize(chosen_.size());
    unhooked_.grid = facts.grid;
    unhooked_.block = facts.block;
    unhooked_.dynamic_shared_bytes = facts.dynamic_shared_bytes;
    unhooked_.body = body;
    unhooked_.data = data;
}

bool CooperativeRun::run() {
    std::vector<std::thread> threads;
    for (std::uint32_t block = 0; block < blocks_; ++block) try {
            threads.emplace_back([this, block] {
                use_signal_stack();
                use_small_stacks(guarded_);
                wait_until_scheduled(block);
                if (!run_guarded([&] { run_block(block); })) stopped_ = true;
                schedule_next(block, true);
            });
        } catch (const std::system_error&) {
            fail_recorder(
                "the system starts no more threads, of which a cooperative launch needs "
                "one for each block; raise its limits (ulimit -u, ulimit -v)");
        }
    for (std::thread& thread : threads) thread.join();
    interrupt_at_end(0);
    if (first_ == nullptr) first_ = std::make_unique<Worker>(job_of(nullptr));
    if (recorder_ != nullptr)
        for (EventBuffer& kept : kept_) kept.replay_with(*recorder_, first_->shared_arrays());
    if (recorder_ != nullptr && stopped_) note_stops();
    return !stopped_;
}

// The launch was cut short: where the warps of the recorded blocks were.
void CooperativeRun::note_stops() {
    const LatePlace place = late_place(first_->site_reached());
    const WarpStopKind of_runner = !time_is_up()   ? WarpStopKind::kFaulted
                                   : place.in_loop ? WarpStopKind::kInLoop
                                                   : WarpStopKind::kOnLine;
    const std::uint32_t line = time_is_up() ? place.line : last_reported_line();
    for (const Worker* const worker : unfinished_)
        recorder_->add_stops(worker->stops(of_runner, line));
    const auto warps = static_cast<std::uint32_t>((facts_.block.count() + kLanes - 1) / kLanes);
    for (const std::uint32_t block : chosen_) {
        const auto runs = [block](const Worker* worker) { return worker->block() == block; };
        if (has_ended_[block] || std::ranges::any_of(unfinished_, runs)) continue;
        std::vector<WarpStop> stops;
        for (std::uint32_t warp = 0; warp < warps; ++warp)
            stops.push_back({block, static_cast<std::uint16_t>(warp), WarpStopKind::kNotBegun, 0});
        recorder_->add_stops(stops);
    }
}

void CooperativeRun::run_block(std::uint32_t block) {
    if (stopped_) end_launch(sticky_error());
    const std::uint32_t grid[] = {facts_.grid.x, facts_.grid.y, facts_.grid.z};
    const std::uint32_t extents[] = {facts_.block.x, facts_.block.y, facts_.block.z};
    set_extents(grid, extents);
    const Kernel* const kernel = running_kernel();
    const bool hooked = std::ranges::binary_search(chosen_, block) || kernel == nullptr ||
                        kernel->unhooked == nullptr;
    if (hooked)
        run_with_hooks(block);
    else
        run_without_hooks(block);
}

Job CooperativeRun::job_of(BlockSink* sink) {
    Job job;
    job.grid = facts_.grid;
    job.block = facts_.block;
    job.dynamic_shared_bytes = facts_.dynamic_shared_bytes;
    job.body = body_;
    job.data = data_;
    job.runs_once = true;
    job.sink = sink;
    if (options().memory_file < 0)
        job.most_cost = std::max<std::uint64_t>(options().accesses_a_launch / chosen_.size(),
                                                std::uint64_t{1} << 16);
    if (recorder_ != nullptr)
        job.on_cut = [this](std::uint32_t block) {
            recorder_->add_cut_block(block);
            recorder_->add_stops(Worker::current()->stops_at_cut());
        };
    if (recorder_ != nullptr)
        job.on_fault = [this](const FaultPlace& fault) { recorder_->add_fault(fault); };
    return job;
}

// Runs a block in lockstep from the start: it cannot be undone and run again, because other blocks
// may have seen its stores.
void CooperativeRun::run_with_hooks(std::uint32_t block) {
    const auto place = std::ranges::find(chosen_, block);
    EventBuffer discarded;
    auto worker = std::make_unique<Worker>(
        job_of(place == chosen_.end() ? &discarded : &kept_[std::size_t(place - chosen_.begin())]));
    worker->on_grid_barrier = [&] {
        schedule_next(block, false);
        wait_until_scheduled(block);
        if (stopped_) end_launch(sticky_error());
    };
    // The first worker stays alive, because the trace's records refer to its arrays.
    Worker* const running_worker = worker.get();
    if (first_ == nullptr)
        first_ = std::move(worker);
    else if (uses_shared_barriers())
        others_.push_back(std::move(worker));
    const bool recorded = recorder_ != nullptr && place != chosen_.end();
    if (recorded) unfinished_.push_back(running_worker);
    running_worker->run(block, recorded, true);
    std::erase(unfinished_, running_worker);
    has_ended_[block] = true;
    accesses_ += running_worker->accesses();
    cost_ += running_worker->cost();
    std::fwrite(running_worker->printed.data(), 1, running_worker->printed.size(), stdout);
}

void CooperativeRun::run_without_hooks(std::uint32_t block) {
    UnhookedWorker worker(unhooked_);
    worker.on_grid_barrier = [&] {
        schedule_next(block, false);
        wait_until_scheduled(block);
        if (stopped_) end_launch(sticky_error());
    };
    worker.run(block);
    std::fwrite(worker.printed.data(), 1, worker.printed.size(), stdout);
}

void CooperativeRun::wait_until_scheduled(std::uint32_t block) {
    std::unique_lock lock(mutex_);
    wake_[block].wait(lock, [&] { return scheduled_ == block; });
    interrupt_at_end(pthread_self());
}

// Schedules the next block that is not done, round robin.
void CooperativeRun::schedule_next(std::uint32_t block, bool done) {
    std::unique_lock lock(mutex_);
    done_[block] = done_[block] || done;
    for (std::uint32_t i = 1; i <= blocks_; ++i) {
        const std::uint32_t next = (block + i) % blocks_;
        if (done_[next]) continue;
        scheduled_ = next;
        lock.unlock();  // so that the thread that is woken need not wait for it
        wake_[next].notify_one();
        return;
    }
}

}  // namespace tilereel::runtime
