#pragma once
// The parts of the Pattern lab.
//
// Names under which their controls are registered (register_widget):
//   patterns.expression patterns.wrong (the mark below what is wrong) patterns.block.<8 × 8 ...>
//   patterns.element.<1 B ...> patterns.access.<load, store, ldmatrix, stmatrix>
//   patterns.matrices.<x1, x2, x4> patterns.memory.<shared, global>
//   patterns.gpu patterns.warp patterns.row patterns.unit (menus) patterns.pad patterns.swizzle
//   (sliders) patterns.least_pad patterns.least_swizzle patterns.preset.<n> patterns.views.<Banks,
//   Lanes, ...> patterns.picture patterns.banks (their names) patterns.gliding.<lane>
//   patterns.lines patterns.lanes patterns.neighbours
#include <optional>
#include <string>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/wrap_row.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {

struct PatternContext {
    const Look& look;
    const PatternLab& lab;
    PatternsMemory& memory;
    Commands& commands;
    bool motion = true;    // ViewState::motion
    bool compact = false;  // little room: each choice is a menu instead of a row of buttons
    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] float type(float units) const { return type_px(look, units); }
    [[nodiscard]] const PatternAnswer& answer() const { return lab.answer(); }
    [[nodiscard]] bool shared() const { return lab.answer().pattern.space == Space::kShared; }
    [[nodiscard]] bool of_matrices() const { return lab.answer().pattern.of_matrices(); }
    // Whether the requests are matrix loads of a tile, and not of warps.
    [[nodiscard]] bool loads_tile() const {
        return of_matrices() && lab.answer().pattern.index.layout() != nullptr;
    }
    // "warp 3", or "load 3" of a tile
    [[nodiscard]] std::string request() const {
        return (loads_tile() ? "load " : "warp ") + std::to_string(lab.answer().warp);
    }
    void ask(PatternQuestion question) const {
        commands.push_back(AskPattern{std::move(question)});
    }
};

class PatternRow;
// The controls of the question. `with_rows`: also the controls of the array's layout. Returns the
// height in pixels.
float draw_pattern_controls(const PatternContext& lab, const Rect& room, bool with_rows);
// Adds the controls of the array's layout: row length, padding, swizzle.
void add_pattern_layout(const PatternContext& lab, PatternRow& row);
// Figures above a picture of banks and wavefronts, or of lines of global memory.
void draw_pattern_picture(const PatternContext& lab, const Rect& card);
void draw_pattern_lanes(const PatternContext& lab, const Rect& card);
void draw_pattern_neighbours(const PatternContext& lab, const Rect& card);

// Controls with captions, in rows that wrap.
class PatternRow {
  public:
    PatternRow(const PatternContext& lab, const Rect& room)
        : lab_(lab),
          width_(room.w),
          caption_(1.3f * lab.type(13)),
          control_(std::max(lab.look.px(36), 2 * lab.look.font_px(15))),
          row_(room, caption_ + control_, lab.look.gap(), lab.look.pad()) {}
    // Returns the place of the next control and draws its caption above.
    Rect next(const char* caption, float width);
    // A menu of `choices`. Returns the index that was chosen in this frame.
    std::optional<std::size_t> menu(const char* caption, const char* name,
                                    const std::vector<std::string>& choices, std::size_t current,
                                    const char* tip);
    // A slider from 0 to `most` with `figure` at its left. Returns true when the value was changed.
    bool slider(const char* caption, const char* name, const std::string& figure, int& value,
                int most, const char* tip);
    [[nodiscard]] float bottom() const { return row_.bottom(); }

  private:
    const PatternContext& lab_;
    float width_, caption_, control_;
    WrapRow row_;
};

}  // namespace tilereel
