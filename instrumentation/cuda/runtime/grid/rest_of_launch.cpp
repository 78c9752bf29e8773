#include "instrumentation/cuda/runtime/grid/rest_of_launch.h"

#include <algorithm>
#include <chrono>

#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

std::int64_t steady_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

void RestOfLaunch::begin(std::uint32_t done) {
    since_ns_ = steady_ns();
    from_ = done;
}

bool RestOfLaunch::takes_too_long(const LaunchFacts& facts, std::uint32_t done) {
    constexpr std::int64_t kMeasuredNs = 1'000'000'000, kMostNs = 20'000'000'000;
    if (is_left_out_ || !has_begun()) return is_left_out_;
    const auto blocks = static_cast<std::uint32_t>(facts.grid.count());
    const std::int64_t spent = steady_ns() - since_ns_;
    done = std::min(done, blocks);
    if (spent < kMeasuredNs || done <= from_) return false;
    const double left = double(spent) / (done - from_) * (blocks - done);
    is_left_out_ = !options().all_blocks && left + double(spent) >= double(kMostNs);
    if (is_told_ && !is_left_out_) return false;
    is_told_ = true;
    const contract::BlocksAndSeconds told{.number = facts.number,
                                          .blocks = blocks - done,
                                          .seconds = static_cast<std::uint64_t>(left / 1e9)};
    if (is_left_out_)
        send_message(contract::LeftOut{told});
    else
        send_message(contract::Rest{told});
    return is_left_out_;
}

}  // namespace tilereel::runtime
