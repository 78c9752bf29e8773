#pragma once
// The state of the arrays of a kernel that is not a matrix product (general.h): the user's choices,
// and values computed once for each replay.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/arrays/array_placement.h"
#include "app/replay/arrays/array_uses.h"
#include "app/replay/arrays/contents.h"
#include "app/replay/replay.h"
#include "app/ui/draw/draw.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/text_edit.h"
#include "instrumentation/analysis/products/named_product.h"

namespace tilereel::stage {

class StagePlan;

inline constexpr std::size_t kMostGlobalArrays = 8;

struct GlobalArray {
    ArrayId id = kNoArray;
    ColorRole role = ColorRole::kNone;
    std::uint64_t cells = 0;
    std::uint32_t guessed_row = 32;             // cells in a row, unless the user chose a length
    bool structured = false;                    // the accesses determine that length
    std::vector<std::uint32_t> offered_rows{};  // row lengths that the user can choose
    int characters = 1;                         // length of the longest value that the block uses
    bool one_extent = true;                     // the user can choose the row length
    [[nodiscard]] bool chooses_rows() const { return one_extent && offered_rows.size() > 1; }
};

// Computed once for each replay: the arrays that are shown, their contents and uses.
class GeneralPlan {
  public:
    // Returns true if `replay` is another one than before.
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

// The places of arrays, the same at every step. As many arrays as have room for values are large,
// the others are strips.
struct ArrayPlaces {
    std::vector<Rect> large, strips;  // together one for each array
};

// What the user chose for arrays, by the array's name.
struct ArrayChoices {
    std::map<std::string, std::uint32_t> rows;  // row lengths in cells
    std::map<std::string, bool> whole;  // show the whole array without values instead of the window
    std::vector<std::string> raised;    // arrays that are large at every step
    [[nodiscard]] bool shows_whole(const std::string& array) const {
        const auto asked = whole.find(array);
        return asked != whole.end() && asked->second;
    }
    bool operator==(const ArrayChoices&) const = default;
};

// The user's choices. They are kept when the program runs again.
struct GeneralView : ArrayChoices {
    GeneralPlan plan;
    // The first cell in the window onto an array.
    struct WindowOrigin {
        float row = 0, column = 0;
        bool placed = false;  // it has been shown before, so the window glides from there
        bool held = false;    // the user moved it, so it does not follow the accesses
    };
    std::map<std::string, WindowOrigin> origins;
    // The inputs and results of the last arrangement.
    struct ArrangedFor {
        std::uint64_t replay = 0;  // Replay::id()
        Rect area;
        float scale = 0, text = 0;
        bool small = false;
        ArrayChoices choices;
        bool operator==(const ArrangedFor&) const = default;
    };
    struct Arranged {
        ArrangedFor inputs;
        ArrayPlaces places;
        ArrayPlacement placement;
    };
    Arranged arranged;
    // Set while the right edge of a picture is dragged.
    struct RowDrag {
        std::string array;
        float from_x = 0, pitch = 1;  // pixels
        std::uint32_t row_length = 1;
    };
    std::optional<RowDrag> drag;
    // Set while a row length is typed.
    struct RowEdit {
        std::string array;
        TextEdit edit;
        std::string refused;  // what is wrong with the last input; may be empty
    };
    std::optional<RowEdit> row_edit;
    // The card in which the user chooses the arrays A, B and C.
    struct ProductCard {
        std::uint64_t replay = 0;             // Replay::id() for which it was opened
        std::vector<std::string> arrays;      // names of the global arrays
        int a = 0, b = 0, c = 0;              // indices into `arrays`
        int sizes[3] = {1, 1, 1};             // M, N, K
        std::optional<NamedProduct> named{};  // the product that is shown
        bool taken = false;                   // Enter was pressed: show the product
    };
    std::optional<ProductCard> product_card;
};

}  // namespace tilereel::stage
