#pragma once
// What a race says, by contender and size: medians, ratios, bandwidths, and who is whose
// counterpart. Pure.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/race/race.h"
#include "instrumentation/analysis/counters.h"

namespace tilereel {

struct RaceEntry {  // a contender at a size
    std::optional<Outcome> outcome;
    std::string sentence;    // why, unless verified
    double worst_error = 0;  // as Verified::worst_error
    std::optional<Statistics> gflops;
    double milliseconds = 0;  // of one launch, at the median
    std::uint32_t samples = 0;
    Conditions conditions;  // of the last sample
};

// A median says little where the samples lie far apart: the machine did something else besides. The
// middle half of the samples spans more than this share of the median.
inline constexpr double kLargeSpread = 0.2;
[[nodiscard]] bool spread_is_large(const Statistics& of);

// Everything the views read of a race, computed once when it changes.
struct RaceFigures {
    std::vector<std::vector<RaceEntry>> entries;      // [contender][size]
    std::optional<std::uint32_t> reference;           // the contender that is cuBLAS or OpenBLAS
    std::optional<std::uint32_t> running_size;        // of the last event, while the race runs
    std::uint32_t samples = 0, samples_expected = 0;  // those that cannot come are not expected

    [[nodiscard]] std::optional<double> median(std::uint32_t contender, std::uint32_t size) const;
    // By spread_is_large(); false where nothing was measured.
    [[nodiscard]] bool unsteady(std::uint32_t contender, std::uint32_t size) const;
};
[[nodiscard]] RaceFigures figures_of(const Race& race, bool running = false);

// "09 tiled", "cuBLAS FP32", "OpenBLAS"; and "TILE 32, PAD 1", "TILE 16", "pedantic", "".
[[nodiscard]] std::string title_of(const Contender& contender);
[[nodiscard]] std::string parameters_text(const Contender& contender, bool with_pad_0 = false);
// PAD 0 is said where its padded counterpart races, too.
[[nodiscard]] std::string parameters_text(const RaceRequest& request, std::uint32_t contender);
[[nodiscard]] bool has_pad(const Contender& contender);  // its kernel offers more than one PAD

[[nodiscard]] bool is_square(const ProductSize& size);
// N of a square product; of another the edge of the cube with as many multiply-adds.
[[nodiscard]] double edge_of(const ProductSize& size);
// Indices of the sizes, by ascending edge.
[[nodiscard]] std::vector<std::uint32_t> sizes_by_edge(const RaceRequest& request);

[[nodiscard]] std::optional<std::uint32_t> find_contender(const RaceRequest& request,
                                                          const Contender& contender);
// The same kernel and TILE without padding, for a padded contender; else with the least padding.
[[nodiscard]] std::optional<std::uint32_t> counterpart_of(const RaceRequest& request,
                                                          std::uint32_t contender);
// The largest size at which all of these have a median.
[[nodiscard]] std::optional<std::uint32_t> largest_size(
    const Race& race, const RaceFigures& figures, const std::vector<std::uint32_t>& contenders);
// Of the pairs of contenders that differ in PAD alone, the padded one of the pair whose speeds
// differ most, at the largest size both have.
[[nodiscard]] std::optional<std::uint32_t> default_padding(const Race& race,
                                                           const RaceFigures& figures);
// The size at which most contenders have a median and none is still being sampled; of equals the
// largest.
[[nodiscard]] std::optional<std::uint32_t> default_size(const Race& race,
                                                        const RaceFigures& figures);
// The contender that speed-ups are over: naive with the same TILE, else naive with any.
[[nodiscard]] std::optional<std::uint32_t> naive_for(const RaceRequest& request,
                                                     std::uint32_t contender);
// How often faster than naive at a size.
[[nodiscard]] std::optional<double> speed_up(const RaceRequest& request, const RaceFigures& figures,
                                             std::uint32_t contender, std::uint32_t size);
[[nodiscard]] std::optional<double> share_of_reference(const RaceFigures& figures,
                                                       std::uint32_t contender, std::uint32_t size);

// What a small trace of a contender says, of a product of the size given.
struct SizedCounts {
    KernelCounts counts;
    ProductSize size;
    int block_threads = 0;
    std::uint32_t shared_bytes = 0;  // of a block
};
// FLOP per byte that the kernel's loads ask for, each thread for its own: 2 FLOP / 8 B for naive,
// TILE times that for square tiles. nullopt if it loads nothing.
[[nodiscard]] std::optional<double> counted_intensity(const SizedCounts& small);
// FLOP per byte that moves between memory and an SM, in whole sectors, loads and stores, for a
// product of another size: loads grow with M N K, stores with M N.
[[nodiscard]] std::optional<double> recorded_intensity(const SizedCounts& small,
                                                       const ProductSize& size);

// Gigabytes (1e9 bytes) a second if each matrix moved once: 4 (MK + KN + MN) bytes, the least any
// kernel can do.
[[nodiscard]] double effective_bandwidth(const ProductSize& size, double gflops);

}  // namespace tilereel
