#include "app/panels/lesson/lesson_request.h"

#include <algorithm>

#include "app/panels/array_role.h"
#include "app/panels/table.h"
#include "app/ui/utf8.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr const char *kArrow = "\xe2\x86\x92", *kDots = "\xe2\x80\xa6";

// The line without its indentation and its comment.
std::string code_of(std::string_view line) {
    return std::string(trimmed(line.substr(0, line.find("  //"))));
}

// The statement that begins in the line of a site. At most three lines are joined.
std::string statement_at(const Trace& trace, const Site& site) {
    constexpr std::uint32_t kMostLines = 3;
    std::string all = code_of(source_line(trace, site.line, site.file));
    for (std::uint32_t n = 1; n < kMostLines; ++n) {
        if (all.empty() || std::string_view(";{}:").find(all.back()) != std::string_view::npos)
            break;
        const std::string next = code_of(source_line(trace, site.line + n, site.file));
        if (next.empty()) break;
        all += all.ends_with('(') ? next : " " + next;
    }
    return all;
}

}  // namespace

LessonSubject lesson_subject(const LessonScope& scope) {
    LessonSubject subject{.replay = scope.replay()};
    if (subject.replay == nullptr) return {};
    const std::uint32_t step = subject.replay->state().request.step;
    if (step == kNoStep) return {};
    const Trace& trace = subject.replay->trace();
    subject.site = &trace.sites[subject.replay->schedule().steps[step].site];
    if (subject.site->array >= trace.arrays.size()) return {};
    subject.array = &trace.arrays[subject.site->array];
    return subject;
}

std::uint32_t step_asked(const LessonScope& scope, const Replay& replay) {
    const double at = scope.prepared().stops.front().position;
    return replay.schedule().step_at(static_cast<Tick>(at));
}

void LessonRequest::request(const LessonSubject& subject) {
    // At the end of the replay there is no running line.
    const bool runs = subject.replay->state().step != kNoStep;
    if (scope_.scene().code && runs && detail_ != RequestDetail::kFigure) code(subject);
    if (scope_.scene().lanes && detail_ == RequestDetail::kAll) lanes(subject);
    if (scope_.scene().figure != LessonFigure::kNone) figure(subject);
}

// Draws the source line of the request. The array's name has the array's colour.
void LessonRequest::code(const LessonSubject& subject) {
    const Palette& colors = look_.colors();
    const std::string line = statement_at(subject.replay->trace(), *subject.site);
    const float pad = 0.4f * px_, gutter = 3 * px_;
    const std::string& name = subject.array->name;
    const std::size_t named = std::min(line.find(name + "["), line.size());
    const std::size_t after = std::min(named + name.size(), line.size());
    const ColorRole role = role_of_array(*subject.replay, subject.site->array);
    const std::vector<StyledText> pieces = {
        {line.substr(0, named), Face::kMono, colors.ink},
        {line.substr(named, after - named), Face::kMonoBold, colors.solid(role)},
        {line.substr(after), Face::kMono, colors.ink}};
    const StyledLines lines(pieces, rect_.w - gutter - pad, 0.9f * px_, 1.5f);
    row(lines.height() + 2 * pad, [&](const Rect& row) {
        fill_rect(row, colors.panel, 0.3f * px_);
        register_widget("lesson.code", row);
        draw_text({row.x + 0.5f * px_, row.y + pad + 0.67f * px_},
                  std::to_string(subject.site->line), {Face::kMono, 0.7f * px_, colors.ink3});
        lines.draw({row.x + gutter, row.y + pad});
    });
    space(0.5f * px_);
}

// Draws the first active lanes and the last one: the element that each accesses, and its bank or
// sector.
void LessonRequest::lanes(const LessonSubject& subject) {
    const Palette& colors = look_.colors();
    const RequestState& request = subject.replay->state().request;
    const ColorRole role = role_of_array(*subject.replay, subject.site->array);
    const ImU32 solid = request.cost.bank_conflicts > 0 ? colors.conflict : colors.solid(role);
    const auto left = Align::kLeft, right = Align::kRight;
    WrapTable table(look_, px_, {left, right, left, left, left, left, right}, 3);
    std::vector<std::uint32_t> active;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        if (request.lanes[lane].active) active.push_back(lane);
    for (std::size_t i = 0; i < active.size(); ++i) {
        if (i == 3 && active.size() > 4) table.add({{kDots, Face::kRegular, colors.ink3}});
        if (i >= 3 && i + 1 < active.size()) continue;
        const LaneState& lane = request.lanes[active[i]];
        table.add(
            {{"lane", Face::kRegular, colors.ink2},
             {std::to_string(active[i]), Face::kMonoBold, colors.ink},
             {kArrow, Face::kRegular, colors.ink3},
             {element_name(*subject.array, lane.row, lane.column), Face::kMonoBold, colors.ink},
             {kArrow, Face::kRegular, colors.ink3},
             {subject.shared() ? "bank" : "sector", Face::kRegular, colors.ink2},
             {with_commas(subject.shared() ? lane.bank : lane.sector), Face::kMonoBold, solid}});
    }
    table.place(std::min(rect_.w, 22 * px_));
    space(table.draw({rect_.x, y_}) + 0.5f * px_);
}

// Draws the number of wavefronts or sectors, and the minimum. While the replay plays up to a stop,
// the figure is left out: the lesson is not about the requests on the way.
void LessonRequest::figure(const LessonSubject& subject) {
    const RequestCost& cost = subject.replay->state().request.cost;
    const bool shared = subject.shared();
    if (shared != (scope_.scene().figure == LessonFigure::kWavefronts)) return;
    const GlobalRules& rules = subject.replay->generation().global;
    const std::uint32_t value = shared ? cost.wavefronts : cost.transactions;
    const std::string unit = shared ? (value == 1 ? "wavefront" : "wavefronts")
                                    : std::string(value == 1 ? rules.unit : rules.units);
    const std::string_view what = writes(subject.site->operation) ? "store" : "load";
    std::string detail = "for one " + std::string(what) + " of the warp";
    if (shared && cost.bank_conflicts > 0)
        detail += "; " + std::to_string(cost.ideal_wavefronts) +
                  (cost.ideal_wavefronts == 1 ? " is" : " are") + " enough";
    if (!shared)
        detail = with_commas(cost.bytes_moved) + " bytes move, " + with_commas(cost.bytes_used) +
                 " of them used";
    space(0.2f * px_);
    rule();
    space(0.5f * px_);
    const Palette& colors = look_.colors();
    const bool bad = shared ? cost.bank_conflicts > 0 : cost.bytes_used * 2 < cost.bytes_moved;
    const auto write = [&] {
        const float top = y_;
        styled({{with_commas(value) + " ", Face::kBold, bad ? colors.conflict : colors.c},
                {unit, Face::kBold, colors.ink}},
               2.2f * px_);
        paragraph(detail, Face::kRegular, colors.ink2);
        register_widget("lesson.figure", {rect_.x, top, rect_.w, y_ - top});
        return y_ - top;
    };
    if (scope_.workbench.moving())
        static_cast<void>(measured(write));  // the room stays empty
    else
        write();
    space(0.4f * px_);
}

}  // namespace tilereel
