#pragma once
// A lesson that is ready to be shown: its launches are recorded, its moments are found in their
// replays, and its sentences are filled with figures.
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/ladder/record_request.h"
#include "app/lesson/figures.h"
#include "app/lesson/read_lesson.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/program/program.h"

namespace tilereel {

struct PreparedStop {
    double position = 0;        // ticks
    double other_position = 0;  // ticks of the right side, if there is one
    std::string say;
};

struct PreparedScene {
    std::shared_ptr<const Trace> trace;  // nullptr: a race, or a scene with a mistake
    RecordRequest request;               // of `trace`, with the thread order it was recorded in
    std::uint32_t block = 0;
    std::shared_ptr<const Trace> other;  // right side of a comparison; nullptr: there is none
    std::uint32_t other_block = 0;       // of `other`
    std::vector<PreparedStop> stops;
    std::string title, text, question, answer;
    LessonFigures figures;
};

struct PreparedLesson {
    LessonReading reading;                  // including mistakes that the recordings revealed
    std::vector<PreparedScene> scenes;      // one for each scene of the lesson
    std::shared_ptr<const Race> race;       // the recorded race; nullptr: no scene needs it
    std::size_t left_out = 0;               // scenes that run a program
    std::vector<LessonMistake> warnings{};  // questions whose answer is on the screen already
    [[nodiscard]] bool sound() const { return reading.mistakes.empty(); }
};

struct LessonTools {
    using Record = std::function<Result<Trace>(const RecordRequest&)>;
    using Run = std::function<Result<program::ProgramRun>(const program::ProgramRequest&)>;
    Record record{};  // empty: record_ladder()
    Run run{};        // empty: program::run_program()
    using Estimate = std::function<Result<LessonTime>(const LessonTimed&)>;
    Estimate estimate{};           // empty: a scene with an estimate is a mistake
    std::filesystem::path race{};  // file of the recorded race; empty: the one that is shipped
    // false: scenes of a program are not prepared; they are only counted as left out.
    bool runs_programs = true;
    const std::atomic<bool>* cancel = nullptr;
};
// Records all launches in this call, so it can take long. It stops after the first stage with
// mistakes. The stages are: the file, the recordings and moments, the figures.
[[nodiscard]] PreparedLesson prepare_lesson(LessonReading reading, const LessonTools& tools = {});

// All mistakes, one sentence for each with file and line.
[[nodiscard]] Error mistakes_of(const PreparedLesson& prepared);

}  // namespace tilereel
