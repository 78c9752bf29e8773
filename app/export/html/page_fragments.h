#pragma once
// What lanes hold for the tensor cores at each step, for the page's picture of fragments.
#include <nlohmann/json.hpp>
#include <string>

#include "app/export/html/numbering.h"
#include "app/replay/replay.h"

namespace tilereel {

// A moment is [operation, layout, then for each of its matrices: values, values before, when]. The
// layout is a row of layouts(); values are rows of values(), -1: not known; `when` has a letter for
// each cell: b (held before the request), n (comes with it) or l (later), or one for all cells.
class PageFragments {
  public:
    explicit PageFragments(const Replay& replay) : replay_(replay) {}

    // The number of the moment at which the replay stands; -1: nothing is done for tensor cores.
    [[nodiscard]] int number_now();
    [[nodiscard]] nlohmann::json moments() const { return moments_.json(); }
    // By matrix: [name, rows, columns, cells]. A cell is [lane, row, column, rows, columns, the
    // number of its first 32-bit register].
    [[nodiscard]] nlohmann::json layouts() const { return layouts_.json(); }
    // The elements of the cells, one after another, with spaces between.
    [[nodiscard]] nlohmann::json values() const { return values_.json(); }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // an estimate

  private:
    [[nodiscard]] nlohmann::json of_warp();
    [[nodiscard]] nlohmann::json of_warpgroup();
    int number_of_values(const std::string& values);

    const Replay& replay_;
    Numbering<nlohmann::json> moments_, layouts_;
    Numbering<std::string> values_;
    std::uint64_t bytes_ = 0;
};

}  // namespace tilereel
