#pragma once
// The contents of a lesson's file: scenes in order. assets/lessons/README.md describes the file.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/race/race.h"
#include "app/subject/subject.h"
#include "instrumentation/analysis/phases/phases.h"

namespace tilereel {

// A moment of a replay, described by words such as "first read of Bs in phase 2".
struct LessonMoment {
    enum class What : std::uint8_t {
        kStart,
        kEnd,
        kTick,      // number
        kPhase,     // number; optionally part or at_barrier
        kLine,      // number: source line; its first request
        kConflict,  // the number-th request with bank conflicts
        kBarrier,   // the number-th barrier
        kFinding,   // the number-th finding of this block
        kRequest,   // the number-th request that does `access` (to `array`, if named)
    };
    enum class Access : std::uint8_t { kLoad, kStore, kRead, kWrite, kCopy };
    What what = What::kStart;
    std::uint32_t number = 1;  // counted from 1; 0: the last one
    std::optional<Part> part{};
    bool at_barrier = false;  // kPhase: at its first barrier
    Access access = Access::kLoad;
    std::string array{};      // empty: any array
    std::uint32_t phase = 0;  // kRequest, kConflict: only in this phase, counted from 1; 0: any
    bool after = false;       // at the end of the request, not at its beginning
    std::string words{};      // the text in the file
    bool operator==(const LessonMoment&) const = default;
};
// kWrongCall with a sentence that lists what can be written.
[[nodiscard]] Result<LessonMoment> moment_of_words(const std::string& words);

// A stop of Page Down within a scene: the moment to which the replay plays, and the sentence shown
// there.
struct LessonStop {
    LessonMoment at;
    std::string say;  // added to the scene's text; may be empty
    int line = 0;     // in the file, counted from 1
};

// Bars with the measured speed of kernels, for one size.
struct LessonRace {
    std::vector<Contender> contenders;
    int size = 4096;  // N of a square product
};

// A launch of the ladder whose time is estimated, for one size.
struct LessonTimed {
    Contender contender;
    int size = 4096;  // N of a square product
    bool operator==(const LessonTimed&) const = default;
};

// The picture: the whole stage, or the shared array of the request by bank.
enum class LessonPicture : std::uint8_t { kStage, kBanks };
// A figure between the text and the question.
enum class LessonFigure : std::uint8_t { kNone, kWavefronts, kSectors };

struct LessonScene {
    int line = 0;  // in the file, counted from 1
    std::string id;
    std::string title, text, question, answer;
    std::optional<LessonRace> race;  // instead of `launch`
    Subject launch;
    std::optional<Subject> other;  // a second launch, compared in lock-step
    std::optional<LessonTimed> timed;
    LessonPicture picture = LessonPicture::kStage;
    std::vector<LessonStop> stops;       // at least one; none for a race
    std::vector<std::string> highlight;  // see is_picture_part()
    LessonFigure figure = LessonFigure::kNone;
    bool lanes = false;    // list some lanes of the request
    bool code = true;      // show the source line of the request
    bool predict = false;  // ask for the cost of the request at the first stop before it is shown
};

struct Lesson {
    std::filesystem::path file;
    std::string title, about;
    int number = 1000;  // position in the list of lessons
    std::vector<LessonScene> scenes;
};

// Whether a scene can highlight this part of the picture: "A", "B", "C", "banks", "warps", "map",
// "registers", or the name of a shared array.
[[nodiscard]] bool is_picture_part(const std::string& name);

}  // namespace tilereel
