#pragma once
// The contents of the page's cells at each step, and the changes between two steps.
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/export/html/array_picture.h"
#include "app/export/html/numbering.h"
#include "app/replay/arrays/contents.h"
#include "app/replay/replay.h"

namespace tilereel {

// How the page draws a cell. The first four values are those of CellState. page/cells.js has the
// same list.
enum class PageCell : std::uint8_t {
    kNeverWritten = 0,  // or its contents are not known
    kStale = 1,
    kValid = 2,
    kUnderWay = 3,
    kNotLoaded = 4,   // stored by a lane that did not load it
    kPartialSum = 5,  // C: some of its products are added
    kStored = 6,      // global memory: the block has stored it
};

class PageCells {
  public:
    // Both arguments must outlive the object. At first all cells are empty.
    PageCells(const Replay& replay, const std::vector<ArrayPicture>& pictures);

    // The changes since the last call, in the format of the page: for each changed array [number of
    // its picture, number of runs, runs...]. A run is [cells skipped since the last run, length,
    // PageCell, number of a value for each cell]; number 0 is no value. `step`: the running step,
    // or steps().size() at the end.
    [[nodiscard]] nlohmann::json changes(const ReplayState& state, std::uint32_t step);

    [[nodiscard]] nlohmann::json values() const { return values_.json(); }

  private:
    struct Cell {
        PageCell look = PageCell::kNeverWritten;
        std::uint32_t value = 0;
        bool operator==(const Cell&) const = default;
    };
    // The cells of an array by index. `all` is used for a shared array, `shown` for any other.
    struct Cells {
        std::vector<Cell> all;
        std::unordered_map<std::uint64_t, Cell> shown;
        Cell& at(std::uint64_t cell) { return all.empty() ? shown[cell] : all[cell]; }
    };

    [[nodiscard]] std::size_t picture_of(ArrayId array) const;  // pictures_.size() if there is none
    void look_at_shared(const SharedArrayState& shared, std::size_t picture);
    void look_at_sums(const ReplayState& state, std::uint32_t step);
    void look_at_stores(std::uint32_t step);
    void look_at_first_content(std::size_t picture);
    void add_runs(std::size_t picture, nlohmann::json& list);
    void set(std::size_t picture, std::uint64_t cell, Cell to);
    [[nodiscard]] Cell content(std::size_t picture, std::uint64_t cell, std::uint32_t step,
                               PageCell look);

    const Replay& replay_;
    const std::vector<ArrayPicture>& pictures_;
    ArrayContents contents_;
    Numbering<std::string> values_;
    std::vector<Cells> cells_;                            // index: picture
    std::vector<std::map<std::uint64_t, Cell>> changed_;  // index: picture; since the last call
    std::vector<std::vector<SharedCell>> shared_;         // index: picture; state at the last call
    std::vector<PartialSum> sums_;                        // C; state at the last call
    std::uint32_t stores_seen_ = 0;                       // steps whose stores are in `cells_`
    bool begun_ = false;
};

}  // namespace tilereel
