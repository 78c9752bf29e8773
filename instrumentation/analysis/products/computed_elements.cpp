#include "instrumentation/analysis/products/computed_elements.h"

#include <algorithm>
#include <bit>
#include <span>

namespace tilereel {
namespace {

std::vector<bool> stored_scalars(const Trace& trace, ArrayId array, std::uint32_t size,
                                 std::size_t count) {
    std::vector<bool> stored(count);
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const Site& site = site_at(trace, record);
        if (!writes(site.operation) || site.array != array) continue;
        const LaneOffsets lanes = lane_offsets(trace, record);
        for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
            const std::size_t first = lanes.bytes[std::countr_zero(mask)] / size;
            const std::size_t end = first + std::max<std::size_t>(site.width_bytes / size, 1);
            for (std::size_t at = first; at < std::min(end, count); ++at) stored[at] = true;
        }
    }
    return stored;
}

}  // namespace

std::optional<std::vector<bool>> elements_computed_so_far(const Trace& trace, ArrayId array) {
    if (trace.chosen_blocks.empty()) return std::nullopt;
    const std::span<const std::byte> last = trace.arrays[array].last_bytes;
    std::span<const std::byte> first = trace.arrays[array].first_bytes;
    if (last.empty()) return std::nullopt;
    std::vector<std::byte> zeros;
    if (first.empty()) {
        zeros.resize(last.size());
        first = zeros;
    }
    if (first.size() != last.size()) return std::nullopt;
    const std::uint32_t size = type_bytes(trace.arrays[array].type);
    std::vector<bool> stored = stored_scalars(trace, array, size, last.size() / size);
    for (std::size_t at = 0; at < stored.size(); ++at)
        if (!stored[at] &&
            !std::ranges::equal(first.subspan(at * size, size), last.subspan(at * size, size)))
            return std::nullopt;
    return stored;
}

std::optional<std::uint64_t> judged_elements(const Trace& trace) {
    if (!trace.product || trace.chosen_blocks.empty()) return std::nullopt;
    const auto computed = elements_computed_so_far(trace, trace.product->c);
    if (!computed) return std::nullopt;
    return static_cast<std::uint64_t>(std::ranges::count(*computed, true));
}

}  // namespace tilereel
