#pragma once
// Tests whether the blocks of a launch access three arrays like a matrix product: each block loads
// the rows of A and the columns of B that belong to the elements of C that it stores.
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "instrumentation/analysis/products/product_matrix.h"

namespace tilereel {

// How an array is accessed. `other`: by atomics.
struct ArrayUse {
    bool loaded = false, stored = false, other = false;
};
[[nodiscard]] std::vector<ArrayUse> uses_of_arrays(const Trace& trace);

// The elements of the global arrays that a selection of the recorded blocks accesses. An element
// has type_bytes() bytes and is identified by its index in the array.
class ProductAccesses {
  public:
    explicit ProductAccesses(const Trace& trace);

    struct Fit {
        bool holds = false;
        // Each block executes at least K / 2 multiply-adds for each element that it stores. False
        // if no multiply-adds are recorded.
        bool multiplies_enough = false;
        // The blocks store at least a quarter of C, as far as those that are examined tell.
        bool stores_enough = false;
        // A block stores only some of the rows and some of the columns of C. Otherwise the accesses
        // may fit by chance.
        bool is_conclusive = false;
        std::vector<SiteId> of_b;  // if one array is A and B: the sites that load B
    };
    [[nodiscard]] Fit fit(const ProductForm& form) const;
    // Whether all accesses are inside the matrix and not in its padding, and some are in its last
    // row and its last column.
    [[nodiscard]] bool fill(ArrayId array, const StoredMatrix& matrix) const;
    // The matrix whose rows are the runs of consecutive elements that the launch accesses. nullopt
    // unless there are several runs, of equal length and distance, beginning at element 0.
    [[nodiscard]] std::optional<StoredMatrix> runs(ArrayId array) const;
    // The first element that is accessed outside the matrix.
    [[nodiscard]] std::optional<std::uint32_t> first_outside(ArrayId array,
                                                             const StoredMatrix& matrix) const;

  private:
    struct Block {
        std::map<SiteId, std::vector<std::uint32_t>> elements;  // ascending, each once
        std::map<SiteId, std::size_t> tidy_at;  // count at which duplicates are removed
        std::uint64_t multiply_adds = 0;
        std::map<ArrayId, std::uint64_t> stores;  // elements stored, with repetitions
    };
    void add_segment(std::size_t segment, Block& block) const;
    [[nodiscard]] bool split_sites(const ProductForm& form, std::vector<SiteId>& of_b) const;

    const Trace& trace_;
    std::vector<Block> blocks_;
};

}  // namespace tilereel
