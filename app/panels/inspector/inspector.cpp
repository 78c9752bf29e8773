// The current request lane by lane, and the counters of the whole kernel.
#include <array>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/panels/inspector/hazards_section.h"
#include "app/panels/inspector/kernel_counts.h"
#include "app/panels/inspector/lane_table.h"
#include "app/panels/inspector/tensor_section.h"
#include "app/panels/inspector/warpgroup_section.h"
#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/tab_row.h"
#include "app/replay/sentence/sentence_facts.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/trace/stopped_warps.h"

namespace tilereel {
namespace {

constexpr float kLinesOfBoth = 36;  // the least height of request and counters, in lines

// The numbers that are drawn of a request to shared memory: wavefronts, banks, conflicts. After a
// change of PAD or TILE they count to their new values.
std::array<std::uint32_t, 3> counting_numbers(const Look& look, const Workbench& workbench,
                                              InspectorMemory::Counting& counting) {
    const Replay& replay = *workbench.replay();
    const RequestState& request = replay.state().request;
    if (counting.replay != replay.id()) {
        SharedForm form = form_of(replay);
        const bool shown = look.now_seconds - counting.drawn < 2 * look.frame_seconds + 0.01;
        if (shown && workbench.view().motion && slides(counting.form, form))
            counting.numbers.begin(look);
        counting.replay = replay.id();
        counting.form = std::move(form);
    }
    counting.drawn = look.now_seconds;
    if (!workbench.view().motion) counting.numbers.stop();
    const RequestCost& cost = request.cost;
    const bool shared = request.access.space == Space::kShared && request.step != kNoStep;
    const std::vector<std::uint32_t> numbers = counting.numbers.drawn(
        look, shared ? std::vector{cost.wavefronts, request.service.banks_used, cost.bank_conflicts}
                     : std::vector<std::uint32_t>());
    return shared ? std::array{numbers[0], numbers[1], numbers[2]} : std::array<std::uint32_t, 3>{};
}

// `shared`: the numbers of a request to shared memory.
std::array<Figure, 3> figures_of(const RequestState& request, const GlobalRules& rules,
                                 const std::array<std::uint32_t, 3>& shared) {
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
    const Figure lanes{std::to_string(cost.lanes), plural(cost.lanes, "lane")};
    const Figure bytes{std::to_string(cost.bytes_requested), "bytes asked"};
    if (request.access.space == Space::kConstant)
        return {{{std::to_string(cost.wavefronts), cost.wavefronts == 1 ? "address" : "addresses"},
                 lanes,
                 bytes}};
    if (request.access.space != Space::kShared) return {{lanes, bytes}};  // of another block
    const auto& [wavefronts, banks, conflicts] = shared;
    const bool conflict = conflicts > 0;
    return {{{std::to_string(wavefronts), plural(wavefronts, "wavefront"), conflict},
             {std::to_string(banks), plural(banks, "bank")},
             {std::to_string(conflicts), plural(conflicts, "conflict"), conflict}}};
}

class InspectorColumn : public Column {
  public:
    InspectorColumn(const Look& look, const Rect& rect, const Workbench& workbench)
        : Column(look, rect), workbench_(workbench), replay_(*workbench.replay()) {}

    void request(InspectorMemory::Counting& counting) {
        const std::array<std::uint32_t, 3> shared = counting_numbers(look_, workbench_, counting);
        const RequestState& request = replay_.state().request;
        const std::vector<Step>& steps = replay_.schedule().steps;
        if (request.step == kNoStep || request.step >= steps.size())
            return styled({{"No request yet", Face::kRegular, look_.colors().ink3}}, px_);
        const Step& step = steps[request.step];
        title(request, step);
        space(look_.tight());
        figures(figures_of(request, replay_.generation().global, shared));
        separator();
        const WatchedThread& thread = workbench_.watched_thread();
        if (const auto moment = tensor_moment(replay_, thread.chosen_warp(), thread.lane(),
                                              workbench_.view().tensor_product)) {
            y_ += draw_tensor_section(look_, {rect_.x, y_, rect_.w, 0}, *moment, thread.lane());
            separator();
        }
        if (const auto moment = warpgroup_moment(replay_, thread.chosen_warp())) {
            const int parts = replay_.warpgroups().products()[moment->number].product.shape.n / 8;
            const int chosen = static_cast<int>(workbench_.view().tensor_product) % parts;
            y_ += draw_warpgroup_section(look_, {rect_.x, y_, rect_.w, 0}, replay_, *moment,
                                         static_cast<int>(thread.lane()), chosen);
            separator();
        }
        y_ += draw_lane_table(look_, {rect_.x, y_, rect_.w, 0}, replay_, request, step);
        separator();
    }

    void counts() {
        if (!replay_.trace().complete) {
            const float top = y_;
            const std::string stops = stops_text(replay_.trace(), replay_.block());
            styled({{"Incomplete: the recording was cut off", Face::kSemiBold, look_.colors().ink},
                    {stops.empty() ? "" : "; " + stops, Face::kRegular, look_.colors().ink}},
                   px_);
            register_seen("inspector.incomplete", {rect_.x, top, rect_.w, y_ - top});
        }
        if (const std::string other = product_by_rows(replay_.trace()); !other.empty()) {
            paragraph("If your matrices lie row by row, this is " + other + ", not A times B.",
                      {Face::kSemiBold, px_, look_.colors().ink});
            space(look_.gap());
        }
        y_ += draw_kernel_counts(look_, {rect_.x, y_, rect_.w, 0}, workbench_);
        space(look_.gap());
        const float top = y_;
        y_ += draw_compiled(look_, {rect_.x, y_, rect_.w, 0}, workbench_);
        register_seen("inspector.compiled", {rect_.x, top, rect_.w, y_ - top});
    }

  private:
    void separator() {
        space(look_.snug());
        rule();
        space(look_.snug());
    }
    void title(const RequestState& request, const Step& step) {
        const Palette& colors = look_.colors();
        const Site& site = replay_.trace().sites[step.site];
        const bool runs = replay_.state().step != kNoStep;
        styled({{runs ? "Request " : "Last request ", Face::kRegular, colors.ink3},
                {"of warp " + std::to_string(step.warp) + " in line " + std::to_string(site.line),
                 Face::kRegular, colors.ink2}},
               px_);
        const std::string name(words_for(site.operation).request);
        styled({{(site.is_of_product() ? "wgmma reads" : name) + " ", Face::kSemiBold, colors.ink},
                {replay_.trace().arrays[site.array].name + " ", Face::kBold,
                 colors.solid(role_of_array(replay_, site.array))},
                {std::string(space_name(request.access.space)) + " memory" +
                     (site.is_of_product() ? ", modelled" : ""),
                 Face::kRegular, colors.ink2}},
               type_px(look_, 18));
    }

    const Workbench& workbench_;
    const Replay& replay_;
};

Commands draw_body(const Look& look, const Rect& rect, const Workbench& workbench,
                   InspectorMemory& memory, InspectorPart part) {
    const float pad = look.pad();
    if (workbench.replay() == nullptr) {
        draw_paragraph({rect.x + pad, rect.y + pad}, rect.w - 2 * pad,
                       "Recording the first replay.",
                       {Face::kRegular, type_px(look, 14), look.colors().ink3});
        return {};
    }
    Commands commands;
    scrolled(look, rect, memory.scroll, [&](const Rect& place) {
        const Rect room{rect.x + pad, place.y + look.gap(), rect.w - 2 * pad, 0};
        InspectorColumn column(look, room, workbench);
        if (part != InspectorPart::kCounts) {
            column.space(draw_hazards(look, room, workbench, memory, commands));
            column.request(memory.counting);
        }
        if (part != InspectorPart::kRequest) column.counts();
        return column.height() + look.pad();
    });
    return commands;
}

// Opens the phase table in place of the stage, and closes it.
void draw_phase_button(const Look& look, const Rect& foot, const Workbench& workbench,
                       Commands& commands) {
    const bool open = workbench.view().phase_table;
    const float px = type_px(look, 14);
    const std::string_view label = open ? "back to the picture (H)" : "phase table (H)";
    Column column(look, {foot.x + look.pad(), foot.y + look.snug(), foot.w - 2 * look.pad(), 0});
    if (column.button("inspector.phases", label, px, foot.x + look.pad(),
                      column.button_width(label, px), open,
                      open ? "Back to the picture of the replay (H)"
                           : "What each thread does in each phase (H)"))
        commands.push_back(TogglePhaseTable{});
}

// The tabs of the inspector for kernels whose local variables were recorded.
constexpr std::array<PanelTab, 2> kTabs = {
    {{{"Request", "inspector", "The request lane by lane, and the counters"}, SideTab::kRequest},
     {{"Variables", "variables", "The thread's own variables (V)"}, SideTab::kVariables}}};

}  // namespace

bool inspector_folds(const Look& look, float height) {
    return look.narrow && kLinesOfBoth * type_px(look, 14) > height;
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
    // Where the counters have a tab of their own, that tab has the button.
    const float foot = part == InspectorPart::kRequest ? 0 : std::round(row_px(look, 36));
    append(commands, draw_body(look, {rect.x, rect.y, rect.w, rect.h - foot}, workbench,
                               memory.parts().inspector, part));
    if (foot > 0)
        draw_phase_button(look, {rect.x, rect.bottom() - foot, rect.w, foot}, workbench, commands);
    return commands;
}

}  // namespace tilereel
