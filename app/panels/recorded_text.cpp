#include "app/panels/recorded_text.h"

#include <algorithm>

#include "app/replay/schedule/schedule_by_clocks.h"
#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

// "SM 17" for the block. Empty if the trace does not contain it.
std::string multiprocessor_of(const Trace& trace, std::uint32_t block) {
    if (block >= trace.multiprocessors.size()) return "";
    const std::uint16_t number = trace.multiprocessors[block];
    return number == Trace::kNotRecorded ? "" : "SM " + std::to_string(number);
}

}  // namespace

std::string short_gpu_name(std::string_view device) {
    std::string_view rest = device;
    for (const std::string_view maker : {"NVIDIA ", "Tesla ", "GeForce "})
        if (rest.starts_with(maker)) rest.remove_prefix(maker.size());
    // The name of a data centre GPU ends after its number ("H100"). Other names keep number and
    // suffix ("RTX 4070 Ti").
    const bool numbered =
        rest.size() > 1 && rest[0] >= 'A' && rest[0] <= 'Z' && rest[1] >= '0' && rest[1] <= '9';
    return std::string(numbered ? rest.substr(0, rest.find_first_of(" -")) : rest);
}

std::string extents_text(const Dim3& extents, std::string_view by) {
    std::string words = with_commas(extents.x);
    if (extents.y > 1 || extents.z > 1) words.append(by).append(with_commas(extents.y));
    if (extents.z > 1) words.append(by).append(with_commas(extents.z));
    return words;
}

std::string time_text(const Replay& replay) {
    if (replay.schedule().cycles_per_tick == 0) return "modelled";
    const Trace& trace = replay.trace();
    std::string words = "measured";
    const std::string gpu = short_gpu_name(trace.recorded_by.device);
    const std::string multiprocessor = multiprocessor_of(trace, replay.block());
    if (!gpu.empty()) words += ", " + gpu;
    if (!multiprocessor.empty()) words += ", " + multiprocessor;
    return words;
}

std::string long_time_text(const Replay& replay) {
    const std::uint64_t cycles = replay.schedule().cycles_per_tick;
    if (cycles == 0) return "modelled: a request holds the pipe one tick per wavefront or line";
    return time_text(replay) + ": a tick is " + with_commas(cycles) +
           (cycles == 1 ? " cycle" : " cycles") + ", waits are cut at " +
           std::to_string(kLongestGapTicks) + " ticks";
}

std::string multiprocessors_text(const Replay& replay, std::size_t most) {
    const Trace& trace = replay.trace();
    if (trace.multiprocessors.empty()) return "";
    const std::string own = multiprocessor_of(trace, replay.block());
    std::string words =
        own.empty() ? "This block was not recorded." : "This block ran on " + own + ".";
    words += " SM of each block:";
    const std::size_t shown = std::min(most, trace.multiprocessors.size());
    for (std::uint32_t block = 0; block < shown; ++block) {
        const std::string other = multiprocessor_of(trace, block);
        words += (block == 0 ? " " : "; ") + block_name(trace.launch.grid, block) + " " +
                 (other.empty() ? "none" : other.substr(3));
    }
    const std::size_t left = trace.multiprocessors.size() - shown;
    return words + (left == 0 ? "." : "; " + with_commas(left) + " more: point at the block map.");
}

}  // namespace tilereel
