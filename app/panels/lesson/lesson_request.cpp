#include "app/panels/lesson/lesson_request.h"

#include <algorithm>

#include "app/panels/array_role.h"
#include "app/ui/widgets.h"
#include "app/ui/wrap_text.h"

namespace tilereel {
namespace {

std::string trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    line.remove_prefix(first);
    if (const std::size_t comment = line.find("  //"); comment != std::string_view::npos)
        line = line.substr(0, comment);
    return std::string(line);
}

// The statement that begins in the line of a site. At most three lines are joined.
std::string statement_at(const Trace& trace, const Site& site) {
    constexpr std::uint32_t kMostLines = 3;
    std::string all = trimmed(source_line(trace, site.line, site.file));
    for (std::uint32_t n = 1; n < kMostLines; ++n) {
        while (all.ends_with(' ')) all.pop_back();
        if (all.empty() || std::string_view(";{}:").find(all.back()) != std::string_view::npos)
            break;
        const std::string next = trimmed(source_line(trace, site.line + n, site.file));
        if (next.empty()) break;
        all += all.ends_with('(') ? next : " " + next;
    }
    return all;
}

std::string element_of(const LessonSubject& subject, std::uint32_t lane) {
    const LaneState& state = subject.replay->state().request.lanes[lane];
    return element_name(*subject.array, state.row, state.column);
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
    const std::string line = statement_at(subject.replay->trace(), *subject.site);
    const float small = 0.9f * px_, gutter = 3 * px_, leading = 1.35f * px_;
    const float room = rect_.w - gutter - 0.4f * px_;
    const std::vector<std::string_view> lines = wrap_text(line, room, Face::kMono, small);
    const float height = static_cast<float>(lines.size()) * leading + 0.8f * px_;
    row(height, [&](const Rect& row) {
        const Palette& colors = look_.colors();
        fill_rect(row, colors.panel, 0.3f * px_);
        register_widget("lesson.code", row);
        float y = row.y + 0.4f * px_ + leading / 2;
        draw_text({row.x + 0.5f * px_, y}, std::to_string(subject.site->line),
                  {Face::kMono, 0.7f * px_, colors.ink3});
        for (const std::string_view each : lines) {
            const float wide = text_width(each, Face::kMono, small);
            draw_code(each, subject, {row.x + gutter, y},
                      small * std::min(1.0f, room / std::max(wide, 1.0f)));
            y += leading;
        }
    });
    space(0.5f * px_);
}

void LessonRequest::draw_code(std::string_view line, const LessonSubject& subject, ImVec2 at,
                              float px) {
    const Palette& colors = look_.colors();
    const std::string name = subject.array->name + "[";
    const std::size_t named = line.find(name);
    const auto part = [&](std::string_view words, Face face, ImU32 color) {
        at.x += draw_text(at, words, {face, px, color});
    };
    if (named == std::string_view::npos) return part(line, Face::kMono, colors.ink);
    const Role role = role_of_array(*subject.replay, subject.site->array);
    part(line.substr(0, named), Face::kMono, colors.ink);
    part(line.substr(named, name.size() - 1), Face::kMonoBold, colors.solid(role));
    part(line.substr(named + name.size() - 1), Face::kMono, colors.ink);
}

// Draws the first active lanes and the last one: the element that each accesses, and its bank or
// sector.
void LessonRequest::lanes(const LessonSubject& subject) {
    const RequestState& request = subject.replay->state().request;
    std::vector<std::uint32_t> active, shown;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        if (request.lanes[lane].active) active.push_back(lane);
    for (std::size_t i = 0; i < active.size(); ++i)
        if (i < 3 || i + 1 == active.size()) shown.push_back(active[i]);
    const auto element = [&](std::uint32_t lane) { return element_of(subject, lane); };
    const float name = std::max(6 * px_, widest(shown, Face::kMonoBold, px_, element));
    // The largest font at which a row fits.
    const float px = px_ * std::min(1.0f, rect_.w / (name + 15.5f * px_));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i == 3 && active.size() > 4) dots(px);
        row(1.6f * px, [&](const Rect& row) { lane(subject, shown[i], row, px, name * px / px_); });
    }
    space(0.5f * px_);
}

void LessonRequest::dots(float px) {
    row(0.7f * px, [&](const Rect& row) {
        for (const float dy : {0.1f, 0.35f, 0.6f})
            draw_list()->AddCircleFilled({row.x + 3.2f * px, row.y + dy * px}, 0.07f * px,
                                         look_.colors().ink3);
    });
}

// `name`: the width of the longest element name, pixels.
void LessonRequest::lane(const LessonSubject& subject, std::uint32_t number, const Rect& row,
                         float px, float name) {
    const Palette& colors = look_.colors();
    const LaneState& state = subject.replay->state().request.lanes[number];
    const float y = row.center().y;
    const bool bank = subject.shared();
    const bool bad = subject.replay->state().request.cost.bank_conflicts > 0;
    draw_text({row.x, y}, "lane", {Face::kRegular, px, colors.ink2});
    draw_text({row.x + 3.6f * px, y}, std::to_string(number),
              {Face::kMonoBold, px, colors.ink, Align::kRight});
    arrow({row.x + 4.1f * px, y}, px);
    draw_text({row.x + 6.3f * px, y}, element_of(subject, number),
              {Face::kMonoBold, px, colors.ink});
    float x = row.x + 6.8f * px + name;
    arrow({x, y}, px);
    x += 2.2f * px;
    x += draw_text({x, y}, bank ? "bank" : "sector", {Face::kRegular, px, colors.ink2}) + 0.4f * px;
    const std::string place = with_commas(bank ? state.bank : state.sector);
    const Rect chip{x, y - 0.65f * px,
                    std::max(1.6f * px, text_width(place, Face::kMonoBold, 0.9f * px) + px),
                    1.3f * px};
    const Role role = role_of_array(*subject.replay, subject.site->array);
    fill_rect(chip, bad ? colors.conflict : colors.solid(role), 0.25f * px);
    draw_text(chip.center(), place, {Face::kMonoBold, 0.9f * px, colors.on, Align::kCenter});
}

void LessonRequest::arrow(ImVec2 at, float px) {
    const ImU32 color = look_.colors().ink3;
    const float length = 1.8f * px, head = 0.3f * px;
    draw_list()->AddLine(at, {at.x + length - head, at.y}, color, 0.08f * px);
    draw_list()->AddTriangleFilled({at.x + length, at.y},
                                   {at.x + length - 1.4f * head, at.y - head},
                                   {at.x + length - 1.4f * head, at.y + head}, color);
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
    row(3.6f * px_, [&](const Rect& row) {
        if (scope_.workbench.moving()) return;
        const Palette& colors = look_.colors();
        const bool bad = shared ? cost.bank_conflicts > 0 : cost.bytes_used * 2 < cost.bytes_moved;
        const float wide = draw_text({row.x, row.center().y}, with_commas(value),
                                     {Face::kBold, 3.4f * px_, bad ? colors.conflict : colors.c}) +
                           0.8f * px_;
        draw_text({row.x + wide, row.y + 1.1f * px_}, unit, {Face::kBold, 1.3f * px_, colors.ink});
        const float words = text_width(detail, Face::kRegular, 0.85f * px_);
        const float fit = std::min(1.0f, (row.w - wide) / std::max(words, 1.0f));
        draw_text({row.x + wide, row.y + 2.6f * px_}, detail,
                  {Face::kRegular, 0.85f * px_ * fit, colors.ink2});
        register_widget("lesson.figure", row);
    });
    space(0.4f * px_);
}

}  // namespace tilereel
