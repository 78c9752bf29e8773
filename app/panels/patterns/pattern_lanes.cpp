// The warp lane by lane: thread, address in bytes, bank or sector.
#include <algorithm>
#include <array>
#include <string>

#include "app/panels/patterns/pattern_views.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kSectorBytes = 32;
// The right edge of each column, in characters from the left edge of a group of rows.
constexpr std::array<float, 5> kRightEdges = {4, 8, 11, 20, 27};
constexpr float kGroupCharacters = 28;

struct LanePlan {
    std::uint32_t groups = 1, rows = 32;
    float px = 0, row = 0, advance = 0, width = 0;
};

// Arranges the rows in one, two or four groups side by side, whichever allows the largest font.
LanePlan plan_lanes(const PatternContext& lab, const Rect& room) {
    LanePlan best;
    const float unit = text_width("0", Face::kMono, 100) / 100;
    for (const std::uint32_t groups : {1u, 2u, 4u}) {
        LanePlan plan;
        plan.groups = groups;
        plan.rows = kWarpSize / groups;
        plan.width = room.w / static_cast<float>(groups);
        plan.row = std::min(room.h / static_cast<float>(plan.rows + 1), 2.2f * lab.type(14));
        plan.px =
            std::min({lab.type(14), 0.72f * plan.row, plan.width / (kGroupCharacters * unit)});
        plan.advance = plan.px * unit;
        if (plan.px >= best.px) best = plan;
    }
    return best;
}

bool has_conflict(const PatternAnswer& answer, std::uint32_t lane) {
    return answer.banks.worst_group_wavefronts[answer.banks.bank[lane]] > 1;
}

}  // namespace

void draw_pattern_lanes(const PatternContext& lab, const Rect& card) {
    const Palette& colors = lab.colors();
    const PatternAnswer& answer = lab.answer();
    const float pad = lab.look.px(20), title = lab.type(16);
    draw_text_fit({card.x + pad, card.y + pad / 2 + title}, card.w - 2 * pad,
                  "Warp " + std::to_string(answer.warp) + ", lane by lane",
                  {Face::kSemiBold, title, colors.ink});
    const float top = card.y + pad / 2 + 2 * title;
    const Rect room{card.x + pad, top, card.w - 2 * pad, card.bottom() - top - pad / 2};
    register_widget("patterns.lanes", room);
    const LanePlan plan = plan_lanes(lab, room);
    const std::array<const char*, 5> heads = {"lane", "ty", "tx", "byte",
                                              lab.shared() ? "bank" : "sector"};
    for (std::uint32_t group = 0; group < plan.groups; ++group) {
        const float left = room.x + static_cast<float>(group) * plan.width;
        const auto put = [&](std::size_t column, float y, const std::string& text, Face face,
                             ImU32 color) {
            draw_text({left + kRightEdges[column] * plan.advance, y}, text,
                      {face, plan.px, color, Align::kRight});
        };
        for (std::size_t column = 0; column < heads.size(); ++column)
            put(column, room.y + plan.row / 2, heads[column], Face::kMono, colors.ink3);
        for (std::uint32_t i = 0; i < plan.rows; ++i) {
            const std::uint32_t lane = group * plan.rows + i;
            const std::int64_t thread = std::int64_t{answer.warp} * kWarpSize + lane;
            const auto& block = answer.pattern.block;
            const float y = room.y + plan.row * (static_cast<float>(i) + 1.5f);
            const bool active = (answer.access.lanes.mask >> lane & 1u) != 0;
            put(0, y, std::to_string(lane), Face::kMono, active ? colors.ink2 : colors.ink3);
            if (!active) {
                put(3, y, "none", Face::kMono, colors.ink3);
                continue;
            }
            put(1, y, std::to_string(thread / block[0] % block[1]), Face::kMono, colors.ink2);
            put(2, y, std::to_string(thread % block[0]), Face::kMono, colors.ink2);
            const std::uint32_t byte = answer.access.lanes.bytes[lane];
            put(3, y, std::to_string(byte), Face::kMono, colors.ink);
            const std::uint32_t unit = lab.shared() ? answer.banks.bank[lane] : byte / kSectorBytes;
            const bool conflict = lab.shared() && has_conflict(answer, lane);
            const float right = left + kRightEdges[4] * plan.advance;
            const Rect box{right - 5.5f * plan.advance, y - 0.44f * plan.row, 6 * plan.advance,
                           0.88f * plan.row};
            const ImU32 tint = conflict       ? colors.conflict_tint
                               : lab.shared() ? colors.b_tint
                                              : colors.a_tint;
            const ImU32 edge = conflict ? colors.conflict : lab.shared() ? colors.b : colors.a;
            draw_box(box, tint, edge, std::max(1.0f, lab.look.line()), lab.look.px(3));
            put(4, y, std::to_string(unit), Face::kMonoBold, colors.ink);
        }
    }
}

}  // namespace tilereel
