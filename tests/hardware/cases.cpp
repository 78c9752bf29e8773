#include "tests/hardware/cases.h"

#include <algorithm>
#include <array>

namespace tilereel::hardware {
namespace {

// Larger tiles get one phase: with more, the copies of the next phase and the loads of this one
// meet in the banks, and the GPU counts some wavefronts more than the loads take.
constexpr int kDeepest = 128;

// Parameters near p that the kernel takes. Some kernels need K = TILE, M x N of at most 1024, or
// multiples of TILE or 64.
KernelParameters fitted(const KernelInfo& kernel, KernelParameters p) {
    for (int tries = 0; tries < 4 && !validate(kernel, p); ++tries) {
        const bool single_block = kernel.id == "06_single_block";
        if (single_block) p.m = p.n = p.k = std::min(p.k, 32);
        KernelParameters one_phase = p;
        one_phase.k = p.tile <= kDeepest ? p.tile : 64;
        if (validate(kernel, one_phase)) return one_phase;
        const auto up = [](int extent, int multiple) {
            return (extent + multiple - 1) / multiple * multiple;
        };
        p.m = up(p.m, p.tile);
        p.n = up(p.n, tries == 0 ? p.tile : 64);
        p.k = up(p.k, tries < 2 && p.tile <= kDeepest ? p.tile : 64);
    }
    return p;
}

void add(std::vector<Case>& cases, const KernelInfo& kernel, const KernelParameters& wanted) {
    const KernelParameters p = fitted(kernel, wanted);
    const bool known = std::ranges::any_of(
        cases, [&](const Case& each) { return each.kernel == kernel.id && each.parameters == p; });
    if (!known && validate(kernel, p)) cases.push_back({kernel.id, p});
}

int nearest(std::span<const int> offered, int wanted) {
    return *std::ranges::min_element(offered, {},
                                     [&](int each) { return std::abs(each - wanted); });
}

}  // namespace

bool Chosen::has(const KernelInfo& info) const {
    // The CPU's kernels have one thread a block. On a GPU they would take minutes.
    return !info.on_cpu && (kernel.empty() || kernel == info.id) &&
           info.compute_capability <= compute_capability;
}

std::vector<Case> counted_cases(const Chosen& chosen) {
    std::vector<Case> cases;
    for (const KernelInfo& kernel : catalog()) {
        if (!chosen.has(kernel)) continue;
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads)
                for (const int extent : {16, 64})
                    add(cases, kernel, {extent, extent, extent, tile, pad});
        const int tile8 = nearest(kernel.tiles, 8), tile16 = nearest(kernel.tiles, 16),
                  tile32 = nearest(kernel.tiles, 32), pad1 = nearest(kernel.pads, 1);
        add(cases, kernel, {24, 40, 16, tile8, 0});
        add(cases, kernel, {100, 75, 50, tile16, pad1});
        add(cases, kernel, {7, 33, 5, tile16, pad1});
        add(cases, kernel, {256, 256, 256, tile32, 0});
        if (!kernel.boxes) continue;
        for (const int tile : {tile16, tile32}) {  // boxes that the matrices' edges cut
            add(cases, kernel, {33, 17, 19, tile, 0});
            add(cases, kernel, {20, 36, 1, tile, 0});
            add(cases, kernel, {100, 37, 65, tile, 0});
        }
        add(cases, kernel, {300, 200, 70, nearest(kernel.tiles, 256), 0});
    }
    return cases;
}

std::vector<Case> small_cases(const Chosen& chosen) {
    std::vector<Case> cases;
    for (const KernelInfo& kernel : catalog())
        for (const int pad : chosen.has(kernel) ? kernel.pads : std::span<const int>())
            add(cases, kernel, {33, 17, 19, nearest(kernel.tiles, 16), pad});
    return cases;
}

std::vector<Case> estimated_cases() {
    struct Variant {
        std::string_view kernel;
        int tile = 0, pad = 0;
    };
    std::vector<Variant> variants;
    for (const std::string_view kernel :
         {"01_naive_by_column", "02_naive", "07_tiled_b_uncoalesced", "08_tiled_b_transposed",
          "09_tiled", "10_tiled_any_size", "11_tiled_dynamic"})
        for (const int tile : {16, 32}) variants.push_back({kernel, tile});
    for (const int tile : {16, 32}) variants.push_back({"08_tiled_b_transposed", tile, 1});
    for (const std::string_view kernel :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"})
        variants.push_back({kernel, 16});
    for (const std::string_view kernel :
         {"15_register_tile", "16_vectorized", "17_swizzled", "18_warp_tiled", "19_async_pipeline"})
        variants.push_back({kernel, 128});
    variants.push_back({"16_vectorized", 128, 4});
    std::vector<Case> cases;
    for (const int n : {1024, 4096})
        for (const auto& [kernel, tile, pad] : variants)
            cases.push_back({kernel, {n, n, n, tile, pad}});
    return cases;
}

std::vector<Case> large_cases() {
    return {
        {"02_naive", {512, 512, 512, 16, 0}},          {"09_tiled", {256, 256, 256, 16, 0}},
        {"09_tiled", {512, 512, 512, 16, 0}},          {"09_tiled", {512, 512, 512, 32, 0}},
        {"10_tiled_any_size", {500, 500, 500, 16, 0}}, {"12_outer_product", {512, 512, 512, 16, 0}},
        {"09_tiled", {1024, 1024, 1024, 32, 0}}};
}

std::vector<ChampionCase> champion_cases() {
    std::vector<ChampionCase> cases;
    for (int config = 0; config < static_cast<int>(champion_configs().size()); ++config) {
        const ChampionConfig& w = champion_configs()[static_cast<std::size_t>(config)];
        const bool bulk = w.kernel == ChampionKernel::kBulk;
        const int m = w.kernel == ChampionKernel::kRows ? w.rows : w.rows + 20;
        const int n = w.kernel == ChampionKernel::kColumns ? w.columns : w.columns + 20;
        std::vector<ChampionChoice> choices;
        if (bulk) choices.push_back({.config = config, .stream_k = true});
        for (const int cluster : {1, 2})
            for (const int rounds : {1, 2})
                choices.push_back({.config = config, .cluster = cluster, .rounds = rounds});
        const int k = std::max(160, 4 * w.depth);
        for (const ChampionChoice& choice : choices) {
            cases.push_back({{m, n, k}, choice});
            cases.push_back({{m, n, k}, choice, 1});
            // Rows that do not begin at multiples of 16 bytes: those of A, then those of B and C.
            cases.push_back({{m, n, k + 1}, choice});
            cases.push_back({{m, w.kernel == ChampionKernel::kColumns ? 1 : n + 1, k}, choice});
        }
    }
    return cases;
}

}  // namespace tilereel::hardware
