#pragma once
// The stage of any kernel that is no matrix product: each global array as a grid of cells, shared
// memory by bank or as declared, warps and the request.
//
// Names under which its parts are registered (register_widget), besides those of stage.h:
//   stage.global.<array>: its cells, as far as they are in the window
//   stage.global.<array>.map: all of it, very small, where it does not fit into the window
//   stage.global.<array>.part: shows all of it without values, or the window with its values
//   stage.global.<array>.rows (the chooser of the row length) .fewer .more (a cell less or more)
//   stage.global.<array>.field: where the row length is typed
//   stage.name_product: opens the card stage.product with .a .b .c .sizes .show .close, and .forget
//   where the product was named
//   stage.global.<array>.edge (dragged: changes the row length)
//   stage.as_arrays: a program's matrix product as arrays like any others, and back
//   stage.global.<array>.follow: the window follows the accesses again
//   stage.global.<array>.raise: the strip of an array that has no room; a click shows its values
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/array_shape.h"
#include "app/replay/array_turns.h"
#include "app/replay/array_uses.h"
#include "app/replay/contents.h"
#include "app/replay/replay.h"
#include "app/ui/draw.h"
#include "app/ui/text_edit.h"
#include "app/ui/theme.h"
#include "instrumentation/analysis/named_product.h"

namespace tilereel::stage {

struct Measure;
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
    bool structured = false;                    // the accesses tell that length
    std::vector<std::uint32_t> offered_rows{};  // row lengths to choose from
    int characters = 1;                         // of the longest value that the block uses
    bool one_extent = true;                     // its row length can be chosen
};

// Worked out once a replay.
class GeneralPlan {
  public:
    // True where `replay` is another one than before.
    bool refresh(const Replay& replay, const StagePlan& plan);
    [[nodiscard]] const std::vector<GlobalArray>& arrays() const { return arrays_; }
    [[nodiscard]] std::size_t left_out() const { return left_out_; }  // beyond the first eight
    [[nodiscard]] const ArrayContents& contents() const { return *contents_; }
    [[nodiscard]] ArrayUses& uses() const { return *uses_; }
    [[nodiscard]] std::uint64_t replay() const { return replay_; }  // Replay::id()

  private:
    std::uint64_t replay_ = 0;  // Replay::id(); 0: none yet
    std::vector<GlobalArray> arrays_;
    std::size_t left_out_ = 0;
    std::unique_ptr<ArrayContents> contents_;
    std::unique_ptr<ArrayUses> uses_;
};

// Where arrays stand, the same at every step: as many as have room for values stand large, the
// others as strips.
struct ArrayPlaces {
    std::vector<Rect> large, strips;  // together as many as there are arrays
};

// What the user chose, by the array's name: kept when the program runs again.
struct GeneralView {
    GeneralPlan plan;
    bool of_product = false;  // a matrix product of a program is shown as arrays, too
    std::map<std::string, std::uint32_t> rows;  // cells a row
    std::map<std::string, bool> whole;          // all of it without values rather than the window
    // The first cell in the window onto an array.
    struct Eye {
        float row = 0, column = 0;
        bool placed = false;  // it has been shown: it moves from there
        bool held = false;    // the user moved it: it does not follow the accesses
    };
    std::map<std::string, Eye> eyes;
    std::vector<std::string> raised;  // arrays that stand large at every step
    // Worked out for:
    struct Arranged {
        std::uint64_t replay = 0;  // Replay::id()
        Rect area;
        float scale = 0, text = 0;
        bool small = false;
        std::map<std::string, std::uint32_t> rows;
        std::map<std::string, bool> whole;
        std::vector<std::string> raised;
        ArrayPlaces places;
        ArrayTurns turns;
    };
    Arranged arranged;
    // While the right edge of a picture is dragged.
    struct RowDrag {
        std::string array;
        float from_x = 0, pitch = 1;  // pixels
        std::uint32_t row_length = 1;
    };
    std::optional<RowDrag> drag;
    // While a row length is typed.
    struct RowEdit {
        std::string array;
        TextEdit edit;
        std::string refused;  // what is wrong with the last one; or empty
    };
    std::optional<RowEdit> row_edit;
    // The card in which the user says which arrays are A, B and C.
    struct ProductCard {
        std::uint64_t replay = 0;             // Replay::id() that it was opened for
        std::vector<std::string> arrays;      // global ones, by name
        int a = 0, b = 0, c = 0;              // indices into them
        int sizes[3] = {1, 1, 1};             // M, N, K
        std::optional<NamedProduct> named{};  // the one that is shown
    };
    std::optional<ProductCard> product_card;
};

// What the windows follow.
struct Followed {
    std::uint32_t step = 0, phase = 0, lane = 0;
    bool jumped = true;  // the windows do not glide there
};

// A window onto an array's picture (array_shape.h).
struct GlobalView {
    explicit GlobalView(const ArrayShape& of) : shape(of) {}
    ArrayId array = kNoArray;
    Role role = Role::kNone;
    ArrayShape shape;
    Rect box;                          // all of it, with its words
    Rect window;                       // the cells alone
    Rect map;                          // of the whole picture; empty: the window shows all of it
    float title = 0;                   // height of the words above the cells, pixels
    float pitch_x = 1, pitch_y = 1;    // pixels
    float values_x = 1, values_y = 1;  // of cells whose values can be read
    float wanted = 1;                  // columns that should be in sight
    float row0 = 0, column0 = 0;       // first cell shown, fractional while the window moves
    bool can_change = false;           // the picture without values and the window are different
    bool two_lines = false;            // the choosers stand below the name
    bool strip = false;                // without a window: only the map, beside the name
    [[nodiscard]] bool whole() const;  // all cells are in the window
    [[nodiscard]] bool holds_values() const;
    // The cells that are at least partly in the window.
    [[nodiscard]] PictureBox visible() const;
    [[nodiscard]] bool shows(std::uint64_t cell) const;
    [[nodiscard]] Rect rect_of(std::uint64_t cell) const;  // may reach outside the window
    [[nodiscard]] Rect on_map(const PictureBox& box) const;
    // The cell at a point; false where there is none.
    [[nodiscard]] bool at(ImVec2 point, std::uint64_t& cell) const;
};

struct GeneralLayout {
    Rect head, warps, globals, legend;
    std::vector<GlobalView> views;
};

// The windows onto all arrays in `area`. Their eyes move towards what `followed` accesses.
[[nodiscard]] std::vector<GlobalView> place_globals(const Measure& m, const Trace& trace,
                                                    GeneralView& view, const Followed& followed,
                                                    const Rect& area);
// What a window of this size onto an array shows.
[[nodiscard]] GlobalView place_one(const Measure& m, const Trace& trace, const GlobalArray& here,
                                   const GeneralView& chosen, const Rect& box);
// Moves an array's eye towards what is accessed, and shows the cells from there on.
void place_eye(const Measure& m, GeneralView& chosen, const std::string& name,
               const Followed& followed, GlobalView& view);
// The heights of rows of arrays: each gets what it can use, the rest is shared out.
[[nodiscard]] std::vector<float> heights_of(const Measure& m, const Trace& trace,
                                            const GeneralView& chosen, std::uint32_t across,
                                            float width, float height);
// The least type of a value in a cell that can be read at this size of text, pixels.
[[nodiscard]] float least_value_type(const Look& look);
// Width of the button with a label, pixels.
[[nodiscard]] float chooser_width(const Look& look, const std::string& label);
// A row length as it was typed: a whole number from 1 to `most`; nullopt: it is none.
[[nodiscard]] std::optional<std::uint32_t> row_length_typed(const std::string& text,
                                                            std::uint64_t most);
[[nodiscard]] std::string words_of_rows(std::uint32_t row_length);  // "32 a row"
[[nodiscard]] std::string words_of_array(const Array& array);       // "float, 64 x 64"
// Sizes of type of an array's name, units.
inline constexpr float kNameType = 18, kLeastNameType = 13;

// Fills in where shared memory, banks and the request lie (as layout_stage() does) and returns the
// rest.
[[nodiscard]] GeneralLayout layout_general(const Look& look, const Rect& rect, const Trace& trace,
                                           const StagePlan& plan, GeneralView& view,
                                           const Followed& followed, Zoom& zoom,
                                           std::uint32_t banks, StageLayout& out);
void draw_general(Scene& scene, const GeneralLayout& layout);

// The parts.
void draw_general_head(Scene& scene, const Rect& rect);
void draw_global_arrays(Scene& scene, const GeneralLayout& layout);
void draw_choosers(Scene& scene, const GlobalView& view, const GlobalArray& array);
void draw_map(Scene& scene, const GlobalView& view);
void draw_strip(Scene& scene, const GlobalView& view);
void drag_row_length(Scene& scene, const GlobalView& view);  // by the picture's right edge
void drag_window(Scene& scene, const GlobalView& view);      // on the map, in the window, by wheel
// The button that opens the card, and the card while it is open: what it asks for is in
// Scene::commands. `stage`: the whole stage.
void draw_product_card(Scene& scene, const Rect& stage);
void draw_general_flights(Scene& scene, const GeneralLayout& layout);
void draw_general_legend(Scene& scene, const Rect& rect);
// Calls visit(lane, cell) for each cell of an array that the request in flight accesses.
void for_each_accessed(const Scene& scene, ArrayId array,
                       const std::function<void(std::uint32_t, std::uint64_t)>& visit);

}  // namespace tilereel::stage
