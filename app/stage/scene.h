#pragma once
// The data that all parts of the stage draw, and the functions that draw them.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "app/replay/sentence/wording.h"
#include "app/stage/layout/stage_layout.h"
#include "app/stage/plan/values.h"
#include "app/stage/stage_view.h"
#include "app/ui/cells/cells.h"
#include "app/ui/draw/draw.h"

namespace tilereel::stage {

// The time in which flights end after a pause or a step.
inline constexpr double kRunOutSeconds = 0.3;

// Whether a lane of the current request was served, is served now, or waits.
enum class LaneService : std::uint8_t { kServed, kNow, kWaiting };

struct Hover {
    std::string title;  // "A[4][8] = 4"; empty: nothing is under the pointer
    ColorRole role = ColorRole::kNone;
    std::vector<std::string> lines;
    void add(std::string line) { lines.push_back(std::move(line)); }
    Rect over{};  // the box does not cover this; empty: it does not cover the pointer
};

// Text that is drawn after the flights, so that they do not cover it.
struct TextOnTop {
    ImVec2 at{};
    float width = 0;  // the text is cut to this width; 0: it is not cut
    std::string text;
    TextStyle style;
};

// From where to where the newest moving request goes.
struct CopyRoute {
    ArrayId from = kNoArray;
    Rect source, target;                  // its cells in the picture
    std::vector<std::string> words;       // "row 3 of B to column 3 of Bs", then shorter texts
    std::vector<std::string> in_title{};  // the same behind the name: "row 3 to column 3 of Bs"
    bool drawn = false;                   // in the title of the array
};

// The progress at the top: "Phase 2 of 4". In a block of one thread it counts elements of C, or
// strips of several elements.
struct Progress {
    const char *name = "Phase", *one = "phase", *many = "phases";
    std::uint32_t now = 0, done = 0, of = 1;  // now: from 1
};

// The number of banks of the replay's generation; at most kBankColumns.
[[nodiscard]] inline std::uint32_t banks_of(const Replay& replay) {
    return static_cast<std::uint32_t>(replay.generation().shared.banks);
}

// The buttons in the lower right corner of a program's stage. Empty: there is none.
struct ProgramChips {
    Rect all{}, as_arrays{}, name_product{}, fragments{};
};

struct Scene {
    const Look& look;
    const Workbench& workbench;
    [[nodiscard]] std::uint32_t banks() const { return banks_of(replay); }
    [[nodiscard]] const WatchedThread& thread() const { return workbench.watched_thread(); }
    const Replay& replay;
    const Trace& trace;
    const ReplayState& state;
    StageView& view;
    const StagePlan& plan;
    const StageLayout& layout;
    bool mouse_here = false;  // the pointer is over the stage and nothing covers it
    [[nodiscard]] bool points_at(const Rect& rect) const {
        return mouse_here && rect.contains(mouse);
    }
    // The cell of a grid under the pointer.
    [[nodiscard]] std::optional<Element> pointed(const CellWindow& grid) const {
        return mouse_here ? grid.at(mouse) : std::nullopt;
    }
    ImVec2 mouse{};
    bool clicked = false;  // the button was released without a drag
    Commands commands{};
    Hover hover{};
    std::vector<TextOnTop> texts_on_top{};
    std::vector<Rect> flying{};  // the flights, and rows of words that glide
    std::vector<Rect> values{};  // rows of cells that show values, and the names of blocks
    Rect heat_legend{};          // in a small stage, below shared memory; empty: none
    ProgramChips chips{};
    // The right end for words at this height: the buttons, or `right`.
    [[nodiscard]] float right_of_words(float y, float right) const {
        const bool beside =
            chips.all.w > 0 && y + f(10) > chips.all.y && y - f(10) < chips.all.bottom();
        return beside ? std::min(right, chips.all.x - u(8)) : right;
    }
    // The part of an area that is above these buttons.
    [[nodiscard]] Rect above_chips(Rect area) const {
        if (chips.all.w > 0 && chips.all.x < area.right())
            area.h = std::min(area.bottom(), chips.all.y) - area.y;
        return area;
    }
    std::optional<CopyRoute> route{};
    bool shows_off_lanes = false;  // this and the next three: what the legend explains
    bool shows_padding = false;
    bool shows_hazards = false, shows_wrong = false;
    // The element of C whose multiply-add is highlighted: its index in ReplayState::sums.
    std::uint32_t lit_sum = kNoIndex;

    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] float u(float units) const { return std::round(look.px(units)); }
    [[nodiscard]] float f(float units) const { return look.font_px(units); }
    // Whether the picture has buttons: not while presenting, and not in a lesson.
    [[nodiscard]] bool has_controls() const;
    // The site of the current request, or of the last one.
    [[nodiscard]] const Site* site() const;
    // The site of the running request if it accesses this array, else nullptr.
    [[nodiscard]] const Site* running_on(ArrayId array) const;
    [[nodiscard]] const std::vector<Step>& steps() const { return replay.schedule().steps; }
    [[nodiscard]] ColorRole role_of_request() const;
    [[nodiscard]] bool shared_request() const;
    [[nodiscard]] bool conflicted() const;
    [[nodiscard]] Progress progress() const;
    // The partial sum of an element of C; nullptr if the watched block does not compute it.
    [[nodiscard]] const PartialSum* sum_of(Element element) const;
    [[nodiscard]] bool all_stored() const;  // the watched block has stored its elements of C
    // The element of C with this index in ReplayState::sums.
    [[nodiscard]] Element element_of_sum(std::uint32_t index) const;
    [[nodiscard]] LaneService service_of_wavefront(std::uint32_t wavefront) const;
    [[nodiscard]] TextStyle text(Face face, float units, ImU32 color,
                                 Align align = Align::kLeft) const {
        return {face, f(units), color, align};
    }
    [[nodiscard]] TextStyle body(ImU32 color, Align align = Align::kLeft) const {
        return text(Face::kRegular, 14, color, align);
    }
    // The style of row, column, bank and lane numbers beside cells.
    [[nodiscard]] TextStyle number(Align align) const {
        return text(Face::kMono, 11, colors().ink3, align);
    }
    // The font size for `characters` in a cell of a grid; 0 if it would be too small to read.
    [[nodiscard]] float type_in(const CellWindow& grid, std::size_t characters) const {
        return cell_type(look, grid.pitch_x, grid.pitch_y, static_cast<int>(characters));
    }
    // The style with a smaller font, down to `least` units, if the text is wider than `width`.
    [[nodiscard]] TextStyle shrunk(const TextStyle& style, std::string_view text, float width,
                                   float least = 11) const {
        return tilereel::shrunk(style, text, width, look.px(least));
    }
};

// The progress of a flight: 0 before it leaves, 1 after it has landed in the picture. While the
// replay moves, it depends only on Workbench::position() and moved_from(): at any speed, a flight
// has landed when the first read of its cell begins. While the replay is paused, flights that have
// landed in the model land within kRunOutSeconds.
[[nodiscard]] double flight_progress(const Scene& scene, std::uint32_t flight);
// The flights that have left and may not have landed in the picture, by index.
struct FlightRange {
    std::uint32_t begin = 0, end = 0;
};
[[nodiscard]] FlightRange recent_flights(const Scene& scene);
// The requests whose values move in the picture, with their progress. At most kMostMoving.
struct MovingLeg {
    const Leg& leg;
    double progress = 0;
};
[[nodiscard]] std::vector<MovingLeg> moving_legs(const Scene& scene);
// The request whose ends and route are shown while some move: that of the sentence, also while its
// values wait. While the replay plays and they have landed, or if it copies nothing: the newest
// that moves. nullptr: none moves.
[[nodiscard]] const Leg* shown_leg(const Scene& scene, const std::vector<MovingLeg>& moving);
// The view that shows a row of a shared array; nullptr if there is none.
[[nodiscard]] const SharedView* view_of_row(const Scene& scene, ArrayId array, std::uint32_t row);
[[nodiscard]] const MatrixView* matrix_of_array(const Scene& scene, ArrayId array);
// As draw_text_fit, but first reduces the font size, down to 11 units. Returns the width.
float draw_text_shrunk(const Scene& scene, ImVec2 at, float width, const std::string& text,
                       const TextStyle& style);
// Draws a name and, in the rest of the width, what text_of(width, style) returns, if it fits.
template <class TextOf>
void draw_heading(const Scene& scene, ImVec2 at, float width, const std::string& name,
                  TextOf&& text_of) {
    const TextStyle style = scene.body(scene.colors().ink2);
    const float w =
        scene.u(10) +
        draw_text(at, name,
                  scene.text(Face::kSemiBold, scene.layout.small ? 15 : 18, scene.colors().ink));
    const std::string text = text_of(width - w, style);
    const TextStyle fits = scene.shrunk(style, text, width - w);
    if (text_width(text, fits) <= width - w) draw_text({at.x + w, at.y}, text, fits);
}
// Draws "load A", with the array in its colour. Returns the width.
float draw_request(const Scene& scene, ImVec2 at, const std::string& before, const Site& site,
                   const TextStyle& style);
// As draw_text and draw_text_shrunk, but above the flights.
float draw_text_on_top(Scene& scene, ImVec2 at, const std::string& text, const TextStyle& style);
void draw_text_on_top_shrunk(Scene& scene, ImVec2 at, float width, const std::string& text,
                             const TextStyle& style);
void draw_texts_on_top(Scene& scene);
void note_value(Scene& scene, const Rect& cell);  // the cell shows a value
[[nodiscard]] Rect area_of(const TextOnTop& text);

// A small map of a whole grid, in which parts are filled.
class SmallMap {
  public:
    SmallMap(const Scene& scene, const CellWindow& grid) : grid_(grid) {
        fill_rect(grid.window, scene.colors().cell, scene.u(2));
    }
    void fill(const CellRect& part, ImU32 color) const {
        if (!part.empty()) fill_rect(grid_.mark(part), color);
    }
    // Draws a frame around the part that is visible in the large picture.
    void frame(const Scene& scene, const CellRect& visible) const {
        stroke_rect(grid_.mark(visible).inset(-1), scene.colors().ink,
                    std::max(1.0f, scene.look.frame()));
    }

  private:
    const CellWindow grid_;
};

// The style of a value in a cell, by the look of the cell.
[[nodiscard]] TextStyle style_in_cell(const Palette& colors, const Cell& cell, float px);
// Draws text in the middle of a cell with this look. Draws nothing if the font size `px` is 0.
void draw_in_cell(const Scene& scene, const Rect& rect, std::string_view text, const Cell& cell,
                  float px);

void draw_matrices(Scene& scene);
// The button in C's title that switches between the watched part and all of A, B and C; empty if it
// is not needed or there is no room for it.
[[nodiscard]] Rect whole_chip_rect(const Scene& scene);
[[nodiscard]] const char* whole_chip_text(const Scene& scene);
void draw_corner(Scene& scene);
// The map of the blocks or, if not all cells are shown, of A, B and C.
void draw_block_map(Scene& scene, const Rect& rect);
void hover_block(Scene& scene, std::uint32_t block);  // a click watches it
void draw_lanes(Scene& scene, const Rect& area);      // the active lanes; a click chooses one
float draw_warps(Scene& scene, const Rect& rect);     // returns the lower edge of what it drew
// Draws the barrier as a bar, which parts in the middle when the last warp has arrived.
void draw_barrier(Scene& scene, const Rect& bar);
void draw_shared(Scene& scene);
void draw_banks(Scene& scene);
void draw_bank_columns(Scene& scene);  // below shared arrays shown by bank
void draw_memory_request(Scene& scene);
void draw_flights(Scene& scene);
void find_route(Scene& scene);                // sets Scene::route, before anything is drawn
inline constexpr float kRackType = 12;        // units: the font size of the rack's name
void ask_for_route_type(const Scene& scene);  // requests its font sizes before the first copy
// Draws Scene::route in the title of its array, behind the name, in place of the usual text. False
// if the array has none or no words fit into `width`.
bool draw_route_in_title(Scene& scene, ArrayId array, ImVec2 at, float width);
// Draws Scene::route near its source if no title shows it. It covers no text and no button.
void draw_route_label(Scene& scene);
void draw_rack(Scene& scene);  // the loaded values that rest in registers
// The place of a slot of the rack.
[[nodiscard]] Rect slot_of_rack(const Scene& scene, std::uint32_t slot);
// "row 3 of B", "columns 0 to 3 of Bs", "B[0][4]", "12 values of B": some elements of an array, or
// of one plane of it.
[[nodiscard]] std::string part_words(const Array& array, std::uint32_t plane,
                                     const std::vector<Element>& elements);
void draw_hazard_marks(Scene& scene);  // on shared memory
void draw_wrong_marks(Scene& scene);   // on C
void draw_registers(Scene& scene);
void draw_fragments(Scene& scene);
void draw_warp_parts(Scene& scene);  // on A, B and C
void draw_legend(Scene& scene);
void draw_hover(Scene& scene);

// Draws the visible part of an array's picture. Draws nothing and returns false if heat is not
// shown or is still being counted. `row_length`: of the picture's layout. `cell_at`: the cell of
// the array at a place of the picture.
bool draw_heat(Scene& scene, ArrayId array, ColorRole role, const CellWindow& view,
               std::uint32_t row_length, const std::function<std::uint64_t(Element)>& cell_at);
// "read 4–64 × from global"; empty if draw_heat() draws nothing.
[[nodiscard]] std::string heat_text(const Scene& scene, ArrayId array);
// Adds the count of a cell to the box beside the pointer.
void say_heat(Scene& scene, ArrayId array, std::uint64_t cell);
// The height in pixels of the heat legend in a small stage, with its margins.
[[nodiscard]] float height_of_heat_legend(const Look& look);
// Its place in a small stage; empty: there is none.
[[nodiscard]] Rect place_of_heat_legend(const Scene& scene);
// Draws the heat legend in place of the usual one. False if heat is not shown.
bool draw_heat_legend(Scene& scene, const Rect& area);

// Set Scene::hover for the element or bank under the pointer.
void hover_global(Scene& scene, ArrayId array, Element at);
void hover_shared(Scene& scene, ArrayId array, Element at);
void say_wrong(Scene& scene, Element at);  // of C
// Adds the requests of the block that access bytes [byte, byte + bytes) of an array, counted as
// Records::base. `goes`: a click goes to the next of them, cyclically.
void say_uses(Scene& scene, ArrayId array, std::uint64_t byte, std::uint32_t bytes, bool goes);
void go_to_next_use(Scene& scene);  // of the element that say_uses() was last called for
void hover_bank(Scene& scene, std::uint32_t bank);

// Call it once per frame, before drawing.
void advance_motion(StageView& view, const Workbench& workbench, const Look& look);
void zoom_and_pan(Scene& scene);

}  // namespace tilereel::stage
