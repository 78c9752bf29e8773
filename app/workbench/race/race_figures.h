#pragma once
// Figures computed from a race: for each contender and size medians, ratios and bandwidths, and the
// pairs of contenders that differ in PAD. Pure functions.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/race/race.h"
#include "app/workbench/race/race_now.h"
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {

struct RaceEntry {  // a contender at a size
    std::optional<Outcome> outcome;
    std::string sentence;            // the reason, unless the outcome is kVerified
    double worst_error = 0;          // as Verified::worst_error
    std::optional<Statistics> rate;  // in rate_unit()
    double milliseconds = 0;         // of one launch, at the median
    std::uint32_t samples = 0;
    Conditions conditions;  // of the last sample
};

// The interquartile range as a share of the median.
[[nodiscard]] double relative_spread(const Statistics& of);
// The spread is large if it exceeds this share of the median. The median then
// says little: the machine was probably busy with other work.
inline constexpr double kLargeSpread = 0.2;
[[nodiscard]] bool spread_is_large(const Statistics& of);

// Computed once whenever the race changes.
struct RaceFigures {
    std::vector<std::vector<RaceEntry>> entries;  // [contender][size]
    // The contender that is cuBLAS or OpenBLAS; of several, the first.
    std::optional<std::uint32_t> reference;
    // By contender: the reference that multiplies its type.
    std::vector<std::optional<std::uint32_t>> references;
    // Whether all contenders have the same one.
    [[nodiscard]] bool one_reference() const;
    std::optional<std::uint32_t> running_size;        // being raced now; none once the race ended
    std::optional<RaceNow> now;                       // what a race that runs does
    std::uint32_t samples = 0, samples_expected = 0;  // a failed contender expects no more

    // In rate_unit().
    [[nodiscard]] std::optional<double> median(std::uint32_t contender, std::uint32_t size) const;
    // spread_is_large(); false if there are no samples.
    [[nodiscard]] bool unsteady(std::uint32_t contender, std::uint32_t size) const;
};
[[nodiscard]] RaceFigures figures_of(const Race& race, bool running = false);

// "09 tiled", "cuBLAS FP32", "OpenBLAS"
[[nodiscard]] std::string title_of(const Contender& contender);
// "TILE 32, PAD 1", "TILE 16", "pedantic" (cuBLAS), "". `with_pad_0`: PAD 0 is not left out.
[[nodiscard]] std::string parameters_text(const Contender& contender, bool with_pad_0 = false);
// With PAD 0 if the contender has a counterpart in the race.
[[nodiscard]] std::string parameters_text(const RaceRequest& request, std::uint32_t contender);
[[nodiscard]] bool has_pad(const Contender& contender);  // its kernel offers more than one PAD

[[nodiscard]] bool is_square(const ProductSize& size);
// N if M = N = K; else the cube root of M N K.
[[nodiscard]] double edge_of(const ProductSize& size);
// Indices of the sizes, by ascending edge.
[[nodiscard]] std::vector<std::uint32_t> sizes_by_edge(const RaceRequest& request);

[[nodiscard]] std::optional<std::uint32_t> find_contender(const RaceRequest& request,
                                                          const Contender& contender);
// The contender with the same kernel and TILE but another PAD: PAD 0 for a padded contender, the
// smallest other PAD for one with PAD 0. nullopt if none races.
[[nodiscard]] std::optional<std::uint32_t> counterpart_of(const RaceRequest& request,
                                                          std::uint32_t contender);
// The size with the most FLOP at which all of these contenders have a median.
[[nodiscard]] std::optional<std::uint32_t> largest_size(
    const Race& race, const RaceFigures& figures, const std::vector<std::uint32_t>& contenders);
// Among the pairs of contenders that differ in PAD alone, the padded one of the pair with the
// largest ratio of speeds, at the largest size that both have.
[[nodiscard]] std::optional<std::uint32_t> default_padding(const Race& race,
                                                           const RaceFigures& figures);
// The size at which most contenders have a median; the largest of several. The size that is being
// raced is returned only if no smaller one has a median.
[[nodiscard]] std::optional<std::uint32_t> default_size(const Race& race,
                                                        const RaceFigures& figures);
// The contender that speed-ups are relative to: the naive kernel with the same TILE, else the first
// naive kernel.
[[nodiscard]] std::optional<std::uint32_t> naive_for(const RaceRequest& request,
                                                     std::uint32_t contender);
// The median over that of naive_for() at the same size.
[[nodiscard]] std::optional<double> speed_up(const RaceRequest& request, const RaceFigures& figures,
                                             std::uint32_t contender, std::uint32_t size);
[[nodiscard]] std::optional<double> share_of_reference(const RaceFigures& figures,
                                                       std::uint32_t contender, std::uint32_t size);

// The counts of a small trace of a contender, and the size of that product.
struct SizedCounts {
    KernelCounts counts;
    ProductSize size;
    int block_threads = 0;
    std::uint32_t shared_bytes = 0;  // of a block
};
// FLOP per byte that the threads request by global loads: 2 FLOP / 8 B for naive, TILE times that
// for square tiles. nullopt if the kernel loads nothing.
[[nodiscard]] std::optional<double> counted_intensity(const SizedCounts& small);
// FLOP per byte of the sectors that global loads and stores move, extrapolated to a product of
// `size`: loads grow with M N K, stores with M N.
[[nodiscard]] std::optional<double> recorded_intensity(const SizedCounts& small,
                                                       const ProductSize& size);

// Gigabytes (1e9 bytes) per second if each matrix moves once, which is the least that a kernel can
// move: 4 (MK + KN + MN) bytes.
[[nodiscard]] double effective_bandwidth(const ProductSize& size, double gflops,
                                         InputType inputs = InputType::kFloat32);

}  // namespace tilereel
