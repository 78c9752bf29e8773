#pragma once
// What the warps of a block multiply on tensor cores in each phase: which elements of A and B their
// lanes read. A product's record has registers, not elements, so it is what the warp reads in the
// phase that tells.
#include <map>
#include <utility>
#include <vector>

#include "instrumentation/analysis/phases/phase_cells.h"

namespace tilereel {

class PhaseTiles {
  public:
    explicit PhaseTiles(const MatrixProduct& matrices) : matrices_(matrices) {}
    // The warp reads a word of A or B for its registers, or a product does. `first`: its first
    // element.
    void read(const Trace& trace, std::uint32_t warp, std::uint32_t phase,
              const ElementName& first);
    // `code`: Records::base of the product.
    void product(std::uint32_t warp, std::uint32_t phase, std::uint32_t code);
    // Sets PhaseCell::tile, and joins the loads of each cell, which are words, to ranges.
    void put(const Trace& trace, PhaseTable& table) const;

  private:
    struct Work {
        std::vector<ElementName> a, b;
        std::map<std::uint32_t, std::uint64_t> products;  // by code
    };
    MatrixProduct matrices_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Work> work_;  // by warp and phase
};

// The elements of a word of 4 bytes that begins with this one.
[[nodiscard]] std::vector<ElementName> elements_of_word(const Trace& trace,
                                                        const ElementName& first);

}  // namespace tilereel
