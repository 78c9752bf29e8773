#pragma once
// A lesson that is ready to be shown: its launches recorded, its places found in their replays, its
// sentences filled with figures.
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/lesson/figures.h"
#include "app/lesson/read_lesson.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/plain/program.h"

namespace tilereel {

struct PreparedStop {
    double position = 0;  // ticks
    std::string say;
};

struct PreparedScene {
    std::shared_ptr<const Trace> trace;  // nullptr: of a race, or of a scene with a mistake
    RecordRequest request;               // as recorded
    std::uint32_t block = 0;
    std::shared_ptr<const Trace> other;  // beside it; nullptr: the scene compares nothing
    std::vector<PreparedStop> stops;
    std::string title, text, question, answer;
    LessonFigures figures;
};

struct PreparedLesson {
    LessonReading reading;              // with the mistakes that only the recording showed
    std::vector<PreparedScene> scenes;  // as many as the lesson has
    std::shared_ptr<const Race> race;   // the recorded one; nullptr: no scene needs it
    [[nodiscard]] bool sound() const { return reading.mistakes.empty(); }
};

struct LessonTools {
    using Record = std::function<Result<Trace>(const RecordRequest&)>;
    using Run = std::function<Result<plain::ProgramRun>(const plain::ProgramRequest&)>;
    Record record{};               // empty: plain::record_ladder()
    Run run{};                     // empty: plain::run_program()
    std::filesystem::path race{};  // the recorded one; empty: the one that is shipped
    const std::atomic<bool>* cancel = nullptr;
};
// Takes as long as its recordings. A lesson with mistakes is prepared no further than to the first
// kind of them: of the file, then of the recordings and places, then of the figures.
[[nodiscard]] PreparedLesson prepare_lesson(LessonReading reading, const LessonTools& tools = {});

// Everything that is wrong with it, a sentence each with file and line.
[[nodiscard]] Error mistakes_of(const PreparedLesson& prepared);

}  // namespace tilereel
