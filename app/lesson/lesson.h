#pragma once
// A lesson as its file says it: scenes in order. assets/lessons/README.md describes the file.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/race/race.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/analysis/phases.h"
#include "instrumentation/record/record.h"

namespace tilereel {

// A place in a replay, in words such as "first read of Bs in phase 2".
struct LessonMoment {
    enum class What : std::uint8_t {
        kStart,
        kEnd,
        kTick,      // number
        kPhase,     // number; part, or barrier
        kLine,      // number: the first request of that source line
        kConflict,  // the number-th request that costs bank conflicts
        kBarrier,   // the number-th
        kFinding,   // the number-th of this block
        kRequest,   // the number-th that does `access` (to `array`)
    };
    enum class Access : std::uint8_t { kLoad, kStore, kRead, kWrite, kCopy };
    What what = What::kStart;
    std::uint32_t number = 1;  // from 1 on; 0: the last one
    std::optional<Part> part{};
    bool at_barrier = false;  // kPhase: at its first barrier
    Access access = Access::kLoad;
    std::string array{};      // empty: any
    std::uint32_t phase = 0;  // kRequest, kConflict: only in this phase, from 1 on; 0: in any
    bool after = false;       // where the request ends rather than where it begins
    std::string words{};      // as written
    bool operator==(const LessonMoment&) const = default;
};
// kWrongCall: says what can be written.
[[nodiscard]] Result<LessonMoment> moment_of_words(const std::string& words);

// One press of Page Down within a scene: where the replay plays to, and what is said there.
struct LessonStop {
    LessonMoment at;
    std::string say;  // a sentence that joins the scene's text; may be empty
    int line = 0;     // of the file, from 1 on
};

// What a scene records: a kernel of the ladder, or a launch of a CUDA program.
struct LessonLaunch {
    RecordRequest request;  // kernel, parameters, removed barrier, order
    std::filesystem::path program{};
    std::uint32_t launch = 0;  // of the program
    const Generation* generation = &default_generation();
    std::uint32_t block_x = 0, block_y = 0;
};
// Whether both record the same trace.
[[nodiscard]] bool same_recording(const LessonLaunch& a, const LessonLaunch& b);

// Bars of kernels at full speed, at one size.
struct LessonRace {
    std::vector<Contender> contenders;
    int size = 4096;  // N of a square product
};

// What the picture shows: the whole stage, or the shared array of the request by bank.
enum class LessonPicture : std::uint8_t { kStage, kBanks };
// What may stand between the text and the question.
enum class LessonFigure : std::uint8_t { kNone, kWavefronts, kSectors };

struct LessonScene {
    int line = 0;  // of the file, from 1 on
    std::string id;
    std::string title, text, question, answer;
    std::optional<LessonRace> race;  // instead of `launch`
    LessonLaunch launch;
    std::optional<LessonLaunch> other;  // a second launch beside it, in lock-step
    LessonPicture picture = LessonPicture::kStage;
    std::vector<LessonStop> stops;       // at least one; of a race none
    std::vector<std::string> highlight;  // parts of the picture: is_picture_part()
    LessonFigure figure = LessonFigure::kNone;
    bool lanes = false;    // lists what some lanes of the request do
    bool code = true;      // shows the source line of the request
    bool predict = false;  // asks what the request at the first stop costs, before it shows it
};

struct Lesson {
    std::filesystem::path file;
    std::string title, about;
    int number = 1000;  // its place in a list of lessons
    std::vector<LessonScene> scenes;
};

// Parts of the picture that a scene can highlight: "A", "B", "C", "banks", "warps", "map",
// "registers"; besides, the name of any shared array.
[[nodiscard]] bool is_picture_part(const std::string& name);

}  // namespace tilereel
