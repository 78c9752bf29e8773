#include "instrumentation/cuda/runtime/grid/rest_of_launch.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

std::int64_t steady_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

namespace {

std::int64_t cpu_ns(clockid_t clock) {
    timespec now{};
    if (clock_gettime(clock, &now) != 0) return steady_ns();
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace

std::int64_t process_cpu_ns() { return cpu_ns(CLOCK_PROCESS_CPUTIME_ID); }
std::int64_t thread_cpu_ns() { return cpu_ns(CLOCK_THREAD_CPUTIME_ID); }

void RestOfLaunch::begin(std::uint32_t done) {
    since_ns_ = process_cpu_ns();
    from_ = done;
}

bool RestOfLaunch::takes_too_long(const LaunchFacts& facts, std::uint32_t done,
                                  std::size_t workers) {
    constexpr std::int64_t kMeasuredNs = 1'000'000'000, kMostNs = 20'000'000'000;
    if (is_left_out_ || !has_begun()) return is_left_out_;
    const auto blocks = static_cast<std::uint32_t>(facts.grid.count());
    const std::int64_t spent = (process_cpu_ns() - since_ns_) /
                               static_cast<std::int64_t>(std::max<std::size_t>(workers, 1));
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
