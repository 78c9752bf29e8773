#include "app/panels/source/source_place.h"

#include <system_error>

#include "app/workbench/exercise/exercise_bench.h"

namespace tilereel {
namespace {

std::filesystem::path whole_path(const std::filesystem::path& file) {
    std::error_code unknown;
    std::filesystem::path whole = std::filesystem::absolute(file, unknown);
    return unknown ? file : whole.lexically_normal();
}

// The running line if it is in the trace's first file, the one that is shown.
std::uint32_t line_that_runs(const Replay* replay) {
    if (replay == nullptr || replay->schedule().steps.empty()) return 0;
    const ReplayState& state = replay->state();
    const std::uint32_t step = state.step != kNoStep ? state.step : state.request.step;
    if (step == kNoStep) return 0;
    const Site& site = replay->trace().sites[replay->schedule().steps[step].site];
    return site.file == 0 ? site.line : 0;
}

// A kernel may lie in a file that the program includes.
std::filesystem::path file_of_kernel(const OpenedProgram& program, const Trace& trace) {
    const std::filesystem::path name = trace.source_name;
    if (name.filename() == program.request.file.filename()) return program.request.file;
    std::error_code unknown;
    const std::filesystem::path beside = program.request.file.parent_path() / name;
    return std::filesystem::is_regular_file(beside, unknown) ? beside : program.request.file;
}

}  // namespace

std::optional<SourcePlace> source_place(const Workbench& workbench) {
    const OpenedExercise* const exercise = workbench.exercises().exercise();
    if (workbench.view().mode == WindowMode::kLessons && exercise != nullptr) {
        if (exercise->copy.empty()) return std::nullopt;
        return SourcePlace{whole_path(exercise->copy), line_that_runs(workbench.replay())};
    }
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || workbench.view().mode == WindowMode::kLessons) return std::nullopt;
    if (!program->compile_errors.empty()) {
        const program::CompileError& error = program->compile_errors.front();
        const bool of_file =
            std::filesystem::path(error.file).filename() == program->request.file.filename();
        return SourcePlace{whole_path(program->request.file), of_file ? error.line : 0};
    }
    if (!workbench.shows_program())
        return workbench.replay() == nullptr
                   ? std::optional(SourcePlace{whole_path(program->request.file), 0})
                   : std::nullopt;
    const Replay* const replay = workbench.replay();
    if (replay == nullptr) return SourcePlace{whole_path(program->request.file), 0};
    return SourcePlace{whole_path(file_of_kernel(*program, replay->trace())),
                       line_that_runs(replay)};
}

}  // namespace tilereel
