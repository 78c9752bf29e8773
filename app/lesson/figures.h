#pragma once
// The figures that a lesson's sentences name in braces, such as {wavefronts}: all of them come from
// the recording. assets/lessons/README.md lists them.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "app/lesson/lesson.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/counters.h"

namespace tilereel {

using LessonValue = std::variant<double, std::string>;
using LessonFigures = std::map<std::string, LessonValue, std::less<>>;

// Where the figures of a whole launch come from.
struct LessonLaunchFacts {
    const Trace& trace;
    const KernelCounts& counts;
    const Generation& generation;
    std::size_t errors = 0, warnings = 0;  // findings
};
void put_launch_figures(LessonFigures& figures, const LessonLaunchFacts& facts);
// Puts the figures of the watched block, and of the request in flight at the replay's present tick.
void put_moment_figures(LessonFigures& figures, const Replay& replay);
// {gflops.1}, {contender.1}, ... in the order of the scene's list; {device}, {size}. kFailed if the
// race lacks one of them.
[[nodiscard]] Status put_race_figures(LessonFigures& figures, const Race& race,
                                      const LessonRace& of);
// "08 tiled_b_transposed, PAD 1", "cuBLAS"
[[nodiscard]] std::string lesson_title(const Contender& contender);
// Median GFLOPS of a contender at N; nullopt: it was not raced so.
[[nodiscard]] std::optional<double> gflops_in(const Race& race, const Contender& contender,
                                              int size);

// Looks up "wavefronts", or "naive:sectors" of the scene with that id.
using FigureLookup = std::function<const LessonValue*(std::string_view name)>;
// The text with each {expression} replaced: a figure, or figures and numbers joined by + - * /,
// from left to right. "{{" is a brace. kWrongCall for a figure that there is not.
[[nodiscard]] Result<std::string> filled(std::string_view text, const FigureLookup& lookup);
// As it stands in a sentence: "1,024", "0.25", "15.1".
[[nodiscard]] std::string text_of_figure(double value);

}  // namespace tilereel
