#pragma once
// Whether the blocks of a launch access three arrays as a product does: each loads of A the rows,
// and of B the columns, of what it stores of C.
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "instrumentation/analysis/product_matrix.h"

namespace tilereel {

// Which arrays are loaded, stored or accessed otherwise (atomics).
struct ArrayUse {
    bool loaded = false, stored = false, other = false;
};
[[nodiscard]] std::vector<ArrayUse> uses_of_arrays(const Trace& trace);

// What some of the recorded blocks access, as numbers of elements (type_bytes() each).
class ProductAccesses {
  public:
    explicit ProductAccesses(const Trace& trace);

    struct Fit {
        bool holds = false;
        // Each block does at least K / 2 multiply-adds for an element that it stores; false where
        // none are recorded.
        bool multiplies_enough = false;
        // Some block stores neither whole rows nor whole columns of C: that the accesses fit is no
        // accident.
        bool tells_apart = false;
        std::vector<SiteId> of_b;  // where one array is A and B: the sites that load B
    };
    [[nodiscard]] Fit fit(const ProductForm& form) const;
    // Whether no access lies outside the matrix, e.g. in its padding, and some reach its last row
    // and column.
    [[nodiscard]] bool fill(ArrayId array, const StoredMatrix& matrix) const;
    // Where all that the launch accesses of an array comes in runs of one length, one distance
    // apart, from its first element on: these as rows of a matrix.
    [[nodiscard]] std::optional<StoredMatrix> runs(ArrayId array) const;
    // The first element that is accessed outside the matrix.
    [[nodiscard]] std::optional<std::uint32_t> outside(ArrayId array,
                                                       const StoredMatrix& matrix) const;

  private:
    struct Block {
        std::map<SiteId, std::vector<std::uint32_t>> elements;  // ascending, each once
        std::map<SiteId, std::size_t> tidy_at;  // count at which repeated ones are removed
        std::uint64_t multiply_adds = 0;
        std::map<ArrayId, std::uint64_t> stores;  // numbers stored
    };
    void add_segment(std::size_t segment, Block& block) const;
    [[nodiscard]] bool split_sites(const ProductForm& form, std::vector<SiteId>& of_b) const;

    const Trace& trace_;
    std::vector<Block> blocks_;
};

}  // namespace tilereel
