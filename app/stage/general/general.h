#pragma once
// The stage of a kernel that is not a matrix product: each global array as a grid of cells, shared
// memory by bank or as declared, the warps, and the request in flight.
//
// Its widgets (register_widget), besides those of stage.h:
//   stage.global.<array>: the cells of the array that are in its window
//   stage.global.<array>.map: a small map of the whole array, if it does not fit into the window
//   stage.global.<array>.part: switches between the whole array without values and the window
//   stage.global.<array>.rows: chooses the row length; .fewer and .more change it by one cell
//   stage.global.<array>.field: the text field for the row length
//   stage.global.<array>.edge: the right edge; dragging it changes the row length
//   stage.global.<array>.follow: the window follows the accesses again
//   stage.global.<array>.raise: an array drawn as a strip; a click enlarges it
//   stage.as_arrays: switches a program's matrix product between its own stage and this one
//   stage.name_product: opens the card stage.product with .a .b .c .sizes .show .close, and .forget
//   if the user has named a product
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/arrays/array_shape.h"
#include "app/replay/replay.h"
#include "app/stage/general/general_view.h"
#include "app/stage/layout/cell_window.h"
#include "app/ui/theme.h"

namespace tilereel::stage {

struct Measure;
struct Scene;
class SmallMap;
struct StageLayout;
class StagePlan;
struct Zoom;

// What the windows follow.
struct Followed {
    std::uint32_t step = 0, phase = 0, lane = 0;
    bool jumped = true;  // the windows jump there and do not glide
};

// A window onto the picture of an array (array_shape.h). Lengths in pixels.
struct GlobalView : CellWindow {
    explicit GlobalView(const ArrayShape& of) : shape(of) {
        rows = of.rows(), columns = of.columns();
    }
    ArrayId array = kNoArray;
    ColorRole role = ColorRole::kNone;
    ArrayShape shape;
    Rect box;                          // the window, its map and its text
    Rect map;                          // of the whole array; empty: the window shows all of it
    ImVec2 values{1, 1};               // pitches of a cell whose value can be read
    float wanted = 1;                  // number of columns that should be visible
    bool can_change = false;           // the user can choose between window and whole array
    bool two_lines = false;            // the controls stand below the name
    bool strip = false;                // no window: only the name and the map
    [[nodiscard]] bool whole() const;  // all cells are in the window
    [[nodiscard]] bool holds_values() const;
    [[nodiscard]] bool shows(std::uint64_t cell) const;
    [[nodiscard]] std::optional<std::uint64_t> cell_at(ImVec2 point) const;
};

struct GeneralLayout {
    Rect head, warps, globals, legend;
    Rect barrier;  // where there is no room for the warps; empty: it stands beside them
    std::vector<GlobalView> views;
};

// Places the windows onto all arrays in `area` and moves each towards what `followed` accesses.
[[nodiscard]] std::vector<GlobalView> place_globals(const Measure& m, GeneralView& view,
                                                    const Followed& followed, const Rect& area);
// The window onto an array that fits into `box`.
[[nodiscard]] GlobalView place_one(const Measure& m, const GlobalArray& here,
                                   const GeneralView& chosen, const Rect& box);
// Sets the first cell that `view` shows: moves its window towards what `followed` accesses, unless
// the user has moved it.
void follow_accesses(const Measure& m, GeneralView& chosen, const std::string& name,
                     const Followed& followed, GlobalView& view);
// The height of each row of arrays. `across` arrays stand side by side in a row. A row gets what it
// can use, and all rows share the rest. `width`: of one array. Pixels.
[[nodiscard]] std::vector<float> heights_of(const Measure& m, const GeneralView& chosen,
                                            std::uint32_t across, float width, float height);
// The smallest font size of a value in a cell, in pixels.
[[nodiscard]] float least_value_type(const Look& look);
// The width of a button with this label, in pixels.
[[nodiscard]] float chooser_width(const Look& look, const std::string& label);
// Draws a button a little above the point `lower_right`. Returns true when it is clicked.
bool chip(const Scene& scene, const char* name, ImVec2 lower_right, const std::string& label,
          const char* tip);
// The widths of the parts of an array's title in pixels. `part`: label of the button for the shown
// part of the array; nullptr if it has none.
struct TitleWidths {
    float words = 0;    // the name, type and extents
    float buttons = 0;  // the row length and the shown part
};
[[nodiscard]] TitleWidths title_widths(const Look& look, const Array& array, const GlobalArray& its,
                                       std::uint32_t row_length, const char* part);
[[nodiscard]] std::string rows_text(std::uint32_t row_length);  // "32 a row"
[[nodiscard]] std::string array_text(const Array& array);       // "float, 64 x 64"
// Font sizes of an array's name, in units: default and smallest.
inline constexpr float kNameType = 18, kLeastNameType = 13;

// Places shared memory, banks and the request in `out`, as layout_stage() does. Returns the places
// of all other parts.
[[nodiscard]] GeneralLayout layout_general(const Look& look, const Rect& rect, const Trace& trace,
                                           const StagePlan& plan, GeneralView& view,
                                           const Followed& followed, Zoom& zoom,
                                           std::uint32_t banks, StageLayout& out);
void draw_general_head(Scene& scene, const Rect& rect);
void draw_global_arrays(Scene& scene, const GeneralLayout& layout);
void draw_choosers(Scene& scene, const GlobalView& view, const GlobalArray& array);
// Fills `place` with the whole array: the part that the block uses, and the cells that the request
// accesses.
SmallMap draw_uses(Scene& scene, const GlobalView& view, const Rect& place);
void draw_strip(Scene& scene, const GlobalView& view);
// Draws the map of an array and handles what the user drags: the visible part, the right edge.
void draw_map_and_drag(Scene& scene, const GlobalView& view, const GlobalArray& array);
// Draws the button that opens the product card, or the card while it is open. Appends the user's
// commands to Scene::commands. `stage`: the whole stage.
void draw_product_card(Scene& scene, const Rect& stage);
// The label of that button; empty: there is none, because the trace is a product of its own.
[[nodiscard]] std::string product_card_label(const Scene& scene);
void draw_general_flights(Scene& scene, const GeneralLayout& layout);
void draw_general_legend(Scene& scene, const Rect& rect);
// Calls visit(lane, cell) for each cell of an array that the request in flight accesses.
void for_each_accessed(const Scene& scene, ArrayId array,
                       const std::function<void(std::uint32_t, std::uint64_t)>& visit);

}  // namespace tilereel::stage
