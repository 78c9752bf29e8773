// A recorded block that waits for blocks with lower numbers, while the recorded blocks run first:
// decoupled look-back, for example.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "instrumentation/cuda/runtime/grid/grid_run.h"
#include "instrumentation/cuda/runtime/grid/team.h"
#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

// Called while the block runs. If it takes much longer than the first one, the blocks before it run
// now, and it goes on when they are done. No more blocks are recorded then. A block that only takes
// long goes on soon: it loses no time, as the others have to run anyway.
void GridRun::help_waiting_block(std::uint32_t block, bool is_cut) {
    constexpr std::int64_t kPatienceNs = 100'000'000, kTimesFirst = 4, kMostNs = 4'000'000'000;
    if (recorded_since_ns_ == 0 || waiting_ != 0 || needs_hooks()) return;
    const std::int64_t begin = steady_ns();
    if (begin - recorded_since_ns_ < std::max(kPatienceNs, kTimesFirst * first_ns_) && !is_cut)
        return;
    std::erase_if(chosen_, [&](std::uint32_t other) { return other > block; });
    lower_blocks_ = block - (chosen_.size() - 1);
    waiting_ = block;
    run_lower_ = [this, block] { work(block, [this] { return !lower_paused_; }); };
    Team& team = Team::instance();
    if (team.helpers() > 0)
        team.start(run_lower_);
    else
        std::thread([this] {
            use_signal_stack();
            run_lower_();
        }).join();
    for (std::uint64_t seen = 0, done;
         (done = unhooked_blocks_) < lower_blocks_ && !stopped_ && steady_ns() - begin < kMostNs;) {
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
        // A message without progress would put off the limit of time.
        if (std::exchange(seen, done) != done) report_progress(static_cast<std::uint32_t>(done));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void GridRun::pause_lower_blocks() {
    lower_paused_ = true;
    if (Team::instance().helpers() > 0) Team::instance().wait();
    next_ = std::min(next_.load(), waiting_);
    if (stopped_) end_launch(sticky_error());
}

void GridRun::stop_lower_blocks() {
    if (waiting_ == 0 || rest_.has_begun()) return;
    stopped_ = true;
    if (Team::instance().helpers() > 0) Team::instance().wait();
}

}  // namespace tilereel::runtime
