#pragma once
// The values that a lesson's sentences name in braces, such as {wavefronts}. All of them come from
// the recording. assets/lessons/README.md lists them.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "app/lesson/lesson.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {

using LessonValue = std::variant<double, std::string>;
using LessonFigures = std::map<std::string, LessonValue, std::less<>>;

// The sources of the figures of a whole launch.
struct LessonLaunchFacts {
    const Trace& trace;
    const KernelCounts& counts;
    const Generation& generation;
    std::size_t errors = 0, warnings = 0;  // numbers of findings
};
void put_launch_figures(LessonFigures& figures, const LessonLaunchFacts& facts);
// The counters alone: "global_load.sectors", "barriers".
void put_count_figures(LessonFigures& figures, const KernelCounts& counts);
// Adds the figures of the watched block, and of the current request at the replay's position.
void put_moment_figures(LessonFigures& figures, const Replay& replay);
// Adds {gflops.1}, {contender.1}, ... in the order of the scene's list, {device} and {size}.
// kFailed if the race lacks one of them.
[[nodiscard]] Status put_race_figures(LessonFigures& figures, const Race& race,
                                      const LessonRace& of);
// What an estimate says of a launch. Estimated on an H100.
struct LessonTime {
    double gflops = 0, low = 0, high = 0;
    bool is_bound = false;     // `gflops` is the most that is possible; `low` and `high` are 0
    std::string limiter;       // "memory pipe"
    bool waits = false;        // no pipe is busy: warps wait; `limiter` is the busiest
    double busy = 0, fma = 0;  // shares of the time: of `limiter`, and of the FMA pipe
    std::uint32_t line = 0;    // with the largest share of the limiter; 0: unknown
    int size = 0;              // N
};
// Adds {time.speed}, {time.gflops}, {time.limit}, {time.busy}, {time.fma}, {time.line} and
// {time.size}.
void put_time_figures(LessonFigures& figures, const LessonTime& time);
// "08 tiled_b_transposed, PAD 1", "cuBLAS"
[[nodiscard]] std::string lesson_title(const Contender& contender);
// Median GFLOPS of a contender for a square product of size N. nullopt if the race has no such
// result.
[[nodiscard]] std::optional<double> gflops_in(const Race& race, const Contender& contender,
                                              int size);

// Looks up "wavefronts", or "naive:sectors" for a value of the scene with the id "naive". nullptr
// if there is none.
using FigureLookup = std::function<const LessonValue*(std::string_view name)>;
// Replaces each {expression} in the text. An expression is a figure, or figures and numbers joined
// by + - * / and evaluated from left to right. "{{" is a literal brace. kWrongCall if a figure does
// not exist.
[[nodiscard]] Result<std::string> filled(std::string_view text, const FigureLookup& lookup);
// The number as it is written in a sentence: "1,024", "0.25", "15.1".
[[nodiscard]] std::string text_of_figure(double value);

}  // namespace tilereel
