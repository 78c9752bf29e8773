#include "kernels/launch_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "instrumentation/base/format/with_commas.h"
#include "kernels/kernel_parameters.h"

namespace tilereel {
namespace {

int extent_of(char name, const KernelParameters& p) {
    return name == 'M' ? p.m : name == 'N' ? p.n : p.k;
}

// "K is 60: 09_tiled needs a multiple of TILE 16; use 64"
Error wrong_extent(char name, const KernelParameters& p, std::string_view id,
                   const std::string& needs, int use) {
    return wrong_call(std::string(1, name) + " is " + std::to_string(extent_of(name, p)) + ": " +
                      std::string(id) + " needs " + needs + "; use " + std::to_string(use));
}

int rounded_up(int extent, int multiple) {
    return std::min((extent + multiple - 1) / multiple * multiple, kLargestExtent);
}

Status check_multiple(std::string_view id, const SizeRules& rules, const SizeRules::Multiple& rule,
                      const KernelParameters& p) {
    int of = rule.of;
    std::string with_tile;
    for (const SizeRules::Multiple& other : rules.multiples) {
        if (other.extent != rule.extent || other.tiles.empty()) continue;
        with_tile = " with TILE " + std::to_string(p.tile);
        if (std::ranges::find(other.tiles, p.tile) != other.tiles.end()) of = other.of;
    }
    const int multiple = of == 0 ? p.tile : of;
    const int extent = extent_of(rule.extent, p);
    if (extent % multiple == 0) return Done{};
    return wrong_extent(
        rule.extent, p, id,
        (of == 0 ? "a multiple of TILE " : "a multiple of ") + std::to_string(multiple) + with_tile,
        rounded_up(extent, multiple));
}

Status check_elements(std::string_view id, const SizeRules& rules, const KernelParameters& p) {
    const int most = rules.most_elements;
    if (most == 0 || std::int64_t{p.m} * p.n <= most) return Done{};
    const bool rows = p.m >= p.n;
    const int square_edge = static_cast<int>(std::sqrt(most));
    return wrong_extent(rows ? 'M' : 'N', p, id,
                        "M x N of at most " + std::to_string(most) +
                            (rules.why_most_elements.empty() ? "" : ", " + rules.why_most_elements),
                        std::max(square_edge, most / (rows ? p.n : p.m)));
}

}  // namespace

int extent_of(const DeclaredExtent& extent, const KernelParameters& p) {
    for (const auto& [tile, number] : extent.with_tile)
        if (tile == p.tile) return number;
    if (extent.name == "TILE") return p.tile;
    return extent.name.empty() ? extent.number : extent_of(extent.name[0], p);
}

Status check_shared(std::string_view id, const DeclaredShared& rules, InputType inputs,
                    const KernelParameters& p, std::int64_t dynamic_shared_bytes) {
    if (rules.tiles.empty()) return Done{};
    std::int64_t bytes = 0;
    for (const DeclaredShared::Tile& tile : rules.tiles) {
        std::int64_t elements = extent_of(tile.extents.back(), p) + p.pad;
        for (std::size_t i = 0; i + 1 < tile.extents.size(); ++i)
            elements *= extent_of(tile.extents[i], p);
        bytes += elements * static_cast<std::int64_t>(bytes_of(tile.type.value_or(inputs)));
    }
    if (bytes == dynamic_shared_bytes) return Done{};
    return wrong_call(std::string(id) + " declares dynamic shared memory of " +
                      with_commas(static_cast<std::uint64_t>(bytes)) +
                      " bytes, but its launch requests " +
                      with_commas(static_cast<std::uint64_t>(dynamic_shared_bytes)) +
                      "; correct shared in its [launch]");
}

Status check_sizes(std::string_view id, const SizeRules& rules, const KernelParameters& p) {
    if (rules.k_is_tile && p.k != p.tile)
        return wrong_extent('K', p, id, "K = TILE " + std::to_string(p.tile), p.tile);
    TRY(check_elements(id, rules, p));
    if (rules.k_at_most_m_and_n && p.k > std::min(p.m, p.n))
        return wrong_extent('K', p, id, "K at most M and N", std::min(p.m, p.n));
    for (const SizeRules::Multiple& rule : rules.multiples) {
        if (!rule.tiles.empty()) continue;  // replaces the general rule at some TILEs
        TRY(check_multiple(id, rules, rule, p));
    }
    return Done{};
}

}  // namespace tilereel
