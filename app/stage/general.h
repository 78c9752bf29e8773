#pragma once
// The stage of any kernel that is no matrix product: each global array as a grid of cells, shared
// memory by bank or as declared, warps and the request.
//
// Names under which its parts are registered (register_widget), besides those of stage.h:
//   stage.global.<array> stage.global.<array>.rows (the chooser of the row length)
//   stage.global.<array>.part (shows the whole array or the part that the block uses)
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/replay/contents.h"
#include "app/replay/replay.h"
#include "app/ui/draw.h"
#include "app/ui/theme.h"

namespace tilereel::stage {

struct Scene;
struct StageLayout;
class StagePlan;
struct Zoom;

inline constexpr std::size_t kMostGlobalArrays = 8;

struct GlobalArray {
    ArrayId id = kNoArray;
    Role role = Role::kNone;
    std::uint64_t cells = 0;
    std::uint32_t guessed_row = 32;             // cells a row, where nobody chose
    std::vector<std::uint32_t> offered_rows{};  // row lengths to choose from
    ArrayContents::Range used{};                // by the watched block
};

// Worked out once a replay.
class GeneralPlan {
  public:
    // True where `replay` is another one than before.
    bool refresh(const Replay& replay, const StagePlan& plan);
    [[nodiscard]] const std::vector<GlobalArray>& arrays() const { return arrays_; }
    [[nodiscard]] std::size_t left_out() const { return left_out_; }  // beyond the first eight
    [[nodiscard]] const ArrayContents& contents() const { return *contents_; }

  private:
    std::uint64_t replay_ = 0;  // Replay::id(); 0: none yet
    std::vector<GlobalArray> arrays_;
    std::size_t left_out_ = 0;
    std::unique_ptr<ArrayContents> contents_;
};

// What the user chose, by the array's name: kept when the program runs again.
struct GeneralView {
    GeneralPlan plan;
    std::map<std::string, std::uint32_t> rows;  // cells a row
    std::map<std::string, bool> whole;          // all of it rather than the block's part
};

// A window onto an array: rows first_row .. first_row + rows - 1, of `row_length` cells each.
struct GlobalView {
    ArrayId array = kNoArray;
    Role role = Role::kNone;
    Rect box, window;  // with its words; the cells alone
    float pitch = 1;   // pixels
    std::uint32_t row_length = 1;
    std::uint64_t first_row = 0, rows = 0, all_rows = 0;
    std::uint32_t first_column = 0, columns = 0;  // of each row
    std::uint64_t cells = 0;                      // of the array
    bool part = false;                            // only what the block uses is shown
    bool can_change = false;                      // the whole and the part look different
    [[nodiscard]] bool shows(std::uint64_t cell) const {
        const std::uint64_t row = cell / row_length, column = cell % row_length;
        return cell < cells && row >= first_row && row < first_row + rows &&
               column >= first_column && column < first_column + columns;
    }
    [[nodiscard]] Rect rect_of(std::uint64_t cell) const;
    // The cell at a point; false where there is none.
    [[nodiscard]] bool at(ImVec2 point, std::uint64_t& cell) const;
};

struct GeneralLayout {
    Rect head, warps, globals, legend;
    std::vector<GlobalView> views;
};

// Fills in where shared memory, banks and the request lie (as layout_stage() does) and returns the
// rest.
[[nodiscard]] GeneralLayout layout_general(const Look& look, const Rect& rect, const Trace& trace,
                                           const StagePlan& plan, const GeneralView& view,
                                           Zoom& zoom, std::uint32_t banks, StageLayout& out);
void draw_general(Scene& scene, const GeneralLayout& layout);

// The parts.
void draw_general_head(Scene& scene, const Rect& rect);
void draw_global_arrays(Scene& scene, const GeneralLayout& layout);
void draw_general_flights(Scene& scene, const GeneralLayout& layout);
void draw_general_legend(Scene& scene, const Rect& rect);

}  // namespace tilereel::stage
