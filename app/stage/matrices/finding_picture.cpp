#include "app/stage/matrices/finding_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/replay/sentence/wording.h"
#include "app/stage/matrices/finding_cards.h"
#include "app/stage/matrices/invalid_access_picture.h"
#include "app/stage/plan/finding_grid.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::stage {
namespace {

class FindingPicture {
  public:
    FindingPicture(const Look& look, const Rect& rect, const Workbench& workbench,
                   const FindingScene& scene, ColorRole role,
                   std::span<const HazardPlan::Place> affected)
        : look_(look),
          rect_(rect.inset(look.pad())),
          replay_(*workbench.replay()),
          trace_(replay_.trace()),
          finding_(workbench.recording()->findings[scene.finding]),
          pair_(*scene.pair),
          role_(role),
          affected_(affected),
          name_(element_name(trace_.arrays[finding_.array], finding_.row, finding_.column)),
          later_stores_(writes(trace_.sites[pair_.order.later.site].operation)) {}

    // Returns true if the button was clicked.
    bool draw() {
        const float title = head();
        Rect room{rect_.x, rect_.y + title, rect_.w, rect_.h - title};
        // Below the three parts, what the two orders give, and the array, if there is room for text
        // of this size.
        const float line = 1.5f * look_.font_px(15), gap = look_.margin();
        const float lower = std::min(room.h - 9 * line - look_.pad(), 8 * line);
        const bool has_lower = lower > 4 * line;
        const float upper = std::min(room.h - (has_lower ? lower + look_.pad() : 0), 13 * line);
        const float free = room.h - upper - (has_lower ? lower + look_.pad() : 0);
        room.y += std::max(0.0f, free / 2);
        room.h = upper;
        const float middle = std::min(room.w * 0.26f, room.h);
        const float side = (room.w - middle - 2 * gap) / 2;
        const Rect left{room.x, room.y, side, room.h};
        const Rect right{room.right() - side, room.y, side, room.h};
        const Rect cell{left.right() + gap, room.y, middle, room.h};
        const bool store_left = later_stores_;
        access(left, store_left ? pair_.order.later : pair_.order.earlier, store_left);
        access(right, store_left ? pair_.order.earlier : pair_.order.later, !store_left);
        draw_cell(cell);
        if (!has_lower) return clicked_;
        const Rect below{room.x, room.bottom() + look_.pad(), room.w, lower};
        if (!pair_.held.empty())
            both_orders({below.x, below.y, right.x - gap - below.x, std::min(lower, 6 * line)});
        const float x = pair_.held.empty() ? below.x : right.x;
        draw_finding_grid(look_, {x, below.y, below.right() - x, below.h},
                          trace_.arrays[finding_.array], finding_, affected_, role_);
        return clicked_;
    }

  private:
    // Returns the height.
    float head() {
        const std::string cells = "the first of " + counted(finding_.cells, "element", "elements");
        const DrawnFindingHead drawn =
            draw_finding_head(look_, rect_,
                              {.words = "Race on ",
                               .name = name_,
                               .role = role_,
                               .error = finding_.severity == Severity::kError,
                               .note = finding_.cells > 1 ? cells : "",
                               .product = trace_.product.has_value()});
        clicked_ = drawn.clicked;
        return drawn.height;
    }

    // One of the two accesses.
    void access(const Rect& card, const HazardParty& party, bool later) const {
        const Site& site = trace_.sites[party.site];
        const bool stores = writes(site.operation);
        const std::string value = stores || !later_stores_ ? pair_.stored : pair_.held;
        const std::string time = time_of(pair_, later);
        const std::string block = !pair_.other_block ? ""
                                  : later ? "block " + std::to_string(finding_.block) + ", "
                                          : "block " + std::to_string(*pair_.other_block) + ", ";
        draw_access_card(
            look_, card,
            {.widget = stores ? "stage.finding.store" : "stage.finding.read",
             .verb = stores ? "stores" : "reads",
             .who = block + "warp " + std::to_string(party.thread / kWarpSize) + ", lane " +
                    std::to_string(party.thread % kWarpSize),
             .thread = "thread " + thread_name(trace_.launch.block, party.thread),
             .time = time.empty() ? "" : (later ? "already in " : "still in ") + time,
             .line = site.line,
             .code = std::string(code_on_line(source_text(trace_, site.file), site.line)),
             .value = value.empty() ? "" : (stores ? "puts " : "needs ") + value,
             .role = role_});
    }

    // The cell: the value that comes at the left, the value that goes at the right.
    void draw_cell(const Rect& area) {
        const Palette& colors = look_.colors();
        const float px = std::min(look_.font_px(15), area.w / 10);
        const float side = std::min(area.w, area.h - 4 * px);
        const Rect cell{area.center().x - side / 2, area.y + (area.h - 3 * px - side) / 2, side,
                        side};
        register_widget("stage.finding.cell", cell);
        const Rect left{cell.x, cell.y, side / 2, side};
        const Rect right{cell.center().x, cell.y, side / 2, side};
        fill_rect(left, colors.solid(role_));
        fill_rect(right, colors.tint(role_));
        stroke_rect(cell, colors.accent, std::max(2.0f, look_.px(3)), look_.px(4));
        half(left, time_of(pair_, later_stores_), pair_.stored, "comes", colors.on);
        half(right, later_stores_ ? time_of(pair_, false) : "", pair_.held, "goes", colors.ink);
        const TextStyle style{Face::kSemiBold, px, colors.ink, Align::kCenter};
        const std::string_view words =
            pair_.other_block ? "nothing orders blocks" : "no barrier between";
        draw_text({area.center().x, cell.bottom() + 1.2f * px}, words,
                  shrunk(style, words, area.w + look_.margin()));
    }

    void half(const Rect& area, const std::string& above, const std::string& value,
              const std::string& below, ImU32 color) const {
        const float px = std::min(look_.font_px(14), area.h / 8), width = area.w - look_.gap();
        const float x = area.center().x;
        const auto write = [&](float y, const std::string& text, Face face, float size) {
            const TextStyle style{face, size, color, Align::kCenter};
            draw_text({x, y}, text, shrunk(style, text, width));
        };
        write(area.y + px, above, Face::kSemiBold, px);
        if (value.empty())
            write(area.center().y,
                  below == "goes" && pair_.first_store ? "nothing yet" : "not known",
                  Face::kRegular, px);
        else
            write(area.center().y, value, Face::kMonoBold,
                  std::min(0.36f * area.h, look_.font_px(44)));
        write(area.bottom() - px, below, Face::kRegular, px);
    }

    // What the reader gets in either order.
    void both_orders(const Rect& area) {
        const Palette& colors = look_.colors();
        const float gap = look_.pad(), width = (area.w - gap) / 2;
        const auto card = [&](float x, const std::string& title, const std::string& value,
                              const std::string& words, ImU32 edge) {
            const Rect box{x, area.y, width, area.h};
            draw_box(box, colors.raised, edge, look_.frame(), look_.card_corner());
            const float pad = look_.wide(), px = std::min(look_.font_px(15), area.h / 5);
            const auto line = [&](float share, const std::string& text, const TextStyle& style) {
                draw_text_fit({box.x + pad, box.y + share * box.h}, box.w - 2 * pad, text,
                              shrunk(style, text, box.w - 2 * pad, look_.font_px(11)));
            };
            line(0.25f, title, {Face::kSemiBold, px, colors.ink});
            line(0.53f, "the reader gets " + value, {Face::kBold, px, colors.solid(role_)});
            line(0.79f, words, {Face::kRegular, px, colors.ink2});
        };
        const std::string read = time_of(pair_, !later_stores_);
        const std::string stored = time_of(pair_, later_stores_);
        const bool same = pair_.held == pair_.stored;
        const std::string judged = same ? ": the same, by chance" : ": wrong";
        // A later store overwrites what the reader needs; a later read needs what is stored.
        const bool tells = later_stores_ && !read.empty();
        card(area.x, "If the read comes first", pair_.held,
             tells ? "the value of " + read + ": right" : "the value before the store",
             later_stores_ ? colors.line : colors.accent);
        card(area.x + width + gap, "If the store comes first", pair_.stored,
             tells ? "the value of " + stored + judged : "the value that is stored",
             later_stores_ ? colors.accent : colors.line);
    }

    const Look& look_;
    Rect rect_;
    const Replay& replay_;
    const Trace& trace_;
    const Finding& finding_;
    const HazardPair& pair_;
    ColorRole role_;
    std::span<const HazardPlan::Place> affected_;
    std::string name_;
    bool later_stores_;
    bool clicked_ = false;
};

}  // namespace

bool shows_finding(const Workbench& workbench) {
    const FindingScene* const scene = workbench.finding_scene();
    const ViewState& shown = workbench.view();
    return scene != nullptr && (scene->pair || scene->access) &&
           shown.mode == WindowMode::kReplay && !shown.phase_table &&
           !workbench.finding_is_closed();
}

bool draw_finding_picture(const Look& look, const Rect& rect, const Workbench& workbench,
                          const StageView& view) {
    register_widget("stage.finding", rect);
    const Clip clip(rect);
    const FindingScene& scene = *workbench.finding_scene();
    if (scene.access) return draw_invalid_access(look, rect, workbench, scene, view);
    const ColorRole role = view.plan.role(workbench.recording()->findings[scene.finding].array);
    return FindingPicture(look, rect, workbench, scene,
                          role == ColorRole::kNone ? ColorRole::kAccent : role,
                          view.hazards.places())
        .draw();
}

}  // namespace tilereel::stage
