#pragma once
// Grades for tests of exercises: nothing is compiled. The judged run is transpose_trace().
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/exercise/grade.h"
#include "instrumentation/program/program.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/trace/program_traces.h"

namespace tilereel::tests {

struct MadeUpGrades {
    // The second of three checks fails on this line; 0: all pass.
    std::uint32_t failing_line = 0;
    std::string advice;  // of the check that fails; empty: there is none
    std::string failing_counter, changes = "sectors \xc3\xb7 16";
    std::vector<Refusal> refusals;
    std::string error;    // empty: there is none
    bool records = true;  // false: the submission did not run
    bool wait_for_stop_once = false, was_stopped = false;
    std::vector<GradeRequest> asked;

    std::function<Result<Grade>(const GradeRequest&)> function() {
        return [this](const GradeRequest& request) { return grade(request); };
    }

  private:
    Result<Grade> grade(const GradeRequest& request) {
        asked.push_back(request);
        asked.back().stop = nullptr;
        if (std::exchange(wait_for_stop_once, false)) {
            while (!*request.stop) std::this_thread::yield();
            was_stopped = true;
            return failed("stopped");
        }
        if (!error.empty()) return failed(error);
        using State = CheckResult::State;
        Grade made;
        made.sizes = {{{"n", 16}}};
        made.refusals = refusals;
        if (records) made.recordings = {recorded()};
        made.checks = {{.state = State::kPassed,
                        .words = "out is right",
                        .sentence = "128 of 128 elements are right"},
                       {.state = State::kPassed,
                        .words = "shared.bank_conflicts == 0",
                        .sentence = "shared.bank_conflicts is 0"},
                       {.state = State::kPassed, .words = "no findings", .sentence = "none"}};
        for (CheckResult& check : made.checks)
            if (!refusals.empty()) check.state = State::kNotJudged;
        if (failing_line != 0)
            made.checks[1] = {.state = State::kFailed,
                              .words = "shared.bank_conflicts == 0",
                              .sentence = "shared.bank_conflicts is 31,744 and should be 0; line " +
                                          std::to_string(failing_line) +
                                          " has all of them (n = 16)",
                              .line = failing_line,
                              .counter = failing_counter,
                              .counted = "31,744",
                              .wanted = "should be 0"};
        if (failing_line != 0 && !advice.empty()) {
            made.checks[2] = {.state = State::kFailed,
                              .words = "no findings",
                              .sentence = "thread 3 writes a[0] on line 6: " + advice,
                              .line = failing_line,
                              .what = "thread 3 writes a[0] on line 6",
                              .advice = advice};
            made.checks[1].state = State::kPassed;
        }
        if (made.all_passed()) made.changes = changes;
        return made;
    }

    static program::ProgramRun recorded() {
        program::ProgramRun run;
        run.folder = program::temporary_folder().value();
        program::LaunchSummary& launch = run.launches.emplace_back();
        launch.kernel = "transpose";
        launch.trace = *run.folder / "launch.npz";
        static_cast<void>(write_trace(transpose_trace(), launch.trace, Compression::kNone));
        return run;
    }
};

}  // namespace tilereel::tests
