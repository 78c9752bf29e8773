// The warp lane by lane: thread, address in bytes, bank or sector.
#include <string>

#include "app/panels/panel_table.h"
#include "app/panels/patterns/pattern_views.h"
#include "instrumentation/analysis/cost/matrix_loads.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kSectorBytes = 32;
constexpr std::size_t kUnit = 4;  // the column of the bank or sector

// The lanes from `first` on, `count` of them.
ScrollTable lanes_table(const PatternContext& lab, std::uint32_t first, std::uint32_t count) {
    const Palette& colors = lab.colors();
    const PatternAnswer& answer = lab.answer();
    const std::int64_t across = answer.pattern.block[0], down = answer.pattern.block[1];
    ScrollTable table(lab.look, {lab.type(14), 1.4f, 2.2f}, {});
    const bool matrices = lab.of_matrices();
    for (const char* head : {"lane", matrices ? "matrix" : "ty", matrices ? "row" : "tx", "byte",
                             matrices       ? "slot"
                             : lab.shared() ? "bank"
                                            : "sector"})
        table.add_column({.head = head, .stretch = true});
    for (std::uint32_t lane = first; lane < first + count; ++lane) {
        const auto figure = [&](std::int64_t value, ImU32 color, Face face = Face::kMono) {
            return TableCell{std::to_string(value), face, color};
        };
        if ((answer.access.lanes.mask >> lane & 1u) == 0) {
            table.add({figure(lane, colors.ink3), {}, {}, {"none", Face::kMono, colors.ink3}, {}});
            continue;
        }
        const std::int64_t thread = std::int64_t{answer.warp} * kWarpSize + lane;
        const std::uint32_t byte = answer.access.lanes.bytes[lane];
        const std::int64_t unit = matrices       ? slot_of(answer.access, lane)
                                  : lab.shared() ? answer.banks.bank[lane]
                                                 : byte / kSectorBytes;
        table.add({figure(lane, colors.ink2),
                   figure(matrices ? lane / kRowsOfMatrix : thread / across % down, colors.ink2),
                   figure(matrices ? lane % kRowsOfMatrix : thread % across, colors.ink2),
                   figure(byte, colors.ink), figure(unit, colors.ink, Face::kMonoBold)});
    }
    return table;
}

// "Warp 3, lane by lane", "ldmatrix.x4, load 3, lane by lane"
std::string title_of_lanes(const PatternContext& lab) {
    const AccessPattern& pattern = lab.answer().pattern;
    if (!lab.of_matrices()) return "Warp " + std::to_string(lab.answer().warp) + ", lane by lane";
    return matrix_instruction(pattern.operation, pattern.matrices) + ", " + lab.request() +
           ", lane by lane";
}

// The box around the bank or sector of a lane.
void draw_unit(const PatternContext& lab, std::uint32_t lane, const Rect& area) {
    const Palette& colors = lab.colors();
    const PatternAnswer& answer = lab.answer();
    if ((answer.access.lanes.mask >> lane & 1u) == 0) return;
    const bool conflict =
        lab.shared() && answer.banks.worst_group_wavefronts[answer.banks.bank[lane]] > 1;
    const ColorRole role = conflict       ? ColorRole::kConflict
                           : lab.shared() ? ColorRole::kB
                                          : ColorRole::kA;
    draw_box(area.inset(lab.look.line()), colors.tint(role), colors.solid(role), lab.look.line(),
             lab.look.px(3));
}

}  // namespace

void draw_pattern_lanes(const PatternContext& lab, const Rect& card) {
    const Rect room = draw_title(lab.look, card, title_of_lanes(lab), "", 16, 0).room;
    register_widget("patterns.lanes", room);
    // As many groups of lanes side by side as there is room for.
    const ScrollTable all = lanes_table(lab, 0, kWarpSize);
    std::uint32_t groups = 1;
    while (groups < 4 && all.width() * 2 * static_cast<float>(groups) <= room.w &&
           all.least_height() > room.h * static_cast<float>(groups))
        groups *= 2;
    const std::uint32_t count = kWarpSize / groups;
    const float width = room.w / static_cast<float>(groups);
    for (std::uint32_t group = 0; group < groups; ++group)
        lanes_table(lab, group * count, count)
            .draw({room.x + static_cast<float>(group) * width, room.y, width, room.h},
                  lab.memory.lanes,
                  {.cell = [&](std::size_t row, std::size_t column, const Rect& area) {
                      if (column == kUnit)
                          draw_unit(lab, group * count + static_cast<std::uint32_t>(row), area);
                  }});
}

}  // namespace tilereel
