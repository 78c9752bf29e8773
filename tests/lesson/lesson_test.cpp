// The file of a lesson: its keys, the line of each mistake, and the text of figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/ladder/ladder.h"
#include "app/lesson/prepare_lesson.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel::lesson_test {
namespace {

constexpr const char* kSound = R"(title = "Two scenes"
about = "A test"

[[scene]]
id = "one"
title = "TILE {tile}"
kernel = "08_tiled_b_transposed"
at = "first read of Bs"
text = """
{lanes} lanes, {wavefronts} wavefronts.
"""
then = ["first barrier", {at = "end", say = "{ticks} ticks"}]
question = "And with PAD 1?"
answer = "{two:wavefronts}"

[[scene]]
id = "two"
title = "Padded"
pad = 1
at = "first read of Bs"
)";

LessonReading reading_of(const std::string& text) { return lesson_of_text(text, "test.toml"); }

std::string first_mistake(const std::string& text) {
    const PreparedLesson prepared = prepare_lesson(reading_of(text));
    if (prepared.sound()) return "sound";
    return text_of("test.toml", prepared.reading.mistakes.front());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

// 32 lanes read a column of a 32 x 32 tile: all in one bank, so 32 wavefronts; one word of padding
// shifts each row by a bank, so 1 (CUDA C++ Best Practices Guide, "Shared Memory and Memory
// Banks").
TEST(Lesson, FiguresComeFromTheRecording) {
    const PreparedLesson prepared = prepare_lesson(reading_of(kSound));
    ASSERT_TRUE(prepared.sound()) << prepared.reading.mistakes.front().sentence;
    ASSERT_EQ(prepared.scenes.size(), 2u);
    EXPECT_EQ(prepared.scenes[0].title, "TILE 32");
    EXPECT_EQ(prepared.scenes[0].text, "32 lanes, 32 wavefronts.\n");
    EXPECT_EQ(prepared.scenes[0].answer, "1");
    EXPECT_EQ(prepared.scenes[0].stops.size(), 3u);
    EXPECT_LT(prepared.scenes[0].stops[1].position, prepared.scenes[0].stops[0].position);
}

TEST(Lesson, ASceneWithoutAKernelContinuesTheLaunchOfThePreviousScene) {
    const Lesson lesson = reading_of(kSound).lesson;
    EXPECT_EQ(lesson.scenes[1].launch.kernel, "08_tiled_b_transposed");
    EXPECT_EQ(lesson.scenes[1].launch.tile, 32);
    EXPECT_EQ(lesson.scenes[1].launch.pad, 1);
}

// At the left (PAD 0) a column of 32 words lies in one bank, at the right (PAD 1) in 32 banks. At
// the left, each of 32 warps has 31 bank conflicts in a load for each of 32 k, and 31 in a store:
// 32 x 33 x 31 = 32,736.
TEST(Lesson, ASceneThatComparesHasTheFiguresOfBothSides) {
    const PreparedLesson prepared = prepare_lesson(
        reading_of(replaced(kSound, "pad = 1\n",
                            "compare = {pad = 1}\ntext = \"{wavefronts} and {other.wavefronts}; "
                            "{shared.bank_conflicts} and {other.shared.bank_conflicts}; "
                            "PAD {pad} and {other.pad}\"\n")));
    ASSERT_TRUE(prepared.sound()) << prepared.reading.mistakes.front().sentence;
    EXPECT_EQ(prepared.scenes[1].text, "32 and 1; 32,736 and 0; PAD 0 and 1");
    ASSERT_NE(prepared.scenes[1].other, nullptr);
    EXPECT_EQ(prepared.scenes[1].other->launch.pad, 1u);
    EXPECT_EQ(prepared.scenes[0].other, nullptr);
}

// The test stands in for the estimate.
PreparedLesson lesson_with_time(const std::string& keys, const LessonTime& time) {
    LessonTools tools;
    tools.estimate = [time](const LessonTimed& asked) -> Result<LessonTime> {
        EXPECT_EQ(asked.contender, (Contender{"09_tiled", 32, 0}));
        return time;
    };
    return prepare_lesson(
        reading_of("title = 'T'\n[[scene]]\ntitle = 'S'\nkernel = '02_naive'\n" + keys), tools);
}

TEST(Lesson, SaysOfAnEstimateThatItIsOneAndItsRange) {
    const std::string keys =
        "time = '09_tiled TILE 32'\ntext = '{time.speed}: {time.limit}, "
        "{time.fma}, line {time.line}, {time.gflops / 10}'\n";
    const LessonTime time{.gflops = 9487,
                          .low = 7590,
                          .high = 11860,
                          .limiter = "memory pipe",
                          .busy = 0.943,
                          .fma = 0.141,
                          .line = 29,
                          .size = 4096};
    const auto text = [&](const LessonTime& of) {
        const PreparedLesson prepared = lesson_with_time(keys, of);
        EXPECT_TRUE(prepared.sound());
        return prepared.scenes[0].text;
    };
    EXPECT_EQ(text(time),
              "about 9,500 GFLOPS (estimated, between 7,600 and 12,000): the memory "
              "pipe, busy 94 % of the time, 14 %, line 29, 950");
    LessonTime bound = time;
    bound.is_bound = true;
    EXPECT_THAT(text(bound), testing::StartsWith("at most 9,500 GFLOPS (estimated: a bound): "));
    LessonTime waits = time;
    waits.waits = true;
    EXPECT_THAT(text(waits), testing::HasSubstr("): waiting; even the busiest part, the memory "
                                                "pipe, works 94 % of the time"));
}

TEST(Lesson, ATimeThatCannotBeEstimatedIsAMistakeOfItsLine) {
    for (const auto& [time, why] :
         {std::pair{"cublas", "a library is not recorded"}, std::pair{"09_tiled", "which TILE"},
          std::pair{"99_none TILE 8", "there is no kernel"}}) {
        const LessonReading reading =
            reading_of("title = 'T'\n[[scene]]\ntitle = 'S'\nkernel = '02_naive'\ntime = '" +
                       std::string(time) + "'\n");
        ASSERT_EQ(reading.mistakes.size(), 1u) << time;
        EXPECT_EQ(reading.mistakes[0].line, 5) << time;
        EXPECT_THAT(reading.mistakes[0].sentence, testing::HasSubstr(why));
    }
    const PreparedLesson prepared = prepare_lesson(reading_of(
        "title = 'T'\n[[scene]]\ntitle = 'S'\nkernel = '02_naive'\ntime = '09_tiled TILE 32'\n"));
    EXPECT_FALSE(prepared.sound()) << "nothing was given that estimates";
}

// A scene that shows a user's program. The test stands in for the run of the program: two launches,
// of which the first has a trace and the second has none.
class ProgramScene : public testing::Test {
  protected:
    ProgramScene()
        : folder_(std::filesystem::temp_directory_path() /
                  ("tilereel_program_scene_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "homework.cu") << "int main() {}\n";
        RecordRequest request;
        request.kernel = "02_naive";
        request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 16, .pad = 0};
        const Result<Trace> trace = record_ladder(request);
        EXPECT_TRUE(trace && write_trace(*trace, folder_ / "launch.npz"));
        tools_.run = [this](const program::ProgramRequest& asked) -> Result<program::ProgramRun> {
            EXPECT_EQ(asked.file, folder_ / "homework.cu") << "relative to the lesson's folder";
            EXPECT_EQ(asked.generation, "1.3");
            program::ProgramRun run;
            run.launches.resize(2);
            run.launches[0].trace = folder_ / "launch.npz";
            run.launches[1].reason = "the launch was not recorded";
            return run;
        };
    }
    ~ProgramScene() override { std::filesystem::remove_all(folder_); }
    PreparedLesson prepare(const std::string& keys) {
        const std::string text =
            "title = 'T'\n[[scene]]\ntitle = 'S'\nprogram = 'homework.cu'\n"
            "generation = '1.3'\nat = 'first load of B'\n" +
            keys;
        return prepare_lesson(lesson_of_text(text, folder_ / "lesson.toml"), tools_);
    }
    std::filesystem::path folder_;
    LessonTools tools_;
};

TEST_F(ProgramScene, ShowsTheLaunchThatIsNamed) {
    const PreparedLesson prepared =
        prepare("text = '{lanes} lanes by the rules of {generation}'\n");
    ASSERT_TRUE(prepared.sound()) << prepared.reading.mistakes.front().sentence;
    EXPECT_THAT(prepared.scenes[0].text, testing::StartsWith("32 lanes by the rules of GTX 280"));
}

// A scene takes what the command line takes: flags of a program, and traces.
TEST_F(ProgramScene, HasTheFlagsOfItsProgram) {
    program::ProgramRequest asked;
    tools_.run = [&asked, run = tools_.run](const program::ProgramRequest& request) {
        asked = request;
        return run(request);
    };
    const PreparedLesson prepared = prepare(
        "define = ['N=4', 'M=2']\nargument = '7'\ninclude = 'headers'\nwith = ['other.cu']\n"
        "call = 'k grid=1'\nstd = 'c++20'\n");
    ASSERT_TRUE(prepared.sound()) << prepared.reading.mistakes.front().sentence;
    EXPECT_EQ(asked.defines, (std::vector<std::string>{"N=4", "M=2"}));
    EXPECT_EQ(asked.arguments, std::vector<std::string>{"7"});
    EXPECT_EQ(asked.include_folders.at(0), folder_ / "headers");
    EXPECT_EQ(asked.more_files.at(0), folder_ / "other.cu");
    EXPECT_EQ(asked.launch_lines, std::vector<std::string>{"k grid=1"});
    EXPECT_EQ(asked.standard, "c++20");
}

TEST_F(ProgramScene, ATraceIsShownBesideTheProgram) {
    const PreparedLesson prepared =
        prepare("compare = {file = 'launch.npz'}\ntext = '{lanes} and {other.lanes}'\n");
    ASSERT_TRUE(prepared.sound()) << prepared.reading.mistakes.front().sentence;
    EXPECT_EQ(prepared.scenes[0].text, "32 and 32");
    ASSERT_NE(prepared.scenes[0].other, nullptr);
    EXPECT_EQ(prepared.scenes[0].other->launch.kernel, "02_naive");
}

TEST_F(ProgramScene, IsLeftOutWhereNoProgramMayRun) {
    bool ran = false;
    tools_.runs_programs = false;
    tools_.run = [&ran](const program::ProgramRequest&) -> Result<program::ProgramRun> {
        ran = true;
        return program::ProgramRun{};
    };
    const PreparedLesson prepared = prepare(
        "id = 'own'\ntext = '{lanes} lanes'\n[[scene]]\n"
        "title = 'U'\nkernel = '02_naive'\n"
        "text = '{own:lanes} of the other scene'\n");
    EXPECT_TRUE(prepared.sound()) << prepared.reading.mistakes.front().sentence;
    EXPECT_EQ(prepared.left_out, 1u);
    EXPECT_FALSE(ran);
}

TEST(Lesson, AKeyOf60000PartsIsAMistake) {
    std::string key;
    for (int i = 0; i < 60'000; ++i) key += "a.";
    const LessonReading reading = lesson_of_text("title = 'T'\n" + key + "a = 1\n", "deep.toml");
    ASSERT_EQ(reading.mistakes.size(), 1u);
    EXPECT_EQ(reading.mistakes[0].line, 2);
    EXPECT_THAT(reading.mistakes[0].sentence, testing::StartsWith("this is nested too deeply"));
}

TEST_F(ProgramScene, ALaunchWithoutATraceIsAMistakeOfTheScene) {
    const auto first_mistake = [&](const char* keys) {
        const PreparedLesson prepared = prepare(keys);
        return prepared.sound() ? "sound" : prepared.reading.mistakes.front().sentence;
    };
    EXPECT_EQ(first_mistake("launch = 1\n"), "the launch was not recorded");
    EXPECT_THAT(first_mistake("launch = 2\n"), testing::StartsWith("the program has 2 launches"));
    EXPECT_THAT(first_mistake("compare = {program = 'no.cu'}\n"),
                testing::StartsWith("there is no file"));
    EXPECT_EQ(first_mistake("pad = 1\n"),
              "\"pad\" belongs to a kernel of the ladder, and this scene shows none");
    EXPECT_EQ(first_mistake("compare = {file = 'launch.npz', define = 'N=4'}\n"),
              "\"define\" belongs to a CUDA program, and this scene shows none");
    EXPECT_THAT(first_mistake("std = 'c++98'\n"), testing::HasSubstr("c++14, c++17 or c++20"));
}

struct Mistake {
    const char *what, *by, *expected;
};

class LessonMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(LessonMistakes, AreReportedWithTheirLine) {
    const Mistake& mistake = GetParam();
    EXPECT_THAT(first_mistake(replaced(kSound, mistake.what, mistake.by)),
                testing::StartsWith(mistake.expected));
}

INSTANTIATE_TEST_SUITE_P(
    Each, LessonMistakes,
    testing::Values(
        Mistake{"about = ", "abuot = ", "test.toml, line 2: \"abuot\" is no key of a lesson"},
        Mistake{"id = \"two\"", "id = \"one\"", "test.toml, line 16: two scenes have the id"},
        Mistake{"08_tiled_b_transposed", "08_tilde", "test.toml, line 7: there is no kernel"},
        Mistake{"\"first read of Bs\"", "\"first reed\"",
                "test.toml, line 8: \"first reed\" is no place in a replay"},
        Mistake{"\"first read of Bs\"", "\"first read of Ds\"",
                "test.toml, line 8: this replay has no \"first read of Ds\""},
        Mistake{"{wavefronts}", "{wavefornts}",
                "test.toml, line 10: there is no figure {wavefornts} here"},
        Mistake{"say = \"{ticks} ticks\"", "says = \"x\"", "test.toml, line 12: a stop is a place"},
        Mistake{"answer = \"{two:wavefronts}\"", "",
                "test.toml, line 4: a question needs an answer"},
        Mistake{"answer = \"{two:wavefronts}\"", "answer = \"{three:lanes}\"",
                "test.toml, line 14: there is no figure {three:lanes} here"},
        Mistake{"pad = 1", "tile = 33", "test.toml, line 19:"},
        Mistake{"pad = 1", "pad = \"1\"",
                "test.toml, line 19: pad must be a whole number, 0 or more"},
        Mistake{"pad = 1", "pad = 1\nhighlight = \"Ds\"",
                "test.toml, line 16: the picture has no part \"Ds\""},
        Mistake{"pad = 1", "compare = 1", "test.toml, line 19: compare says what differs"},
        Mistake{"pad = 1", "compare = {bad = 1}",
                "test.toml, line 19: \"bad\" is no key of compare"},
        Mistake{"pad = 1", "compare = {tile = 33}", "test.toml, line 19:"},
        Mistake{"pad = 1", "compare = {block = [0, 0]}", "test.toml, line 19: both sides of"},
        Mistake{"pad = 1", "launch = 1", "test.toml, line 19: \"launch\" belongs to a CUDA"},
        Mistake{"pad = 1", "compare = {kernel = \"08_tilde\"}",
                "test.toml, line 19: there is no kernel"},
        Mistake{"pad = 1", "compare = {pad = 1}\npicture = \"banks\"",
                "test.toml, line 20: two replays are compared by their stages"},
        Mistake{"pad = 1", "compare = {pad = 1}\npredict = true",
                "test.toml, line 20: a question is asked of one replay"},
        Mistake{"title = \"Padded\"", "title = \"Padded", "test.toml, line 18: this is no TOML"}));

TEST(Lesson, AMissingFileIsAMistake) {
    const LessonReading reading = read_lesson("/no/such/lesson.toml");
    ASSERT_EQ(reading.mistakes.size(), 1u);
    EXPECT_THAT(reading.mistakes[0].sentence, testing::HasSubstr("cannot read"));
}

TEST(Lesson, PhrasesNamePlacesInAReplay) {
    using What = LessonMoment::What;
    const auto moment = [](const char* words) { return *moment_of_words(words); };
    EXPECT_EQ(moment("tick 12").number, 12u);
    EXPECT_EQ(moment("last conflict in phase 2").number, 0u);
    EXPECT_EQ(moment("last conflict in phase 2").phase, 2u);
    EXPECT_EQ(moment("phase 3 barrier").what, What::kPhase);
    EXPECT_TRUE(moment("phase 3 barrier").at_barrier);
    EXPECT_TRUE(moment("after second store to As").after);
    EXPECT_EQ(moment("second store to As").array, "As");
    EXPECT_EQ(moment("line 21").what, What::kLine);
    for (const char* wrong : {"", "soon", "tick", "phase 0", "line x", "first read of",
                              "first conflict in phase", "start now", "phase 1 nap"})
        EXPECT_FALSE(moment_of_words(wrong)) << wrong;
}

TEST(Lesson, FiguresInASentence) {
    const LessonFigures figures = {{"a", 1536.0}, {"b", 6.0}, {"name", std::string("As")}};
    const auto look_up = [&](std::string_view name) -> const LessonValue* {
        const auto found = figures.find(name);
        return found == figures.end() ? nullptr : &found->second;
    };
    EXPECT_EQ(*filled("{a} of {name}", look_up), "1,536 of As");
    EXPECT_EQ(*filled("{a / b}, {b / 4}, {a * 2 - b}", look_up), "256, 1.5, 3,066");
    EXPECT_EQ(*filled("{{x}", look_up), "{x}");
    for (const char* wrong : {"{c}", "{a", "{a b}", "{a / 0}", "{name / a}", "{a / name}", "{}"})
        EXPECT_FALSE(filled(wrong, look_up)) << wrong;
}

TEST(Lesson, ARaceNamesItsKernels) {
    const std::string race = replaced(kSound, "kernel = \"08_tiled_b_transposed\"\n",
                                      "kernel = \"08_tiled_b_transposed\"\n") +
                             "[[scene]]\ntitle = \"R\"\nrace = [\"09_tiled tile 32\", \"cublas\"]\n"
                             "text = \"{gflops.2 / gflops.1}\"\n";
    LessonTools tools;
    tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    const PreparedLesson prepared = prepare_lesson(reading_of(race), tools);
    ASSERT_TRUE(prepared.sound()) << prepared.reading.mistakes.front().sentence;
    EXPECT_EQ(prepared.reading.lesson.scenes[2].race->contenders[0].tile, 32);
    EXPECT_NE(prepared.scenes[2].text, "");
    for (const char* wrong : {"\"09_tiled\"", "\"09_tilde TILE 32\"", "\"09_tiled TIEL 32\""})
        EXPECT_THAT(first_mistake(replaced(race, "\"09_tiled tile 32\"", wrong)),
                    testing::StartsWith("test.toml, line 23:"));
    tools.race = "/no/such/race.json";
    EXPECT_FALSE(prepare_lesson(reading_of(race), tools).sound());
}

// The warnings of the sound lesson with other words.
std::vector<int> warned_lines(const std::string& text) {
    const PreparedLesson prepared = prepare_lesson(reading_of(text));
    EXPECT_TRUE(prepared.sound());
    std::vector<int> lines;
    for (const LessonMistake& warning : prepared.warnings) lines.push_back(warning.line);
    return lines;
}

TEST(Lesson, AnAnswerThatTheTextGivesAwayIsWarnedOf) {
    EXPECT_THAT(warned_lines(kSound), ::testing::IsEmpty());
    const std::string ticks = replaced(kSound, "{two:wavefronts}", "After {ticks} ticks.");
    EXPECT_THAT(warned_lines(ticks), ::testing::ElementsAre(4)) << "the last stop says it";
    const std::string both =
        replaced(replaced(kSound, "{two:wavefronts}", "{lanes} lanes, {two:wavefronts}."),
                 "And with PAD 1?", "And padded?");
    EXPECT_THAT(warned_lines(both), ::testing::IsEmpty()) << "the answer adds a number";
    const std::string asked = replaced(ticks, "And with PAD 1?", "Why does it take {ticks} ticks?");
    EXPECT_THAT(warned_lines(asked), ::testing::IsEmpty()) << "the question has it";
}

TEST(Lesson, ATitleThatGivesAPredictionAwayIsWarnedOf) {
    const std::string asks = replaced(kSound, "pad = 1", "pad = 1\npredict = true");
    EXPECT_THAT(warned_lines(asks), ::testing::IsEmpty());
    const std::string told = replaced(asks, "Padded", "Padded: {wavefronts} wavefront");
    EXPECT_THAT(warned_lines(told), ::testing::ElementsAre(16));
    // The text waits for the answer, so it may name the cost.
    const std::string text =
        replaced(asks, "predict = true", "predict = true\ntext = \"{wavefronts} wavefront\"");
    EXPECT_THAT(warned_lines(text), ::testing::IsEmpty());
}

TEST(LessonFile, AnExerciseIsNone) {
    const LessonReading reading =
        lesson_of_text("title = 'Coalescing'\nchecks = ['C is right']\n", "x.toml");
    ASSERT_FALSE(reading.mistakes.empty());
    EXPECT_NE(reading.mistakes.front().sentence.find("an exercise and no lesson"),
              std::string::npos)
        << reading.mistakes.front().sentence;
}

}  // namespace
}  // namespace tilereel::lesson_test
