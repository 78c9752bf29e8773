// The text beside the picture, in the largest font that fits.
#include <algorithm>
#include <string>
#include <vector>

#include "app/lesson/scene_words.h"
#include "app/panels/array_role.h"
#include "app/panels/lesson/lesson_parts.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_table.h"
#include "app/ui/fonts/utf8.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

using Kind = LessonBeat::Kind;

// The request that the scene explains. Its pointers are nullptr if there is none.
struct LessonSubject {
    const Replay* replay = nullptr;
    const Site* site = nullptr;
    const Array* array = nullptr;
    [[nodiscard]] bool shared() const { return array->space == Space::kShared; }
};

constexpr const char *kArrow = "\xe2\x86\x92", *kDots = "\xe2\x80\xa6";

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

// What is shown of the request. If the font would become too small, first the lanes are left out,
// then the source line.
enum class RequestDetail : std::uint8_t { kAll, kNoLanes, kFigure };

class SceneColumn : public Column {
  public:
    SceneColumn(const LessonScope& scope, const Rect& rect, float px, RequestDetail detail,
                const LessonBeat& beat)
        : Column(scope.look, rect, px), scope_(scope), detail_(detail), beat_(beat) {}

    float draw() {
        const LessonBeat& beat = beat_;
        if (beat.stop > 0 && scope_.on_its_way()) plays_on();
        // Beside a question the text would give the answer away.
        if (beat.kind != Kind::kPrediction) on_arrival([&] { text(scope_.prepared().text); });
        if (!scope_.scene().race) {
            on_arrival([&] { said(beat); });
            const LessonSubject subject = lesson_subject(scope_);
            // In a comparison, the headers of both pictures show the cost of their requests.
            const bool hidden = beat.kind == Kind::kPrediction || scope_.scene().other;
            if (subject.replay != nullptr && !hidden) request(subject);
            // A scene with a question or an answer has no room for a prediction.
            if (hidden || beat.kind == Kind::kStop) prediction(beat);
        }
        question(beat);
        return height();
    }

  private:
    // Draws words that are true at a stop of the scene. On the way to it, their room stays empty:
    // the requests that pass are others.
    template <class Draw>
    void on_arrival(const Draw& draw) {
        if (!scope_.on_its_way()) return draw();
        static_cast<void>(measured([&] {
            draw();
            return height();
        }));
    }

    // In the room of the words that wait.
    void plays_on() const {
        const float room = std::min(rect_.w, 18 * px_);
        draw_text_fit({rect_.x, y() + 0.67f * px_}, room, "playing on to the next stop\xe2\x80\xa6",
                      {Face::kRegular, px_, look_.colors().ink2});
    }

    void text(std::string_view words) {
        for (const std::string_view each : split(words, "\n\n")) {
            std::string part(each);
            std::ranges::replace(part, '\n', ' ');
            while (!part.empty() && part.back() == ' ') part.pop_back();
            if (part.empty()) continue;
            paragraph(part, Face::kRegular, look_.colors().ink);
            space(0.6f * px_);
        }
    }

    // The sentence of the current stop.
    void said(const LessonBeat& beat) {
        if (beat.kind == Kind::kPrediction) return;
        const std::string& say = scope_.prepared().stops[beat.stop].say;
        if (say.empty()) return;
        const float top = y();
        paragraph(say, Face::kSemiBold, look_.colors().ink, 0.8f * px_);
        fill_rect({rect_.x, top + 0.2f * px_, 0.2f * px_, y() - top - 0.4f * px_},
                  look_.colors().accent, 0.1f * px_);
        space(0.6f * px_);
    }

    void prediction(const LessonBeat& beat) {
        const Replay* const replay = scope_.replay();
        if (!scope_.scene().predict || replay == nullptr || beat.stop != 0) return;
        const auto asked = prediction_of(*replay, step_asked(scope_, *replay));
        if (!asked) return;
        const PredictionCard card{.asked = *asked, .answered = beat.kind != Kind::kPrediction};
        y_ += draw_prediction(look_, {rect_.x, y()}, rect_.w, px_, card);
        space(0.6f * px_);
    }

    void question(const LessonBeat& beat) {
        if (beat.kind != Kind::kQuestion && beat.kind != Kind::kAnswer) return;
        const bool answered = beat.kind == Kind::kAnswer;
        const PreparedScene& scene = scope_.prepared();
        const float height =
            draw_accent_card(look_, {rect_.x, y()}, rect_.w, px_, scene.question,
                             answered ? std::string_view(scene.answer) : std::string_view());
        register_widget("lesson.question", {rect_.x, y(), rect_.w, height});
        if (answered) register_widget("lesson.answer", {rect_.x, y(), rect_.w, height});
        y_ += height;
    }

    void request(const LessonSubject& subject) {
        // At the end of the replay there is no running line.
        const bool runs = subject.replay->state().step != kNoStep;
        if (scope_.scene().code && runs && detail_ != RequestDetail::kFigure) code(subject);
        if (scope_.scene().lanes && detail_ == RequestDetail::kAll) lanes(subject);
        // The answer to a question often is this figure.
        const bool asks = beat_.kind == Kind::kQuestion;
        if (scope_.scene().figure != LessonFigure::kNone && !asks) figure(subject);
    }

    // Draws the source line of the request. The array's name has the array's colour.
    void code(const LessonSubject& subject) {
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

    // Draws the first active lanes and the last one: the element that each accesses, and its bank
    // or sector.
    void lanes(const LessonSubject& subject) {
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
                 {with_commas(subject.shared() ? lane.bank : lane.sector), Face::kMonoBold,
                  solid}});
        }
        table.place(std::min(rect_.w, 22 * px_));
        space(table.draw({rect_.x, y_}) + 0.5f * px_);
    }

    // Draws the number of wavefronts or sectors, and the minimum. While the replay plays up to a
    // stop, the figure is left out: the lesson is not about the requests on the way.
    void figure(const LessonSubject& subject) {
        const auto shown = figure_of_request(*subject.replay, scope_.scene().figure);
        if (!shown) return;
        space(0.2f * px_);
        rule();
        space(0.5f * px_);
        const Palette& colors = look_.colors();
        const auto write = [&] {
            const float top = y_;
            styled({{with_commas(shown->value) + " ", Face::kBold,
                     shown->bad ? colors.conflict : colors.c},
                    {shown->unit, Face::kBold, colors.ink}},
                   2.2f * px_);
            paragraph(shown->detail, Face::kRegular, colors.ink2);
            register_widget("lesson.figure", {rect_.x, top, rect_.w, y_ - top});
            return y_ - top;
        };
        if (scope_.workbench.moving())
            static_cast<void>(measured(write));  // the room stays empty
        else
            write();
        space(0.4f * px_);
    }

    const LessonScope& scope_;
    const RequestDetail detail_;
    const LessonBeat beat_;
};

// The beats that share one size of text with a beat: a question and its answer, so that the words
// do not shrink when the answer comes.
std::vector<LessonBeat> of_one_size(const LessonBeat& beat) {
    if (beat.kind != Kind::kQuestion && beat.kind != Kind::kAnswer) return {beat};
    return {{Kind::kQuestion, beat.stop}, {Kind::kAnswer, beat.stop}};
}

}  // namespace

void draw_lesson_column(const LessonScope& scope, const Rect& rect) {
    constexpr float kReadable = 0.77f;  // smallest readable share of the usual size
    const float usual = scope.measure.type(30);
    const LessonBeat shown = scope.lesson.beat_shown();
    float px = 0;
    RequestDetail detail = RequestDetail::kAll;
    for (const RequestDetail tried :
         {RequestDetail::kAll, RequestDetail::kNoLanes, RequestDetail::kFigure}) {
        float fits = usual;
        for (const LessonBeat& beat : of_one_size(shown))
            fits = std::min(fits, fitting_px(usual, rect.h, [&](float type) {
                                return SceneColumn(scope, rect, type, tried, beat).draw();
                            }));
        if (fits <= px) continue;
        px = fits;
        detail = tried;
        if (px >= kReadable * usual) break;
    }
    register_widget("lesson.column", rect);
    SceneColumn(scope, rect, px, detail, shown).draw();
}

}  // namespace tilereel
