#include "app/shell/frame_pace.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

namespace tilereel {
namespace {

constexpr double kScreenMs = 1000.0 / 60, kSlowMs = 50;  // 60 and 20 frames a second
constexpr std::array kEdgesMs = {2.0, 4.0, 8.0, 12.0, kScreenMs, 20.0, 25.0, 33.4, kSlowMs, 100.0};

template <class... Values>
std::string formatted(const char* format, Values... values) {
    char line[160];
    std::snprintf(line, sizeof line, format, values...);
    return line;
}

}  // namespace

FramePace::Clock::time_point FramePace::next_due(Clock::time_point due, Clock::time_point done,
                                                 Clock::duration interval) {
    return std::max(due + interval, done);
}

FramePace::Clock::time_point FramePace::wait(Clock::duration interval) {
    const Clock::time_point now = Clock::now();
    const bool first = due_ == Clock::time_point{};
    due_ = first ? now : next_due(due_, now, interval);
    std::this_thread::sleep_until(due_);
    return due_;
}

double FrameTimes::quantile(double share) const {
    if (all_.empty()) return 0;
    std::vector<double> sorted = all_;
    std::ranges::sort(sorted);
    const double place = std::ceil(share * static_cast<double>(sorted.size())) - 1;
    return sorted[static_cast<std::size_t>(std::max(0.0, place))];
}

double FrameTimes::share_over(double milliseconds) const {
    if (all_.empty()) return 0;
    const auto over = std::ranges::count_if(all_, [&](double ms) { return ms > milliseconds; });
    return static_cast<double>(over) / static_cast<double>(all_.size());
}

std::string FrameTimes::report() const {
    std::string text = formatted("median %.2f ms   95%% %.2f ms   99%% %.2f ms   longest %.2f ms\n",
                                 quantile(0.5), quantile(0.95), quantile(0.99), quantile(1.0));
    text += formatted("over 16.7 ms: %.2f%% of %zu frames   over 50 ms: %.2f%%\n",
                      100 * share_over(kScreenMs), all_.size(), 100 * share_over(kSlowMs));
    double from = 0;
    for (std::size_t i = 0; i <= kEdgesMs.size(); ++i) {
        const double to = i < kEdgesMs.size() ? kEdgesMs[i] : 1e300;
        const auto frames =
            std::ranges::count_if(all_, [&](double ms) { return ms > from && ms <= to; });
        text += i < kEdgesMs.size() ? formatted("  to %6.1f ms %7td\n", to, frames)
                                    : formatted("  longer       %7td\n", frames);
        from = to;
    }
    return text;
}

}  // namespace tilereel
