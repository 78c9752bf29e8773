#pragma once
// Multiplies what a warpgroup's product has read, and finds which sums the products add to.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "app/replay/state/state.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"

namespace tilereel {

// The pieces of 16 bytes that a product has read so far, by shared address.
struct FactorPieces {
    std::unordered_map<std::uint32_t, std::array<std::uint32_t, 4>> bytes;
    std::size_t expected = 0;  // pieces that the four warps read together
    bool is_known = true;      // false: something that was read has no known value
};

// A B as [row * n + column]. Empty if not all of A and B is known.
[[nodiscard]] std::vector<float> multiplied(const WarpgroupProduct& product,
                                            const WarpgroupOperands& operands,
                                            const FactorPieces& pieces);

// The words that the 32 lanes of a warp store at once: [word * 32 + lane].
using StoredWords = std::vector<std::uint32_t>;

// How the products of a warp take turns with their accumulators: `each` products add to one
// accumulator, then as many to the next; after `count` accumulators it begins again.
struct AccumulatorTurns {
    std::size_t count = 1, each = 1;
    [[nodiscard]] std::size_t of(std::size_t product) const { return product / each % count; }
};

// The products of one warp between two times at which it stores sums: A B of each, and what it
// stores after them. `warp`: 0 to 3 in its warpgroup.
struct WarpSums {
    WarpgroupProduct product;
    int warp = 0;
    std::vector<const std::vector<float>*> products;
    std::vector<const StoredWords*> stored;

    // The turns for which the stored words are sums; nullopt: none fits.
    [[nodiscard]] std::optional<AccumulatorTurns> turns() const;
    // The accumulator, and the element of each lane, whose sums a word of all lanes is.
    struct Found {
        std::size_t accumulator = 0;
        int element = 0;
    };
    // `sums`: by accumulator the rows of the warp, [row * n + column].
    [[nodiscard]] std::optional<Found> find(std::span<const std::uint32_t> word,
                                            std::span<const std::vector<double>> sums) const;
    // The sums of all accumulators after the products.
    [[nodiscard]] std::vector<std::vector<double>> sums(const AccumulatorTurns& turns) const;
    // Adds a product to the sums of an accumulator.
    void add(std::vector<double>& sums, std::size_t product) const;
};

}  // namespace tilereel
