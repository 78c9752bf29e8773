// The race at the end of a lesson: a bar for each kernel.
#include <algorithm>
#include <string>

#include "app/lesson/scene_words.h"
#include "app/panels/lesson/lesson_parts.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

struct RaceBar {
    std::string name;
    double gflops = 0;
    bool reference = false;
};

// A race that ran in this session is preferred to the recorded one.
const Race* race_of(const LessonScope& scope) {
    const ShownRace* const shown = scope.workbench.races().shown();
    const LessonRace& wanted = *scope.scene().race;
    if (shown != nullptr && shown->file.empty() && !shown->running &&
        std::ranges::all_of(wanted.contenders, [&](const Contender& contender) {
            return gflops_in(shown->race, contender, wanted.size).has_value();
        }))
        return &shown->race;
    return scope.lesson.prepared->race.get();
}

}  // namespace

void draw_lesson_race(const LessonScope& scope, const Rect& rect, float grown) {
    const Race* const race = race_of(scope);
    if (race == nullptr) return;
    const LessonRace& wanted = *scope.scene().race;
    std::vector<RaceBar> bars;
    double most = 0;
    for (const Contender& contender : wanted.contenders) {
        bars.push_back({name_in_bars(contender),
                        gflops_in(*race, contender, wanted.size).value_or(0),
                        is_reference(contender)});
        most = std::max(most, bars.back().gflops);
    }
    const Palette& colors = scope.colors();
    const float px = scope.measure.type(28);
    draw_text_fit({rect.x, rect.y + 0.6f * px}, rect.w,
                  "GFLOPS on " + race->machine.device +
                      ", N = " + with_commas(static_cast<std::uint64_t>(wanted.size)),
                  {Face::kRegular, px, colors.ink2});
    const auto count = static_cast<float>(bars.size());
    const float top = rect.y + 2 * px;
    const float row = std::min((rect.bottom() - top) / count, 7.5f * px);
    const float figure = text_width("00,000", Face::kBold, 1.3f * px) + 0.8f * px;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const RaceBar& entry = bars[i];
        const float y = top + static_cast<float>(i) * row;
        const float bar = std::min(2.4f * px, row - 1.8f * px);
        draw_text_fit({rect.x, y + 0.6f * px}, rect.w, entry.name,
                      {Face::kSemiBold, px, colors.ink});
        const auto share = static_cast<float>(most > 0 ? entry.gflops / most : 0);
        const Rect full{rect.x, y + 1.4f * px, (rect.w - figure) * share, bar};
        Rect now = full;
        // All bars start together and grow at the speed of their kernels.
        now.w = std::max(scope.measure.u(3), (rect.w - figure) * std::min(share, grown * share));
        const bool last = i + 1 == bars.size() || entry.gflops >= most;
        fill_rect(now,
                  entry.reference ? colors.ink3
                  : last          ? colors.accent
                                  : colors.c,
                  scope.measure.u(4));
        draw_text({now.right() + 0.4f * px, now.center().y},
                  with_commas(static_cast<std::uint64_t>(entry.gflops * grown + 0.5)),
                  {Face::kBold, 1.3f * px, colors.ink});
        register_widget("lesson.race." + std::to_string(i), full);
    }
}

}  // namespace tilereel
