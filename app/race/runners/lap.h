#pragma once
// How long launches of a kernel of the user's own took, and whether that can be believed.
#include <algorithm>
#include <optional>
#include <string>

namespace tilereel {

// Until the stream of the launches was done, and until the whole device was, with all other
// streams. The second one has the latency of the host in it.
struct Lap {
    double stream_ms = 0, device_ms = 0;
};

// Whether the device worked on much longer than the stream: in other streams. The host's latency is
// some 20 us.
[[nodiscard]] inline bool works_elsewhere(const Lap& lap) {
    constexpr double kShare = 0.05, kMs = 0.1;
    return lap.device_ms - lap.stream_ms > std::max(kMs, kShare * lap.device_ms);
}

// A launch does the same work whether it has seen its inputs or not. `first_ms`: of a first launch
// with new inputs, nullopt: not known; `each_ms`: of later ones. A sentence if it keeps results
// from launch to launch; else empty.
[[nodiscard]] inline std::string kept_results(std::optional<double> first_ms, double each_ms) {
    constexpr double kFactor = 3, kMs = 0.05;
    if (!first_ms || *first_ms <= kFactor * each_ms + kMs) return {};
    const auto in_us = [](double ms) {
        return std::to_string(static_cast<long long>(1000 * ms + 0.5)) + " us";
    };
    return "its first launch with new inputs takes " + in_us(*first_ms) + ", and later ones " +
           in_us(each_ms) + ": it keeps results from launch to launch";
}

}  // namespace tilereel
