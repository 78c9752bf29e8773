#include "app/panels/source/run_state.h"

#include <algorithm>
#include <cmath>

#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

// "Recording block 5,3: ". Empty unless the program runs in order to record a block.
std::string asked_text(const OpenedProgram& program) {
    if (!program.asked || !program.run) return {};
    for (const program::LaunchSummary& launch : program.run->launches)
        if (launch.number == program.asked->launch)
            return "Recording block " + block_name(launch.grid, program.asked->block) + ": ";
    return {};
}

std::string seconds_text(double seconds) {
    return printed(seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
}

// ": 14 s", or ": 14 s, without progress for 12 s of 60 s": then the program is stopped.
std::string time_text(const OpenedProgram& program) {
    constexpr double kShort = 2;
    if (!program.running_seconds) return {};
    const double limit = program.request.limits.seconds, quiet = program.quiet_seconds;
    const std::string all = printed(": %.0f s", std::floor(*program.running_seconds));
    if (quiet < kShort) return all;
    return all + printed(", without progress for %.0f s of ", std::min(std::floor(quiet), limit)) +
           printed("%.3g s", limit);
}

// "Running launch 3 (5 in all), 40 %: 14 s". The number of launches comes from the previous run.
std::string stage_text(const OpenedProgram& program) {
    const program::ProgramStage& stage = program.stage;
    if (program.ending) return "Ending; what it has recorded is kept";
    if (stage.kind == program::ProgramStage::Kind::kCompiling) return "Compiling";
    std::string words = "Running launch " + std::to_string(stage.launch);
    if (program.run && !program.unfinished && program.run->launches.size() > stage.launch)
        words += " (" + std::to_string(program.run->launches.size()) + " in all)";
    if (stage.share > 0)
        words += ", " + std::to_string(static_cast<int>(100 * std::min(stage.share, 1.0))) + " %";
    return words + time_text(program);
}

// How the program ended, and after how long.
RunState end_of(const program::ProgramRun& run, const Palette& colors) {
    using program::ProgramEnd;
    const std::string after = " after " + seconds_text(run.run_seconds);
    if (run.end == ProgramEnd::kSignal) return {"crashed" + after, colors.conflict};
    if (run.end == ProgramEnd::kCancelled) return {"cancelled" + after, colors.wait_text};
    if (run.end != ProgramEnd::kExit) return {"stopped" + after, colors.wait_text};
    if (run.exit_code != 0)
        return {"exit code " + std::to_string(run.exit_code) + after, colors.wait_text};
    if (const std::string failed = program::launch_error_text(run); !failed.empty())
        return {failed, colors.wait_text};
    return {"ran in " + seconds_text(run.compile_seconds + run.run_seconds), colors.c};
}

}  // namespace

RunState state_of(const OpenedProgram& program, const Palette& colors) {
    if (program.running) return {asked_text(program) + stage_text(program), colors.accent};
    const std::string when = program.saved ? "saved " + program.started + ": " : std::string();
    if (program.cancelled_after)
        return {"cancelled after " + seconds_text(*program.cancelled_after) +
                    (program.run ? "; the former run is shown" : ""),
                colors.wait_text};
    if (!program.error.empty()) return {when + "cannot be run", colors.conflict};
    if (!program.compile_errors.empty()) return {when + "does not compile", colors.conflict};
    if (!program.run) return {"cancelled", colors.ink2};
    const RunState end = end_of(*program.run, colors);
    return {when + end.words, end.color};
}

bool has_errors(const OpenedProgram& program) {
    return !program.running && (!program.error.empty() || !program.compile_errors.empty());
}

}  // namespace tilereel
