// The current request lane by lane, and the counters of the whole kernel.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/panels/inspector/compiled_section.h"
#include "app/panels/inspector/hazards_section.h"
#include "app/panels/inspector/kernel_counts.h"
#include "app/panels/inspector/lane_table.h"
#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/tab_row.h"
#include "app/replay/facts.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

// Distances from the panel's top, in units at the default text size.
struct Density {
    float request, verb, figures, captions, rule, table_head, lane_row, counts_gap, counts_head,
        counts_row;
    float verb_px, figure_px, lane_px, small_px;
    bool two_line_head;
};
constexpr Density kRoomy = {26, 58, 102, 128, 149, 28, 20, 30, 44, 25, 22, 28, 13, 14, true};
constexpr Density kDense = {17, 47, 79, 100, 116, 24, 14, 10, 26, 20, 18, 22, 12, 14, false};
constexpr std::size_t kMostCounts = 6, kLeastCounts = 3;
constexpr float kLanes = 16;      // rows of the lane table
constexpr float kLeastLanes = 5;  // fewer visible rows are not worth a scrolling table

// The layout in pixels.
struct Plan {
    float request, verb, figures, captions, rule, table, counts, height;
    LaneTablePlace lanes;
    CountsPlace totals;
    float verb_px, figure_px, small_px;
    std::size_t counts_rows;
    // Removes visible rows of the lane table, which then scrolls, until the plan is `most` pixels
    // high.
    void shorten(float most) {
        const float less = height - most;
        counts -= less;
        height -= less;
    }
};

Plan plan_of(const Look& look, const Density& d, std::size_t counts_rows) {
    const float row = 1.2f * extra_px(look);  // pixels that each row of text grows by
    Plan p{};
    p.request = look.px(d.request) + 0.5f * row;
    p.verb = look.px(d.verb) + 1.5f * row;
    p.figures = look.px(d.figures) + 2.5f * row;
    p.captions = look.px(d.captions) + 3.4f * row;
    p.rule = look.px(d.rule) + 4 * row;
    p.table = p.rule;
    p.lanes.head = look.px(d.table_head) + row;
    p.lanes.row = std::round(look.px(d.lane_row) + 0.8f * row);
    p.lanes.px = look.px(d.lane_px) + extra_px(look);
    p.lanes.caption_px = look.wide() + extra_px(look);
    const float table_end = p.table + p.lanes.head + kLanes * p.lanes.row;
    p.counts = std::round(table_end + look.px(d.counts_gap) / 2);
    p.totals.head = look.px(d.counts_head) + (d.two_line_head ? 2 : 1) * row;
    p.totals.row = look.px(d.counts_row) + row;
    p.totals.px = look.px(14) + extra_px(look);
    p.totals.two_line_head = d.two_line_head;
    p.counts_rows = counts_rows;
    p.height = p.counts + look.px(d.two_line_head ? 8 : 2) + p.totals.head +
               static_cast<float>(counts_rows) * p.totals.row + look.snug();
    p.verb_px = type_px(look, d.verb_px);
    p.figure_px = type_px(look, d.figure_px);
    p.small_px = type_px(look, d.small_px);
    return p;
}

Density between(const Density& a, const Density& b, float share) {
    const auto at = [share](float from, float to) { return from + share * (to - from); };
    const Density& type = share < 0.5f ? a : b;
    return {at(a.request, b.request),   at(a.verb, b.verb),
            at(a.figures, b.figures),   at(a.captions, b.captions),
            at(a.rule, b.rule),         at(a.table_head, b.table_head),
            at(a.lane_row, b.lane_row), at(a.counts_gap, b.counts_gap),
            type.counts_head,           at(a.counts_row, b.counts_row),
            at(a.verb_px, b.verb_px),   at(a.figure_px, b.figure_px),
            at(a.lane_px, b.lane_px),   type.small_px,
            type.two_line_head};
}

// Chooses the most spacious layout that fits. If none fits, the densest one with a scrolling lane
// table. If that is still too high, a layout for which the whole panel scrolls.
Plan choose_plan(const Look& look, float height) {
    for (const float share : {1.0f, 0.8f, 0.6f, 0.4f, 0.2f}) {
        const Plan plan = plan_of(look, between(kDense, kRoomy, share), kMostCounts);
        if (plan.height <= height) return plan;
    }
    for (std::size_t rows = kMostCounts; rows >= kLeastCounts; --rows) {
        const Plan dense = plan_of(look, kDense, rows);
        if (dense.height <= height) return dense;
    }
    Plan least = plan_of(look, kDense, kLeastCounts);
    if (least.height - height > (kLanes - kLeastLanes) * least.lanes.row)
        return plan_of(look, kDense, kMostCounts);
    least.shorten(height);
    return least;
}

// The layout for the request alone. The rows of the lane table share the remaining height.
Plan plan_of_request(const Look& look, float height) {
    Plan plan = plan_of(look, kDense, 0);
    const float most = row_px(look, kRoomy.lane_row);
    const float free = height - plan.table - plan.lanes.head - look.snug();
    plan.lanes.row = std::floor(std::clamp(free / kLanes, plan.lanes.row * 0.8f, most));
    plan.lanes.px = std::min(plan.lanes.px, plan.lanes.row * 0.92f);
    plan.counts = plan.height = height;
    return plan;
}

// The height in pixels of a request with all lanes in the densest layout. If hazards are shown
// above the request, the whole panel scrolls instead of the lane table.
float all_lanes_height(const Look& look) {
    const Plan plan = plan_of(look, kDense, 0);
    return plan.table + plan.lanes.head + kLanes * plan.lanes.row + look.snug();
}

// The layout for the counters alone.
Plan plan_of_counts(const Look& look, float width, const Workbench& workbench) {
    Plan plan = plan_of(look, kRoomy, kMostCounts);
    plan.height -= plan.counts;
    plan.counts = 0;
    plan.totals.rect.w = width;
    plan.totals.stacked = counts_need_two_lines(look, plan.totals, workbench, plan.counts_rows);
    if (plan.totals.stacked) {
        const float more = 0.6f * plan.totals.row;
        plan.totals.row += more;
        plan.height += more * static_cast<float>(plan.counts_rows);
    }
    return plan;
}

struct Figure {
    std::string value, caption;
    bool conflict = false;
};

std::array<Figure, 3> figures_of(const RequestState& request, const GlobalRules& rules) {
    const RequestCost& cost = request.cost;
    const auto plural = [](std::uint32_t count, const char* one) {
        return std::string(one) + (count == 1 ? "" : "s");
    };
    const bool sectors = rules.sector_bytes < rules.line_bytes &&
                         rules.coalescing == Coalescing::kSectors;  // several sectors to a line
    if (request.access.space == Space::kGlobal)
        return {{{std::to_string(cost.transactions),
                  std::string(cost.transactions == 1 ? rules.unit : rules.units)},
                 sectors ? Figure{std::to_string(cost.lines), plural(cost.lines, "line")}
                         : Figure{std::to_string(cost.bytes_requested), "bytes asked"},
                 {std::to_string(cost.bytes_used) + " of " + std::to_string(cost.bytes_moved),
                  "bytes used"}}};
    const bool conflict = cost.bank_conflicts > 0;
    return {
        {{std::to_string(cost.wavefronts), plural(cost.wavefronts, "wavefront"), conflict},
         {std::to_string(request.service.banks_used), plural(request.service.banks_used, "bank")},
         {std::to_string(cost.bank_conflicts), plural(cost.bank_conflicts, "conflict"), conflict}}};
}

void draw_figures(const Look& look, const Plan& plan, ImVec2 at, float width,
                  const RequestState& request, const GlobalRules& rules) {
    const Palette& colors = look.colors();
    const std::array<Figure, 3> figures = figures_of(request, rules);
    // Columns of 29 %, 26 % and the rest of the width, or wider if their text needs it.
    std::array<float, 3> widths = {0.29f * width, 0.26f * width, 0};
    float px = plan.figure_px, caption_px = plan.small_px;
    const auto need = [&](const Figure& f) {
        return std::max(text_width(f.value, Face::kBold, px),
                        text_width(f.caption, Face::kRegular, caption_px));
    };
    const auto total = [&] {
        return need(figures[0]) + need(figures[1]) + need(figures[2]) + 2 * look.wide();
    };
    while (total() > width && px > look.px(10)) {
        px -= 1;
        caption_px = std::min(caption_px, px);
    }
    widths[0] = std::max(widths[0], need(figures[0]) + look.wide());
    widths[1] = std::max(widths[1], need(figures[1]) + look.wide());
    const float over = widths[0] + widths[1] + need(figures[2]) - width;
    if (over > 0) {
        widths[0] = need(figures[0]) + look.wide();
        widths[1] = need(figures[1]) + look.wide();
    }
    float x = at.x;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        draw_text({x, at.y + plan.figures}, figures[i].value,
                  {Face::kBold, px, figures[i].conflict ? colors.conflict : colors.ink});
        draw_text({x, at.y + plan.captions}, figures[i].caption,
                  {Face::kRegular, caption_px, colors.ink2});
        x += widths[i];
    }
}

void draw_request(const Look& look, const Plan& plan, const Rect& inner, const Replay& replay,
                  const GlobalRules& rules, float& lanes_scroll) {
    const Palette& colors = look.colors();
    const ReplayState& state = replay.state();
    const RequestState& request = state.request;
    if (request.step == kNoStep || request.step >= replay.schedule().steps.size()) {
        draw_text_fit({inner.x, inner.y + plan.request}, inner.w, "No request yet",
                      {Face::kRegular, plan.small_px, colors.ink3});
        return;
    }
    const Step& step = replay.schedule().steps[request.step];
    const Site& site = replay.trace().sites[step.site];
    const std::string where =
        "warp " + std::to_string(step.warp) + "   line " + std::to_string(site.line);
    const float where_width = text_width(where, Face::kMono, plan.small_px);
    const char* title = state.step == kNoStep ? "Last request" : "Request";
    if (text_width(title, Face::kSemiBold, plan.small_px) + where_width + look.px(10) < inner.w)
        draw_text({inner.x, inner.y + plan.request}, title,
                  {Face::kRegular, plan.small_px, colors.ink3});
    draw_text({inner.right(), inner.y + plan.request}, where,
              shrunk({Face::kMono, plan.small_px, colors.ink2, Align::kRight}, where,
                     inner.w - look.tight()));

    const std::string verb = std::string(request_word(site.operation)) + " ";
    const std::string& name = replay.trace().arrays[site.array].name;
    std::string space = std::string(space_name(request.access.space)) + " memory";
    float x = inner.x;
    const float y = inner.y + plan.verb;
    x += draw_text({x, y}, verb, {Face::kSemiBold, plan.verb_px, colors.ink});
    x += draw_text({x, y}, name,
                   {Face::kBold, plan.verb_px, colors.solid(role_of_array(replay, site.array))});
    x += 0.85f * plan.verb_px;
    const float room = inner.right() - x;
    // If the text is too long, the font shrinks. If it is still too long, the word "memory" is left
    // out.
    const float least = 0.6f * plan.verb_px;
    float px = plan.verb_px;
    while (px > least && text_width(space, Face::kRegular, px) > room) px -= 0.5f;
    if (text_width(space, Face::kRegular, px) > room) space = space_name(request.access.space);
    draw_text_fit({x, y}, room, space, {Face::kRegular, px, colors.ink2});
    draw_figures(look, plan, {inner.x, inner.y}, inner.w, request, rules);
    draw_rule(look, {inner.x, inner.y + plan.rule}, inner.w);
    LaneTablePlace lanes = plan.lanes;
    lanes.rect = {inner.x, inner.y + plan.table, inner.w, plan.counts - plan.table};
    const Rect rows{inner.x - look.pad(), lanes.rect.y + lanes.head, inner.w + look.px(32),
                    lanes.rect.h - lanes.head};
    const auto lane_rows = static_cast<float>(lane_table_rows(look, lanes, replay, request, step));
    lanes.offset = scroll_in(look, rows, lane_rows * lanes.row, lanes_scroll);
    draw_lane_table(look, lanes, replay, request, step);
    draw_rule(look, {inner.x, inner.y + plan.counts}, inner.w);
}

Commands draw_body(const Look& look, const Rect& rect, const Workbench& workbench,
                   InspectorMemory& memory, InspectorPart part) {
    const Replay* replay = workbench.replay();
    const float pad = look.pad();
    if (replay == nullptr) {
        draw_text_fit({rect.x + pad, rect.y + row_px(look, 26)}, rect.w - 2 * pad,
                      "Recording the first replay.",
                      {Face::kRegular, type_px(look, 14), look.colors().ink3});
        return {};
    }
    const bool counts = part != InspectorPart::kRequest;
    const bool request = part != InspectorPart::kCounts;
    const bool cut_off = counts && !replay->trace().complete;
    const float notice = cut_off ? row_px(look, 22) : 0;
    // Hazards come first: as many as leave enough room for the request and the counters.
    const float width = rect.w - 2 * pad;
    const float least = plan_of(look, kDense, kLeastCounts).height -
                        (kLanes - kLeastLanes) * plan_of(look, kDense, kLeastCounts).lanes.row;
    const std::size_t findings =
        request ? findings_that_fit(look, width, rect.h - notice - least, workbench, memory) : 0;
    const float hazards = request ? hazards_height(look, width, workbench, memory, findings) : 0;
    // If the request and all counters leave no room for the section below, the user scrolls to it.
    const float below = counts ? measured([&] {
        return draw_compiled(look, {0, 0, width, 0}, workbench);
    })
                               : 0;
    const float room = rect.h - notice - hazards;
    const bool all_fits = plan_of(look, kDense, kMostCounts).height + below <= room;
    const Plan plan =
        !counts ? plan_of_request(look, hazards > 0 ? std::max(room, all_lanes_height(look)) : room)
        : !request ? plan_of_counts(look, width, workbench)
                   : choose_plan(look, all_fits ? room - below : room);
    const ScrollArea area(look, rect, hazards + plan.height + notice + below, memory.scroll);
    Commands commands;
    if (request)
        commands = draw_hazards(look, {rect.x + pad, area.top(), width, hazards}, workbench, memory,
                                findings);
    const Rect inner{rect.x + pad, area.top() + hazards, width, plan.height};
    if (request)
        draw_request(look, plan, inner, *replay, workbench.recording()->generation->global,
                     memory.lanes_scroll);
    if (!counts) return commands;
    CountsPlace totals = plan.totals;
    totals.rect = {inner.x, inner.y + plan.counts + look.px(totals.two_line_head ? 8 : 2), inner.w,
                   0};
    if (cut_off) {
        register_widget("inspector.incomplete", {inner.x, totals.rect.y, inner.w, notice});
        draw_text_fit({inner.x, totals.rect.y + notice / 2}, inner.w,
                      "Incomplete: the recording was cut off",
                      {Face::kSemiBold, plan.small_px, look.colors().ink});
        totals.rect.y += notice;
    }
    draw_kernel_counts(look, totals, workbench, plan.counts_rows);
    const Rect compiled{inner.x, inner.y + plan.height + notice, inner.w, below};
    if (const Rect seen = seen_part(compiled); seen.h > 1)
        register_widget("inspector.compiled", seen);
    draw_compiled(look, compiled, workbench);
    return commands;
}

// Opens the phase table in place of the stage, and closes it.
void draw_phase_button(const Look& look, const Rect& foot, const Workbench& workbench,
                       Commands& commands) {
    const float height = std::round(0.78f * foot.h);
    const bool open = workbench.view().phase_table;
    const float px = type_px(look, 14);
    const std::string_view label = open ? "back to the picture (H)" : "phase table (H)";
    const Rect rect{
        foot.x + look.pad(), std::round(foot.y + (foot.h - height) / 2 - look.px(3)),
        std::min(foot.w - look.px(32), text_width(label, Face::kSemiBold, px) + look.px(28)),
        height};
    if (toggle_button(look, "inspector.phases", rect, label, px, open,
                      open ? "Back to the picture of the replay (H)"
                           : "What each thread does in each phase (H)"))
        commands.push_back(TogglePhaseTable{});
}

// The tabs of the inspector for kernels whose local variables were recorded.
constexpr std::array<PanelTab, 2> kTabs = {
    {{{"Request", "side.inspector", "The request lane by lane, and the counters"},
      SideTab::kRequest},
     {{"Variables", "side.variables", "The thread's own variables (V)"}, SideTab::kVariables}}};

}  // namespace

bool inspector_folds(const Look& look, float height) {
    const Plan least = plan_of(look, kDense, kLeastCounts);
    return look.narrow && least.height + std::round(row_px(look, 36)) > height;
}

Commands draw_inspector(const Look& look, const Rect& whole, const Workbench& workbench,
                        PanelMemory& memory, InspectorPart part) {
    draw_card(look, whole);
    register_widget("inspector", whole);
    Commands commands;
    Rect rect = whole;
    if (!look.narrow && has_locals(workbench)) {
        const bool variables = workbench.view().tab == SideTab::kVariables;
        rect = draw_tab_row(look, whole, kTabs, variables ? SideTab::kVariables : SideTab::kRequest,
                            commands);
        if (variables) {
            append(commands, draw_locals(look, rect, workbench, memory));
            return commands;
        }
    }
    // If there is no room for both, the lanes replace the button. The counters' tab also has the
    // button.
    float foot = std::round(row_px(look, 36));
    if (part == InspectorPart::kRequest && rect.h - foot < all_lanes_height(look)) foot = 0;
    append(commands, draw_body(look, {rect.x, rect.y, rect.w, rect.h - foot}, workbench,
                               memory.parts().inspector, part));
    if (foot > 0)
        draw_phase_button(look, {rect.x, rect.bottom() - foot, rect.w, foot}, workbench, commands);
    return commands;
}

}  // namespace tilereel
