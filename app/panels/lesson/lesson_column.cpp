// The text beside the picture, in the largest font that fits.
#include <algorithm>
#include <string>

#include "app/panels/lesson/lesson_request.h"
#include "app/panels/measure.h"
#include "app/ui/utf8.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

using Kind = LessonBeat::Kind;

class SceneColumn : public LessonRequest {
  public:
    using LessonRequest::LessonRequest;

    float draw() {
        text(scope_.prepared().text);
        const LessonBeat beat = scope_.lesson.beat_shown();
        if (!scope_.scene().race) {
            said(beat);
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
};

}  // namespace

void draw_lesson_column(const LessonScope& scope, const Rect& rect) {
    constexpr float kReadable = 0.77f;  // smallest readable share of the usual size
    const float usual = scope.measure.type(30);
    float px = 0;
    RequestDetail detail = RequestDetail::kAll;
    for (const RequestDetail tried :
         {RequestDetail::kAll, RequestDetail::kNoLanes, RequestDetail::kFigure}) {
        const float fits = fitting_px(usual, rect.h, [&](float type) {
            return SceneColumn(scope, rect, type, tried).draw();
        });
        if (fits <= px) continue;
        px = fits;
        detail = tried;
        if (px >= kReadable * usual) break;
    }
    register_widget("lesson.column", rect);
    SceneColumn(scope, rect, px, detail).draw();
}

}  // namespace tilereel
