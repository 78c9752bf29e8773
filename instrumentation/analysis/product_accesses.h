#pragma once
// Whether the blocks of a launch access three arrays as a product does: each block loads the rows
// of A and the columns of B that belong to the elements of C that it stores.
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "instrumentation/analysis/product_matrix.h"

namespace tilereel {

// Whether an array is loaded, stored or accessed otherwise (atomics).
struct ArrayUse {
    bool loaded = false, stored = false, other = false;
};
[[nodiscard]] std::vector<ArrayUse> uses_of_arrays(const Trace& trace);

// Which elements of the global arrays some of the recorded blocks access. An element has
// type_bytes() bytes and is known by its index in the array.
class ProductAccesses {
  public:
    explicit ProductAccesses(const Trace& trace);

    struct Fit {
        bool holds = false;
        // Each block does at least K / 2 multiply-adds for each element that it stores; false if
        // no multiply-adds are recorded.
        bool multiplies_enough = false;
        // Some block stores only a part of the rows and a part of the columns of C. Otherwise the
        // accesses may fit by accident.
        bool tells_apart = false;
        std::vector<SiteId> of_b;  // where one array is A and B: the sites that load B
    };
    [[nodiscard]] Fit fit(const ProductForm& form) const;
    // Whether no access lies outside the matrix, e.g. in its padding, and some reach its last row
    // and column.
    [[nodiscard]] bool fill(ArrayId array, const StoredMatrix& matrix) const;
    // The matrix whose rows are the runs of consecutive elements that the launch accesses. Empty
    // unless there are several runs, of one length and one distance, from element 0 on.
    [[nodiscard]] std::optional<StoredMatrix> runs(ArrayId array) const;
    // The first element that is accessed outside the matrix.
    [[nodiscard]] std::optional<std::uint32_t> outside(ArrayId array,
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
