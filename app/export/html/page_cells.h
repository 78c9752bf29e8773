#pragma once
// What the cells of the page hold at each step, and what changes between two steps.
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/export/html/array_picture.h"
#include "app/export/html/numbering.h"
#include "app/replay/contents.h"
#include "app/replay/replay.h"

namespace tilereel {

// How the page draws a cell. The first four are those of CellState; page/paint.js has the same
// list.
enum class PageCell : std::uint8_t {
    kNeverWritten = 0,  // or its content is not known
    kStale = 1,
    kValid = 2,
    kUnderWay = 3,
    kNotLoaded = 4,   // stored by a lane that has not loaded it
    kPartialSum = 5,  // of C: some of its products are summed up
    kStored = 6,      // of global memory: the block has stored it
};

class PageCells {
  public:
    // Both must outlive it. Cells hold nothing at first.
    PageCells(const Replay& replay, const std::vector<ArrayPicture>& pictures);

    // What is different from the last call, as the page reads it: for each array that has changed
    // [number of its picture, count of runs, runs...]. A run is [cells skipped since the last run,
    // length, PageCell, a value's number for each cell]; value 0 is none. `step`: running now;
    // steps().size() at the end.
    [[nodiscard]] nlohmann::json changes(const ReplayState& state, std::uint32_t step);

    [[nodiscard]] nlohmann::json values() const { return values_.json(); }

  private:
    struct Cell {
        PageCell look = PageCell::kNeverWritten;
        std::uint32_t value = 0;
        bool operator==(const Cell&) const = default;
    };
    // The cells of an array, by number: all cells of a shared array; only the shown ones of
    // another.
    struct Cells {
        std::vector<Cell> all;
        std::unordered_map<std::uint64_t, Cell> shown;
        Cell& at(std::uint64_t cell) { return all.empty() ? shown[cell] : all[cell]; }
    };

    [[nodiscard]] std::size_t picture_of(ArrayId array) const;  // pictures_.size(): none
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
    std::vector<Cells> cells_;                            // by picture
    std::vector<std::map<std::uint64_t, Cell>> changed_;  // by picture: since the last call
    std::vector<std::vector<SharedCell>> shared_;         // by picture: as the last call saw them
    std::vector<PartialSum> sums_;                        // of C, as the last call saw them
    std::uint32_t stores_seen_ = 0;                       // steps whose stores are in `cells_`
    bool begun_ = false;
};

}  // namespace tilereel
