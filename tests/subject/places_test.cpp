// Every place that names a file to show gives the same answer for it: the commands, the window, a
// saved view, a comparison, a lesson and the list of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/cli/options/compare_option.h"
#include "app/cli/window_call.h"
#include "app/lesson/read_lesson.h"
#include "app/panels/overlay/file_list.h"
#include "app/subject/file_kind.h"
#include "app/workbench/view/saved_view.h"
#include "instrumentation/program/program.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::places_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kProgram = "__global__ void k() {}\nint main() { k<<<1, 32>>>(); }\n";

class Places : public ::testing::Test {
  protected:
    Places() {
        for (const char* name :
             {"p.cu", "p.CU", "p.cuh", "p.cpp", "p.CPP", "p.cc", "p.cxx", "code.c", "notes.txt"})
            write_bytes(folder_ / name, kProgram);
        write_bytes(folder_ / "host.cpp", "int main() {}\n");
        write_bytes(folder_ / "l.toml", "title = 'T'\n");
        std::filesystem::create_directories(folder_ / "folder.cu");
    }
    // What the window is asked to open for the file on its command line.
    [[nodiscard]] static Result<WindowOptions> opened(const std::string& file) {
        WindowCall call;
        call.subject = file;
        call.frames = 1;
        return window_of(call);
    }
    [[nodiscard]] static Result<WindowOptions> opened_by_state(const std::string& file) {
        SavedView view;
        view.subject.file = file;
        WindowCall call;
        call.state = text_of(view);
        return window_of(call);
    }
    [[nodiscard]] static Result<WindowOptions> compared_by_state(const std::string& file) {
        SavedView view;
        view.subject.kernel = "09_tiled";
        view.compared = Subject{.file = file};
        WindowCall call;
        call.state = text_of(view);
        return window_of(call);
    }
    // The first mistake of a lesson with this program; empty: none.
    [[nodiscard]] std::string lesson_says(const std::string& file) const {
        const LessonReading reading = lesson_of_text(
            "title = 'T'\n[[scene]]\ntitle = 'S'\nprogram = '" + file + "'\ntext = 'T'\n",
            folder_ / "lesson.toml");
        return reading.mistakes.empty() ? "" : reading.mistakes.front().sentence;
    }
    // Whether the list of files takes the file when its path is typed; else what it says.
    [[nodiscard]] static std::string list_says(const std::string& file) {
        FileList list({});
        list.search(file);
        static_cast<void>(list.take({Key::kEnter, 0, false, false}));
        return list.taken ? "" : list.problem();
    }
    // By its error output, a command with an option of a kernel tells what it takes the file for,
    // without compiling it.
    [[nodiscard]] Ended ended(const std::string& call) const {
        return shell("tilereel " + call, folder_.path());
    }
    ScratchFolder folder_;
};

TEST_F(Places, AProgramIsOneInAllOfThem) {
    for (const char* name : {"p.cu", "p.CU", "p.cuh", "p.cpp", "p.CPP", "p.cc", "p.cxx"}) {
        const std::string file = (folder_ / name).string();
        for (const char* call : {"report FILE --pad 1", "trace FILE --pad 1 -o t.npz",
                                 "export FILE --pad 1 --csv c.csv"}) {
            std::string words = call;
            words.replace(words.find("FILE"), 4, name);
            EXPECT_THAT(ended(words).err, HasSubstr("is a CUDA file: leave out")) << words;
        }
        EXPECT_THAT(ended("check " + std::string(name)).err,
                    HasSubstr("is a CUDA program; this command takes a trace"));
        for (const auto& window : {opened(file), opened_by_state(file)}) {
            ASSERT_TRUE(window) << window.error().message;
            ASSERT_NE(window->program, nullptr) << name;
            EXPECT_EQ(window->program->file, file);
        }
        for (const auto& side :
             {compare_side(file, {.kernel = "09_tiled"}), compare_side("file=" + file, {})}) {
            ASSERT_TRUE(side) << side.error().message;
            EXPECT_EQ(side->file, file);
        }
        const auto compared = compared_by_state(file);
        ASSERT_TRUE(compared) << compared.error().message;
        EXPECT_EQ(compared->view->compared->file, file);
        EXPECT_EQ(lesson_says(file), "");
        EXPECT_EQ(list_says(file), "");
    }
    const Ended ran = ended("run p.CU && tilereel run p.CPP");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

// A program that a saved view names is compiled and run as it was.
TEST_F(Places, ASavedViewKeepsTheFlagsOfAProgram) {
    SavedView view;
    view.subject.file = folder_ / "p.cu";
    view.subject.arguments = {"-n", "4,5"};
    view.subject.defines = {"N=4"};
    view.subject.include_folders = {"/headers of mine"};
    view.subject.more_files = {folder_ / "p.cc"};
    view.subject.launch_lines = {"k grid=4 block=256"};
    view.subject.standard = "c++20";
    WindowCall call;
    call.state = text_of(view);
    const Result<WindowOptions> window = window_of(call);
    ASSERT_TRUE(window) << window.error().message;
    ASSERT_NE(window->program, nullptr);
    const program::ProgramRequest& request = *window->program;
    EXPECT_EQ(request.arguments, view.subject.arguments);
    EXPECT_EQ(request.defines, view.subject.defines);
    EXPECT_EQ(request.include_folders, view.subject.include_folders);
    EXPECT_EQ(request.more_files, view.subject.more_files);
    EXPECT_EQ(request.launch_lines, view.subject.launch_lines);
    EXPECT_EQ(request.standard, "c++20");
}

TEST_F(Places, WhatIsNoProgramHasOneSentenceInAllOfThem) {
    for (const char* name :
         {"host.cpp", "code.c", "notes.txt", "folder.cu", "none.cu", "none.cpp"}) {
        const std::string file = (folder_ / name).string();
        const std::string sentence = kind_of_file(file).error().message;
        for (const char* call : {"run", "report", "trace -o t.npz", "export --csv c.csv", "check",
                                 "open", "", "export 09_tiled --png p.png --compare"}) {
            const Ended refused = ended(std::string(call) + " " + file);
            EXPECT_EQ(refused.exit_code, 2) << call << " " << name;
            EXPECT_THAT(refused.err, HasSubstr(sentence)) << call << " " << name;
        }
        EXPECT_EQ(opened_by_state(file).error().message, sentence);
        EXPECT_EQ(compared_by_state(file).error().message, sentence);
        EXPECT_EQ(lesson_says(file), sentence);
        // The list goes into a folder; the window tells why it does not open a file.
        if (!std::filesystem::exists(file)) {
            EXPECT_EQ(list_says(file), sentence);
        }
    }
}

TEST_F(Places, AFileOfAnotherKindIsNamed) {
    for (const char* call : {"run l.toml", "trace l.toml -o t.npz"})
        EXPECT_THAT(ended(call).err,
                    HasSubstr("'l.toml' is a lesson; this command takes a CUDA program"))
            << call;
    for (const char* call : {"report l.toml", "export l.toml --csv c.csv"})
        EXPECT_THAT(ended(call).err,
                    HasSubstr("is a lesson; this command takes a CUDA program or a trace"))
            << call;
    EXPECT_THAT(ended("export 09_tiled --png p.png --compare l.toml").err,
                HasSubstr("is a lesson; a comparison takes a CUDA program or a trace"));
    const std::string program = (folder_ / "p.cu").string();
    const std::string no_race = "is a CUDA program; a race is between kernels of the ladder";
    EXPECT_THAT(ended("race p.cu --trust").err, HasSubstr("writes to no array"));
    EXPECT_THAT(ended("race none.cu").err, HasSubstr("there is no file 'none.cu'"));
    EXPECT_THAT(lesson_of_text(
                    "title = 'T'\n[[scene]]\ntitle = 'S'\nrace = ['" + program + "']\ntext = 'T'\n",
                    folder_ / "lesson.toml")
                    .mistakes.front()
                    .sentence,
                HasSubstr(no_race));
    EXPECT_THAT(lesson_says("l.toml"), HasSubstr("is a lesson; a scene takes a CUDA program"));
    const auto window = opened((folder_ / "l.toml").string());
    ASSERT_TRUE(window) << window.error().message;
    EXPECT_EQ(window->lesson, folder_ / "l.toml");
}

}  // namespace
}  // namespace tilereel::tests::places_test
