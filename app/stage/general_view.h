#pragma once
// What is kept of the arrays of a kernel that is no matrix product (general.h): what the user
// chose, and what is worked out once a replay.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/array_placement.h"
#include "app/replay/array_uses.h"
#include "app/replay/contents.h"
#include "app/replay/replay.h"
#include "app/ui/draw.h"
#include "app/ui/text_edit.h"
#include "app/ui/theme.h"
#include "instrumentation/analysis/named_product.h"

namespace tilereel::stage {

class StagePlan;

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
        ArrayPlacement placement;
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

}  // namespace tilereel::stage
