#pragma once
// Text about the request that a scene explains: source line, lanes, cost.
#include <cstdint>

#include "app/panels/column.h"
#include "app/panels/lesson/lesson_parts.h"

namespace tilereel {

// The request that the scene explains. Its pointers are nullptr if there is none.
struct LessonSubject {
    const Replay* replay = nullptr;
    const Site* site = nullptr;
    const Array* array = nullptr;
    [[nodiscard]] bool shared() const { return array->space == Space::kShared; }
};
[[nodiscard]] LessonSubject lesson_subject(const LessonScope& scope);

// The step whose cost the question asks for. An index after the last step: none.
[[nodiscard]] std::uint32_t step_asked(const LessonScope& scope, const Replay& replay);

// What is shown of the request. If the font would become too small, first the lanes are left out,
// then the source line.
enum class RequestDetail : std::uint8_t { kAll, kNoLanes, kFigure };

class LessonRequest : public Column {
  public:
    LessonRequest(const LessonScope& scope, const Rect& rect, float px, RequestDetail detail)
        : Column(scope.look, rect, px), scope_(scope), detail_(detail) {}

    void request(const LessonSubject& subject);

  private:
    void code(const LessonSubject& subject);
    void lanes(const LessonSubject& subject);
    void figure(const LessonSubject& subject);

  protected:
    const LessonScope& scope_;
    const RequestDetail detail_;
};

}  // namespace tilereel
