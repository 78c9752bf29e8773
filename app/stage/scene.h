#pragma once
// What every part of the stage draws from, and the parts.
#include <cmath>
#include <string>
#include <vector>

#include "app/stage/layout.h"
#include "app/stage/stage.h"
#include "app/stage/values.h"
#include "app/ui/cells.h"
#include "app/ui/draw.h"

namespace tilereel::stage {

// How long flights still move after a pause or a step.
inline constexpr double kRunOutSeconds = 0.3;

// A lane of the request in flight as its shared cell or bank shows it.
enum class Turn : std::uint8_t { kServed, kNow, kWaiting };

struct Hover {
    bool any = false;
    std::string title;  // "A[4][8] = 4"
    Role role = Role::kNone;
    std::vector<std::string> lines;
    Rect over{};  // what is pointed at: the box does not cover it; empty: the pointer itself
};

// Words that what flies must not cover.
struct SaidWords {
    ImVec2 at{};
    float width = 0;  // cut to it; 0: whole
    std::string text;
    TextStyle style;
};

// Things that fly together without their values, and what they are called.
struct FlyingGroup {
    ArrayId from = kNoArray, to = kNoArray;
    std::uint32_t plane = 0;  // of `to`
    std::vector<Rect> parts;
};

// What is counted at the top: "Phase 2 of 4"; of a block of one thread the element of C, or the
// strip of several, that it works on.
struct Progress {
    const char *name = "Phase", *one = "phase", *many = "phases";
    std::uint32_t now = 0, done = 0, of = 1;  // now: from 1
};

struct Scene {
    const Look& look;
    ImDrawList* list = nullptr;
    const Workbench& workbench;
    // The number of banks of the generation that the counts follow; at most kBankColumns.
    [[nodiscard]] std::uint32_t banks() const {
        return static_cast<std::uint32_t>(replay.generation().shared.banks);
    }
    const Replay& replay;
    const Trace& trace;
    const ReplayState& state;
    StageView& view;
    const StagePlan& plan;
    const StageLayout& layout;
    bool mouse_here = false;  // the pointer is over the stage and nothing covers it
    ImVec2 mouse{};
    bool clicked = false;  // let go without a drag
    Commands commands{};
    Hover hover{};
    std::vector<SaidWords> words{};  // drawn after the flights
    std::vector<Rect> flying{};      // what may cover them
    std::vector<FlyingGroup> groups{};
    bool shows_off_lanes = false;  // what the legend needs to explain
    bool shows_padding = false;
    bool shows_hazards = false, shows_wrong = false;
    // The element of C whose product is lit, as LaneWork::order.
    std::uint32_t lit_sum = kNoIndex;

    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] float u(float units) const { return std::round(look.px(units)); }
    [[nodiscard]] float f(float units) const { return look.font_px(units); }
    // Buttons on the picture; not before a class.
    [[nodiscard]] bool has_controls() const;
    // The site of the request in flight, or of the last one.
    [[nodiscard]] const Site* site() const;
    [[nodiscard]] Role role_of_request() const;
    [[nodiscard]] bool shared_request() const;
    [[nodiscard]] bool conflicted() const;
    [[nodiscard]] Progress progress() const;
    [[nodiscard]] Turn turn_of(std::uint32_t lane) const;
    [[nodiscard]] Turn turn_of_wavefront(std::uint32_t wavefront) const;
    [[nodiscard]] TextStyle text(Face face, float units, ImU32 color,
                                 Align align = Align::kLeft) const {
        return {face, f(units), color, align};
    }
};

// How far a flight is: 0 before it leaves .. 1 landed in the picture. While the replay moves it
// follows from Workbench::position() and moved_from() alone: at any speed, a flight has landed when
// the first read of its cell begins. Standing still, what the model has landed lands within 300 ms.
[[nodiscard]] double flight_progress(const Scene& scene, std::uint32_t flight);
[[nodiscard]] bool upward(const Scene& scene, const Flight& flight);
// The view that shows a row of a shared array; nullptr if there is none.
[[nodiscard]] const SharedView* view_of_row(const Scene& scene, ArrayId array, std::uint32_t row);
[[nodiscard]] const MatrixView* matrix_of_array(const Scene& scene, ArrayId array);
// As draw_text_fit, but first with smaller letters, down to 11 units.
void draw_text_shrunk(Scene& scene, ImVec2 at, float width, const std::string& text,
                      TextStyle style);
// As draw_text and draw_text_shrunk, but above what flies.
float say(Scene& scene, ImVec2 at, const std::string& text, const TextStyle& style);
void say_shrunk(Scene& scene, ImVec2 at, float width, const std::string& text, TextStyle style);
void draw_words(Scene& scene);
[[nodiscard]] Rect plate_of(const SaidWords& words);  // what they cover
[[nodiscard]] std::string plural(std::uint64_t count, const char* one, const char* many);

void draw_matrices(Scene& scene);
// The button in C's title that shows all of A, B and C, or the watched part; empty: none is needed.
[[nodiscard]] Rect whole_chip_rect(const Scene& scene);
[[nodiscard]] const char* words_of_whole_chip(const Scene& scene);
void draw_corner(Scene& scene);
void draw_block_map(Scene& scene, const Rect& rect);
void draw_matrix_map(Scene& scene, const Rect& rect);  // in its place where not all cells are shown
void hover_block(Scene& scene, std::uint32_t x, std::uint32_t y);  // a click watches it
void draw_lanes(Scene& scene, const Rect& area);   // which of the 32 take part; a click chooses one
float draw_warps(Scene& scene, const Rect& rect);  // returns the lower edge of what it drew
void draw_shared(Scene& scene);
void draw_banks(Scene& scene);
void draw_bank_columns(Scene& scene);  // under tiles shown by bank
void draw_memory_request(Scene& scene);
void draw_flights(Scene& scene);
void draw_flight_names(Scene& scene);  // after all words and buttons, on which none of them lies
void draw_hazard_marks(Scene& scene);  // on shared memory
void draw_wrong_marks(Scene& scene);   // on C
void draw_registers(Scene& scene);
void draw_fragments(Scene& scene);
void draw_warp_parts(Scene& scene);  // on A, B and C
void draw_legend(Scene& scene);
void draw_hover(Scene& scene);

// What the pointer is over, in words.
void hover_global(Scene& scene, ArrayId array, std::uint32_t row, std::uint32_t column);
void hover_shared(Scene& scene, ArrayId array, std::uint32_t row, std::uint32_t column);
void say_wrong(Scene& scene, std::uint32_t row, std::uint32_t column);  // of C
// Which requests of the block access bytes [byte, byte + bytes) of an array, counted as
// Records::base. `goes`: a click goes to the next of them, around.
void say_uses(Scene& scene, ArrayId array, std::uint64_t byte, std::uint32_t bytes, bool goes);
void go_to_next_use(Scene& scene);  // of the element that say_uses() was last called for
void hover_bank(Scene& scene, std::uint32_t bank);

// Call once a frame, before anything is drawn.
void advance_motion(StageView& view, const Workbench& workbench, const Look& look);
void zoom_and_pan(Scene& scene);

}  // namespace tilereel::stage
