#include "app/stage/matrices/invalid_access_picture.h"

#include <algorithm>
#include <string>

#include "app/replay/sentence/wording.h"
#include "app/stage/matrices/finding_cards.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::stage {
namespace {

std::string_view words_of(InvalidAccess::Kind kind) {
    switch (kind) {
        case InvalidAccess::Kind::kMisaligned:
            return "Misaligned: ";
        case InvalidAccess::Kind::kNeverWritten:
            return "Never written: ";
        case InvalidAccess::Kind::kOutOfBounds:
            break;
    }
    return "Out of bounds: ";
}

class InvalidAccessPicture {
  public:
    InvalidAccessPicture(const Look& look, const Rect& rect, const Trace& trace,
                         const InvalidAccess& access, ColorRole role)
        : look_(look), rect_(rect.inset(look.pad())), trace_(trace), access_(access), role_(role) {}

    bool draw() {
        const auto first = std::ranges::find(access_.cells, true, &InvalidAccess::Cell::accessed);
        const bool is_named = access_.kind != InvalidAccess::Kind::kMisaligned;
        const DrawnFindingHead head =
            draw_finding_head(look_, rect_,
                              {.words = words_of(access_.kind),
                               .name = is_named ? first->name : trace_.arrays[access_.array].name,
                               .role = role_,
                               .error = access_.error,
                               .note = access_.others,
                               .product = trace_.product.has_value()});
        Rect room{rect_.x, rect_.y + head.height, rect_.w, rect_.h - head.height};
        const float line = 1.5f * look_.font_px(15), most = std::min(room.h, 13 * line);
        room = {room.x, room.y + (room.h - most) / 2, room.w, most};
        const Rect who{room.x, room.y, 0.36f * room.w, room.h};
        draw_who(who);
        const float x = who.right() + look_.margin();
        draw_elements({x, room.y, room.right() - x, room.h});
        return head.clicked;
    }

  private:
    void draw_who(const Rect& card) const {
        const std::string width = counted(access_.width_bytes, "byte", "bytes");
        draw_access_card(
            look_, card,
            {.widget = "stage.finding.access",
             .verb = access_.operation == Operation::kAtomic ? "changes"
                     : writes(access_.operation)             ? "stores"
                                                             : "reads",
             .who = "block " + std::to_string(access_.block) + ", warp " +
                    std::to_string(access_.thread / kWarpSize) + ", lane " +
                    std::to_string(access_.thread % kWarpSize),
             .thread = "thread " + thread_name(trace_.launch.block, access_.thread),
             .line = access_.line,
             .code = std::string(code_on_line(source_text(trace_, access_.file), access_.line)),
             .value = width,
             .role = role_});
    }

    // The elements side by side, and what they are.
    void draw_elements(const Rect& area) const {
        const Palette& colors = look_.colors();
        const float px = std::min(look_.font_px(15), area.h / 9);
        const auto count = static_cast<float>(access_.cells.size());
        const float gap_width = access_.left_out > 0 ? 0.8f : 0;  // of a cell
        const float pitch = std::min(area.w / (count + gap_width), area.h - 6 * px);
        const float w = pitch * (count + gap_width);
        const Rect row{area.x + (area.w - w) / 2, area.center().y - pitch / 2, w, pitch};
        register_widget("stage.finding.elements", row);
        Rect accessed;
        for (std::size_t i = 0; i < access_.cells.size(); ++i) {
            const bool behind = access_.left_out > 0 && i >= access_.gap_before;
            const float x = row.x + pitch * (static_cast<float>(i) + (behind ? gap_width : 0));
            if (behind && i == access_.gap_before)
                draw_gap({x - 0.6f * gap_width * pitch, row.center().y});
            const Rect cell = Rect{x, row.y, pitch, pitch}.inset(std::max(1.0f, 0.03f * pitch));
            draw_element(cell, access_.cells[i], px);
            const auto at = static_cast<double>(i);
            const double from = std::max(access_.from, at), to = std::min(access_.to, at + 1);
            if (from >= to) continue;
            const Rect part{x + static_cast<float>(from - at) * pitch, row.y,
                            static_cast<float>(to - from) * pitch, pitch};
            accessed = accessed.w > 0 ? accessed.joined(part) : part;
        }
        stroke_rect(accessed, colors.conflict, std::max(2.0f, look_.px(3)), look_.px(4));
        const TextStyle note{Face::kSemiBold, px, colors.conflict, Align::kCenter};
        const std::string what = access_.kind == InvalidAccess::Kind::kMisaligned ? "the access"
                                 : writes(access_.operation)                      ? "stored here"
                                                                                  : "read here";
        const float half = text_width(what, note.face, note.px) / 2;
        draw_text({std::clamp(accessed.center().x, area.x + half, area.right() - half),
                   row.bottom() + px},
                  what, note);
        const TextStyle caption{Face::kRegular, px, colors.ink, Align::kCenter};
        draw_text({area.center().x, row.bottom() + 2.6f * px}, access_.caption,
                  shrunk(caption, access_.caption, area.w));
    }

    void draw_element(const Rect& cell, const InvalidAccess::Cell& is, float px) const {
        const Palette& colors = look_.colors();
        const bool holds = is.exists && is.written;
        if (holds)
            fill_rect(cell, colors.tint(role_), look_.px(4));
        else
            dashed_rect(cell, colors.ink3, look_.frame(), look_.px(4));
        const TextStyle name{Face::kMono, 0.85f * px, colors.ink2, Align::kCenter};
        draw_text({cell.center().x, cell.y - 0.8f * px}, is.name,
                  shrunk(name, is.name, 0.94f * cell.w));
        const std::string words = !is.exists ? "not there" : !is.written ? "?" : is.value;
        const TextStyle value{is.exists ? Face::kMonoBold : Face::kRegular,
                              is.exists ? std::min(0.36f * cell.h, look_.font_px(32)) : px,
                              is.exists ? colors.ink : colors.ink2, Align::kCenter};
        draw_text(cell.center(), words, shrunk(value, words, 0.9f * cell.w));
    }

    // Where elements are left out, and how many.
    void draw_gap(ImVec2 at) const {
        const TextStyle dots{Face::kBold, look_.font_px(18), look_.colors().ink2};
        const float wide = draw_text(at, "\xe2\x80\xa6", dots);
        const std::string left_out = with_commas(access_.left_out);
        const TextStyle number{Face::kRegular, look_.font_px(13), look_.colors().ink2,
                               Align::kCenter};
        draw_text({at.x + wide / 2, at.y + look_.font_px(18)}, left_out, number);
    }

    const Look& look_;
    Rect rect_;
    const Trace& trace_;
    const InvalidAccess& access_;
    ColorRole role_;
};

}  // namespace

bool draw_invalid_access(const Look& look, const Rect& rect, const Workbench& workbench,
                         const FindingScene& scene, const StageView& view) {
    const ColorRole role = view.plan.role(scene.access->array);
    return InvalidAccessPicture(look, rect, workbench.replay()->trace(), *scene.access,
                                role == ColorRole::kNone ? ColorRole::kAccent : role)
        .draw();
}

}  // namespace tilereel::stage
