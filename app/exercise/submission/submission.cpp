#include "app/exercise/submission/submission.h"

#include <algorithm>
#include <utility>

#include "app/exercise/harness.h"
#include "app/exercise/judge.h"
#include "app/exercise/submission/submission_text.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/build_object.h"
#include "instrumentation/program/stranger.h"

namespace tilereel {
namespace {

using program::BuiltProgram;
using program::CompileError;
using program::ProgramRequest;

// The object of the exercise's harness. Fails if the exercise's own C++ does not compile.
Result<std::filesystem::path> harness_of(const GradeRequest& request) {
    SharedWork& shared = *request.shared;
    const std::lock_guard lock(shared.mutex);
    if (shared.harness) return shared.harness->program;
    const auto folder = TRY(program::temporary_folder());
    ProgramRequest harness = limited_request(request);
    harness.file = *folder / kHarnessFile;
    TRY(write_text(harness.file, harness_text(*request.exercise)));
    program::ProgramProgress progress;
    if (request.stop != nullptr) progress.stop = request.stop;
    BuiltProgram built = TRY(program::build_object(harness, &progress));
    if (!built.errors.empty()) {
        const CompileError& error = built.errors.front();
        return failed(std::filesystem::path(error.file).filename().string() + ", line " +
                      std::to_string(error.line) + ": " + error.message);
    }
    shared.harness = std::move(built);
    return shared.harness->program;
}

// The next run of the same program overwrites its recordings: they go to a folder of their own.
Result<program::ProgramRun> with_own_folder(program::ProgramRun run) {
    run.folder = TRY(program::temporary_folder());
    for (program::LaunchSummary& launch : run.launches) {
        if (launch.trace.empty()) continue;
        const std::filesystem::path own = *run.folder / launch.trace.filename();
        std::error_code moved;
        std::filesystem::rename(launch.trace, own, moved);
        launch.trace = moved ? std::filesystem::path() : own;
    }
    return run;
}

bool ended_well(const program::ProgramRun& run) {
    return run.end == program::ProgramEnd::kCancelled ||
           (run.end == program::ProgramEnd::kExit && run.exit_code == 0);
}

}  // namespace

ProgramRequest limited_request(const GradeRequest& of) {
    constexpr double kWholeRun = 3;  // times the time without progress
    ProgramRequest request;
    request.limits.seconds = of.seconds;
    request.limits.whole_seconds = kWholeRun * of.seconds;
    request.limits.memory_bytes = std::uint64_t{2} << 30;
    request.limits.file_bytes = std::uint64_t{256} << 20;
    request.limits.processes = 16;
    request.limits.output_bytes = 64 << 10;
    request.limits.accesses_a_launch = request.limits.accesses_of_sample = 8 << 20;
    request.limits.accesses = 16 << 20;
    request.limits.compile_seconds = 60;
    request.keeps_assignments = false;
    request.in_sandbox = !of.trusted;
    return request;
}

bool met_a_limit(const Error& error) {
    return error.message.starts_with("the recorder failed: ") &&
           error.message.find("raise") != std::string::npos;
}

// By its first words the compiler's plugin says that a rule is broken, not the language.
Refusal refusal_of(const CompileError& error, std::uint32_t line, std::uint32_t column) {
    constexpr std::string_view kRule = "not accepted: ";
    if (error.message.starts_with(kRule)) return {error.message.substr(kRule.size()), line, column};
    const bool of_sandbox = error.message.find(program::kIncludesInSandbox) != std::string::npos;
    return {error.message, line, column,
            of_sandbox ? Refusal::Cause::kRule : Refusal::Cause::kCompiler};
}

Result<Submission> Submission::build(const GradeRequest& request, const std::string& text,
                                     const std::string& name) {
    Submission made;
    made.folder_ = TRY(program::temporary_folder());
    const std::filesystem::path file = *made.folder_ / name;
    TRY(write_text(file, text));
    made.request_ = limited_request(request);
    made.request_.file = file;
    made.request_.more_files = {TRY(harness_of(request))};
    // What has no value has no lucky value: a sum that is not set to 0 gives a wrong result.
    made.request_.compiler_flags = {std::string("-Dmain=") + kOtherMain,
                                    "-ftrivial-auto-var-init=pattern",
                                    "-fplugin-arg-plugin-submission=" + file.string()};
    program::ProgramProgress progress;
    if (request.stop != nullptr) progress.stop = request.stop;
    made.built_ = TRY(program::build_program(made.request_, &progress));
    return made;
}

std::vector<Refusal> Submission::refusals(const Exercise& exercise) const {
    std::vector<Refusal> found;
    for (const CompileError& error : built_.errors) {
        const bool own = error.file == request_.file.string() && error.line > 0;
        if (error.missing.starts_with(exercise.function_name + "("))
            found.push_back(missing_function(exercise));
        else if (!own || std::ranges::count(found, error.line, &Refusal::line) == 0)
            found.push_back(refusal_of(error, own ? error.line : 0, own ? error.column : 0));
    }
    return found;
}

bool Submission::was_late() const {
    return std::ranges::any_of(built_.errors, &CompileError::was_late);
}

Result<RunFacts> Submission::run(const GradeRequest& grade, const NamedNumbers& sizes,
                                 unsigned number, std::vector<program::ProgramRun>* kept) const {
    Result<program::ProgramRun> ran = run_program_of(grade, sizes, number);
    if (!ran && met_a_limit(ran.error())) {
        RunFacts none;
        none.problem.sentence = kTooMuchMemory;
        none.sizes = sizes;
        return none;
    }
    program::ProgramRun run = TRY(std::move(ran));
    if (!ended_well(run)) TRY(blame_exercise(grade, sizes, number));
    RunFacts facts = facts_of_run(run, &*grade.exercise);
    facts.sizes = sizes;
    if (kept != nullptr) kept->push_back(TRY(with_own_folder(std::move(run))));
    return facts;
}

Refusal Submission::missing_function(const Exercise& exercise) const {
    const auto text = read_source(request_.file);
    const auto hidden = text ? hidden_function(*text, exercise.function_name) : std::nullopt;
    if (hidden) return {hidden->sentence, static_cast<std::uint32_t>(hidden->line)};
    return {"there is no function " + exercise.function + "; write it with these parameters"};
}

Result<program::ProgramRun> Submission::run_program_of(const GradeRequest& grade,
                                                       const NamedNumbers& sizes,
                                                       unsigned number) const {
    ProgramRequest request = request_;
    request.arguments = harness_arguments(*grade.exercise, sizes, grade.seed, number);
    program::ProgramProgress progress;
    if (grade.stop != nullptr) progress.stop = grade.stop;
    return program::run_built(built_, request, &progress);
}

Status Submission::blame_exercise(const GradeRequest& grade, const NamedNumbers& sizes,
                                  unsigned number) {
    const Exercise& exercise = *grade.exercise;
    std::string function = exercise.function;
    if (function.ends_with(';')) function.pop_back();
    const Submission idle =
        TRY(build(grade, "#include <cuda_runtime.h>\n" + function + " {}\n", "idle.cu"));
    if (!idle.built_.errors.empty()) return Done{};
    const auto run = idle.run_program_of(grade, sizes, number);
    if (!run || ended_well(*run)) return Done{};
    return failed(exercise.file.filename().string() + ", line " +
                  std::to_string(exercise.reference_line) + ": the reference cannot be computed (" +
                  sizes_text(sizes) + "): " + run->end_sentence);
}

}  // namespace tilereel
