#pragma once
// A submission that is compiled with the harness of an exercise, and its runs.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/exercise/grade_request.h"
#include "instrumentation/program/program.h"

namespace tilereel {

inline constexpr const char* kHarnessFile = "tilereel_check.cu";
inline constexpr const char* kTooMuchMemory =
    "The program was stopped: it used more than 2 GiB of memory; give it less to do.";

// A request with the limits of a check, still without a file.
[[nodiscard]] program::ProgramRequest limited_request(const GradeRequest& of);
// Whether the recorder failed because it met a limit of the check, which a learner cannot raise.
[[nodiscard]] bool met_a_limit(const Error& error);
[[nodiscard]] Refusal refusal_of(const program::CompileError& error, std::uint32_t line,
                                 std::uint32_t column);

class Submission {
  public:
    // `name`: of the file in messages.
    [[nodiscard]] static Result<Submission> build(const GradeRequest& request,
                                                  const std::string& text, const std::string& name);

    // Why it cannot run; empty: it can.
    [[nodiscard]] std::vector<Refusal> refusals(const Exercise& exercise) const;
    // The compiler was stopped at its limit of time, which says little about the text.
    [[nodiscard]] bool was_late() const;

    // `kept`: receives the run with its recordings; may be null.
    [[nodiscard]] Result<RunFacts> run(const GradeRequest& grade, const NamedNumbers& sizes,
                                       unsigned number,
                                       std::vector<program::ProgramRun>* kept) const;

  private:
    // The exercise's function cannot be called: it is hidden, or there is none.
    [[nodiscard]] Refusal missing_function(const Exercise& exercise) const;
    [[nodiscard]] Result<program::ProgramRun> run_program_of(const GradeRequest& grade,
                                                             const NamedNumbers& sizes,
                                                             unsigned number) const;
    // Fails if the check does not end well with a function that does nothing, either: then the
    // exercise's reference or its arrays are at fault, and not what was handed in.
    static Status blame_exercise(const GradeRequest& grade, const NamedNumbers& sizes,
                                 unsigned number);

    std::shared_ptr<const std::filesystem::path> folder_;
    program::ProgramRequest request_;
    program::BuiltProgram built_;
};

}  // namespace tilereel
