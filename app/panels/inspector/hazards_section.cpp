#include "app/panels/inspector/hazards_section.h"

#include <algorithm>

#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/paragraph.h"
#include "app/panels/removed_barrier_text.h"
#include "app/panels/timeline/show_moment.h"
#include "app/panels/wrap_row.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/products/computed_elements.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

constexpr std::size_t kWrongShown = 3;
constexpr std::size_t kFindingsShown = 1;  // while the list is folded
constexpr std::string_view kLanesTogether =
    "Not on this GPU generation: before compute capability 7.0 the lanes of a warp run together";

class Section : public Column {
  public:
    Section(const Look& look, const Rect& rect, const Workbench& workbench, InspectorMemory& memory,
            Commands& commands)
        : Column(look, rect),
          workbench_(workbench),
          recording_(*workbench.recording()),
          memory_(memory),
          words_(hazard_texts(memory, workbench)),
          commands_(commands) {}

    float draw() {
        const bool left_out = launch().removed_barrier != 0;
        y_ += look_.gap();
        title();
        if (left_out) {
            removed();
            outcome();
            orders();
        } else if (!recording_.wrong.empty()) {
            wrong_elements();
            paragraph(words_.why_wrong, Face::kRegular, look_.colors().ink);
            y_ += look_.tight();
        }
        list();
        y_ += look_.snug();
        rule();
        return height();
    }

  private:
    [[nodiscard]] const Launch& launch() const { return recording_.trace->launch; }

    void ask(Commands commands) { append(commands_, std::move(commands)); }

    // The title "Hazards" ("Findings" for a program) with the number of errors and warnings, or of
    // new ones.
    void title() {
        const Palette& colors = look_.colors();
        const float mark = 0.8f * px_;
        WrapRow row({rect_.x, y_, rect_.w, 0}, 1.6f * px_, 0, look_.px(14));
        const auto count = [&](std::string_view text, std::optional<bool> error) {
            const float left = error ? 1.5f * mark : 0;
            const Face face = error ? Face::kSemiBold : Face::kRegular;
            const Rect place = row.next(left + text_width(text, face, px_));
            if (error)
                draw_hazard_mark(colors, {place.x + 0.6f * mark, place.center().y}, mark, *error);
            draw_text({place.x + left, place.center().y}, text,
                      {face, px_, error ? colors.ink : colors.ink3});
        };
        count(workbench_.is_of_program() ? "Findings" : "Hazards", {});
        const auto new_error = [](const ListedFinding& one) { return one.is_new && one.error; };
        if (words_.fresh > 0)
            count(counted(words_.fresh, "new finding", "new findings"),
                  std::ranges::any_of(words_.findings, new_error));
        else if (words_.errors > 0)
            count(counted(words_.errors, "error", "errors"), true);
        if (words_.fresh == 0 && words_.warnings > 0)
            count(counted(words_.warnings, "warning", "warnings"), false);
        if (words_.findings.empty()) count("none found", {});
        y_ = row.bottom();
    }

    // A button on a line of its own. Returns true when clicked.
    bool button(std::string_view name, std::string_view label, std::string_view tip) {
        const bool clicked =
            Column::button(name, label, px_, rect_.x, button_width(label, px_), false, tip);
        y_ += column_button_height(px_) + look_.tight();
        return clicked;
    }

    // Draws "Line 25's barrier is left out" and a button that puts the barrier back.
    void removed() {
        paragraph(left_out_text(launch()), Face::kBold, look_.colors().ink);
        if (button("hazards.put_back", "put back",
                   "Put the barrier back (B: after the last one, all are in)"))
            ask({RemoveBarrier{0}});
    }

    // The order in which the threads ran, and the other orders that a GPU may use.
    void orders() {
        paragraph("The threads run", Face::kRegular, look_.colors().ink3);
        const bool independent = recording_.generation->independent_lanes;
        WrapRow row({rect_.x, y_ + look_.hair(), rect_.w, 0}, column_button_height(px_),
                    look_.snug(), look_.snug());
        for (const OrderChoice& choice : order_choices()) {
            const bool available = choice.order != ThreadOrder::kLanes || independent;
            const Rect place = row.next(button_width(choice.label, px_));
            y_ = place.y;
            if (Column::button(choice.widget, choice.label, px_, place.x, place.w,
                               choice.order == launch().order,
                               available ? choice.tip : kLanesTogether, available))
                ask({SetThreadOrder{choice.order}});
        }
        y_ = row.bottom() + look_.snug();
        if (launch().order == ThreadOrder::kLanes && !independent)
            paragraph(
                "This GPU generation runs the lanes of a warp together: only one of compute "
                "capability 7.0 or later may run them so.",
                Face::kRegular, look_.colors().ink2);
    }

    // Whether C is correct.
    void outcome() {
        const Palette& colors = look_.colors();
        if (!recording_.wrong.empty()) {
            wrong_elements();
        } else if (recording_.findings.empty()) {
            paragraph(
                "By the rules of this GPU generation no two accesses need this barrier here, "
                "and C is right.",
                Face::kRegular, colors.ink);
        } else {
            paragraph("C is right: this order happens to hide the race.", Face::kSemiBold,
                      colors.ink);
            if (button("hazards.find_failing_order", "show an order that makes C wrong",
                       "Try the other orders until one makes C wrong"))
                ask({FindFailingOrder{}});
        }
        y_ += look_.tight();
    }

    void wrong_elements() {
        const Palette& colors = look_.colors();
        const std::size_t wrong = recording_.wrong.size();
        const std::uint64_t all = words_.judged;
        const float mark = 0.62f * px_, left = mark + look_.gap();
        draw_wrong_mark(colors, {rect_.x + look_.px(1), y_ + 0.72f * px_ - mark / 2, mark, mark},
                        std::max(2.0f, px_ / 7));
        paragraph(with_commas(wrong) + " of " + counted(all, "element", "elements") + " of C " +
                      (wrong == 1 ? "is" : "are") + " wrong",
                  Face::kBold, colors.ink, left);
        for (std::size_t i = 0; i < std::min(kWrongShown, wrong); ++i) {
            const WrongElement& element = recording_.wrong[i];
            const std::string text = "C[" + std::to_string(element.row) + "][" +
                                     std::to_string(element.column) + "] is " +
                                     decimal_text(element.found) + ", should be " +
                                     decimal_text(element.expected);
            const Rect row{rect_.x, y_, rect_.w,
                           paragraph_height(text, rect_.w - left, {Face::kRegular, px_})};
            const Interaction touched = interact(look_, "hazards.wrong." + std::to_string(i), row,
                                                 "Go to where this element of C is stored");
            draw_row_mark(look_, row, false, touched.hovered);
            if (touched.clicked) ask(show_stored(workbench_, element.row, element.column));
            paragraph(text, Face::kRegular, colors.ink2, left);
        }
        if (wrong > kWrongShown)
            paragraph("and " + with_commas(wrong - kWrongShown) + " more, crossed out on C",
                      Face::kRegular, colors.ink2, left);
    }

    void list() {
        const std::size_t all = words_.findings.size();
        const std::size_t shown = memory_.hazards_unfolded ? all : std::min(kFindingsShown, all);
        const std::size_t first = memory_.hazards_unfolded ? 0 : first_listed();
        for (std::size_t i = first; i < std::min(first + shown, all); ++i) finding(i);
        if (all <= kFindingsShown) return;
        const std::string label =
            memory_.hazards_unfolded ? "show fewer" : "and " + with_commas(all - shown) + " more";
        if (button("hazards.more", label,
                   memory_.hazards_unfolded ? "Fold the list" : "Show all findings"))
            memory_.hazards_unfolded = !memory_.hazards_unfolded;
    }

    // The finding that the stage shows; without one, the first.
    [[nodiscard]] std::size_t first_listed() const {
        const FindingScene* const scene = workbench_.finding_scene();
        if (scene == nullptr) return 0;
        const auto found = std::ranges::find_if(words_.findings, [&](const ListedFinding& each) {
            return (scene->recorded ? each.recorded : each.hazard) == scene->finding;
        });
        return found == words_.findings.end()
                   ? 0
                   : static_cast<std::size_t>(found - words_.findings.begin());
    }

    // Draws "◆ error 64 cells" and the sentence. A new finding has a frame.
    void finding(std::size_t index) {
        const Palette& colors = look_.colors();
        const ListedFinding& found = words_.findings[index];
        const float mark = 0.8f * px_, left = mark + look_.gap();
        const auto write = [&] {
            const float top = y_;
            styled({{found.is_new ? "new " : "", Face::kSemiBold, colors.ink},
                    {found.error ? "error " : "warning ", Face::kSemiBold, colors.ink},
                    {found.where, Face::kRegular, colors.ink2}},
                   px_, left);
            paragraph(found.sentence, Face::kRegular, found.is_new ? colors.ink : colors.ink2,
                      left);
            const float height = y_ - top;
            y_ = top;
            return height;
        };
        const float height = measured(write);
        touch_finding(index, {rect_.x - look_.snug(), y_, rect_.w + look_.wide(), height});
        draw_hazard_mark(colors, {rect_.x + mark / 2, y_ + 0.72f * px_}, mark, found.error);
        write();
        y_ += height + look_.snug();
    }

    void touch_finding(std::size_t index, const Rect& row) {
        const ListedFinding& found = words_.findings[index];
        const bool leads = found.hazard || found.recorded || leads_to_launch(found);
        const Interaction touched =
            interact(look_, "hazards.finding." + std::to_string(index), row,
                     !leads                   ? ""
                     : leads_to_launch(found) ? "Watch this launch"
                                              : "Go to the block and the tick where this happens");
        draw_row_mark(look_, row, found.is_new, touched.hovered && leads);
        if (touched.clicked) ask(way_to(found));
    }
    [[nodiscard]] Commands way_to(const ListedFinding& found) const {
        if (found.hazard) return show_finding(workbench_, recording_.findings[*found.hazard]);
        if (found.recorded)
            return show_finding(workbench_, recording_.trace->findings[*found.recorded]);
        if (leads_to_launch(found)) return {ChooseLaunch{*found.launch}};
        return {};
    }
    // While a program runs again, findings of its former run lead to no launch.
    [[nodiscard]] bool leads_to_launch(const ListedFinding& found) const {
        const OpenedProgram* const program = workbench_.program();
        return found.launch && (program == nullptr || program->listed_launch());
    }

    const Workbench& workbench_;
    const Recording& recording_;
    InspectorMemory& memory_;
    const HazardTexts& words_;
    Commands& commands_;
};

bool anything_to_say(const Workbench& workbench, InspectorMemory& memory) {
    const Recording* recording = workbench.recording();
    return recording != nullptr &&
           (!hazard_texts(memory, workbench).findings.empty() || !recording->wrong.empty() ||
            recording->trace->launch.removed_barrier != 0);
}

}  // namespace

const HazardTexts& hazard_texts(InspectorMemory& memory, const Workbench& workbench) {
    const Recording& recording = *workbench.recording();
    const Trace& trace = *recording.trace;
    const OpenedProgram* const program = workbench.program();
    const void* const run =
        program != nullptr && program->run ? program->run->folder.get() : nullptr;
    HazardTexts& words = memory.hazards;
    if (words.recording == recording.id && words.run == run) return words;
    words = {.recording = recording.id, .run = run, .findings = list_findings(workbench)};
    for (const ListedFinding& finding : words.findings) {
        ++(finding.error ? words.errors : words.warnings);
        words.fresh += finding.is_new;
    }
    if (!recording.wrong.empty()) {
        words.why_wrong = as_sentence(why_wrong(trace, recording.wrong, recording.findings));
        words.judged =
            judged_elements(trace).value_or(std::uint64_t{trace.launch.m} * trace.launch.n);
    }
    memory.hazards_unfolded = false;
    memory.scroll = 0;  // new findings are at the top
    return words;
}

float draw_hazards(const Look& look, const Rect& rect, const Workbench& workbench,
                   InspectorMemory& memory, Commands& commands) {
    if (!anything_to_say(workbench, memory)) return 0;
    return Section(look, rect, workbench, memory, commands).draw();
}

}  // namespace tilereel
