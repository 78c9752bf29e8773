#include "app/workbench/launch/fit_parameters.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <vector>

#include "app/replay/sentence/wording.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

// The offered value nearest to `wanted`; the larger of two equally near ones.
int nearest_of(std::span<const int> offered, int wanted) {
    check(!offered.empty());
    const auto distance = [&](int value) {
        return std::pair(std::abs(std::int64_t{value} - wanted), -value);
    };
    return *std::ranges::min_element(offered, {}, distance);
}

// An extent, and the multiple to which it was rounded up.
struct Candidate {
    int value = 0;
    int multiple_of = 1;
};

// The extent itself; the extent rounded up to multiples that kernels need (their TILE, 16, 32, 64
// and 256); the extent lowered to at most one tile, for kernels with K = TILE or with one block.
std::vector<Candidate> candidates(int extent, int tile) {
    std::vector<Candidate> all = {{.value = extent}};
    for (const int multiple : {tile, 16, 32, 64, 256})
        all.push_back(
            {.value = (extent + multiple - 1) / multiple * multiple, .multiple_of = multiple});
    all.push_back({.value = std::min(extent, tile)});
    return all;
}

struct Extents {
    std::array<Candidate, 3> of{};  // M, N, K
};

// How far the extents are from the wanted ones. The candidate with the least cost is taken.
// Lowering costs more than raising.
auto change_cost(const Extents& extents, const std::array<int, 3>& wanted) {
    int lowered = 0;
    double shrinkage = 1, growth = 1;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double ratio = static_cast<double>(extents.of[i].value) / wanted[i];
        lowered += ratio < 1;
        (ratio < 1 ? shrinkage : growth) *= ratio;
    }
    return std::tuple(lowered, 1 / shrinkage, growth);
}

std::optional<Extents> nearest_that_runs(const KernelInfo& kernel, KernelParameters p) {
    const std::array wanted = {p.m, p.n, p.k};
    std::optional<Extents> best;
    for (const Candidate& m : candidates(wanted[0], p.tile)) {
        for (const Candidate& n : candidates(wanted[1], p.tile)) {
            for (const Candidate& k : candidates(wanted[2], p.tile)) {
                const Extents extents{.of = {m, n, k}};
                if (best && change_cost(*best, wanted) <= change_cost(extents, wanted)) continue;
                p.m = m.value, p.n = n.value, p.k = k.value;
                if (validate(kernel, p)) best = extents;
            }
        }
    }
    return best;
}

// "K rounded up from 60 to 64: 09 tiled needs multiples of TILE 16"
std::string describe(const KernelInfo& kernel, const KernelParameters& wanted,
                     const Extents& extents) {
    const std::array<std::tuple<char, int>, 3> before = {
        std::tuple('M', wanted.m), std::tuple('N', wanted.n), std::tuple('K', wanted.k)};
    std::string changes;
    bool rounded_to_tile = true, lowered = false;
    int multiple = 1;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto& [name, from] = before[i];
        const Candidate& to = extents.of[i];
        if (to.value == from) continue;
        changes += changes.empty() ? "" : ", ";
        changes += std::string(1, name) + (to.value < from ? " lowered" : " rounded up") +
                   " from " + std::to_string(from) + " to " + std::to_string(to.value);
        lowered |= to.value < from;
        rounded_to_tile &= to.multiple_of == wanted.tile;
        multiple = std::max(multiple, to.multiple_of);
    }
    if (changes.empty()) return {};
    const std::string title(kernel.title);
    if (lowered)
        return changes + ": " + title + " takes no more" +
               (kernel.tiles.size() > 1 ? " with TILE " + std::to_string(wanted.tile) : "");
    return changes + ": " + title + " needs multiples of " + (rounded_to_tile ? "TILE " : "") +
           std::to_string(multiple);
}

// "round M, N up to 32, lower K to 16": extents with the same new value are named together.
std::string action_on(const KernelParameters& from, const KernelParameters& to) {
    const std::array<std::tuple<char, int, int>, 3> extents = {std::tuple('M', from.m, to.m),
                                                               std::tuple('N', from.n, to.n),
                                                               std::tuple('K', from.k, to.k)};
    std::string action;
    for (const bool up : {true, false}) {
        std::vector<std::pair<int, std::string>>
            groups;  // the new value, and the extents that get it
        for (const auto& [name, before, after] : extents) {
            if (before == after || (after > before) != up) continue;
            auto group = std::ranges::find(groups, after, &std::pair<int, std::string>::first);
            if (group == groups.end()) group = groups.insert(group, {after, {}});
            group->second += (group->second.empty() ? "" : ", ") + std::string(1, name);
        }
        for (const auto& [extent, names] : groups) {
            action += (action.empty() ? "" : ", ") + std::string(up ? "round " : "lower ") + names +
                      (up ? " up to " : " to ") + std::to_string(extent);
        }
    }
    return action;
}

// Empty if TILE stays.
std::string tile_change(const KernelInfo& kernel, int from, int to) {
    if (from == to) return {};
    return "TILE changed from " + std::to_string(from) + " to " + std::to_string(to) +
           ", the nearest that " + std::string(kernel.title) + " offers";
}

}  // namespace

FittedParameters carried_over(const KernelInfo& from, const KernelInfo& to,
                              const KernelParameters& parameters) {
    FittedParameters carried{.parameters = parameters, .message = {}, .action = {}};
    if (!is_built_in(from, parameters.tile, parameters.pad)) return carried;
    carried.parameters.tile = nearest_of(to.tiles, parameters.tile);
    carried.parameters.pad = nearest_of(to.pads, parameters.pad);
    carried.message = tile_change(to, parameters.tile, carried.parameters.tile);
    return carried;
}

Result<FittedParameters> fit_parameters(const KernelInfo& kernel, const KernelParameters& wanted) {
    FittedParameters fitted{.parameters = wanted, .message = {}, .action = {}};
    KernelParameters& p = fitted.parameters;
    if (!check_variant(kernel, p.tile, kernel.pads.front()))
        p.tile = nearest_of(kernel.tiles, wanted.tile);
    if (!check_variant(kernel, p.tile, p.pad)) p.pad = nearest_of(kernel.pads, wanted.pad);
    std::string action;
    if (p.tile != wanted.tile) action = "TILE " + std::to_string(p.tile);
    fitted.message = tile_change(kernel, wanted.tile, p.tile);
    const Result<LaunchShape> as_wanted = validate(kernel, p);
    if (as_wanted) {
        fitted.action = action.empty() ? "" : "Use " + action;
        return fitted;
    }
    const std::array wanted_extents = {p.m, p.n, p.k};
    if (std::ranges::any_of(wanted_extents, [](int e) { return e < 1 || e > kLargestExtent; }))
        return as_wanted.error();
    const std::optional<Extents> extents = nearest_that_runs(kernel, p);
    if (!extents) return as_wanted.error();
    fitted.message += fitted.message.empty() ? "" : "; ";
    fitted.message += describe(kernel, p, *extents);
    p.m = extents->of[0].value, p.n = extents->of[1].value, p.k = extents->of[2].value;
    const std::string sizes = action_on(wanted, p);
    fitted.action = action.empty() ? capitalised(sizes) : "Use " + action + ", " + sizes;
    return fitted;
}

}  // namespace tilereel
