// Editing the program's own file in the window: by keys alone, at several sizes of window and text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/program/program_window.h"

namespace tilereel::frame_edit_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kText =
    "__global__ void f(float* out) {\n    out[0] = 1;\n}\n\nint main() {\n    f<<<1, 1>>>(0);\n}\n";

struct EditWindow : FrameWindow {
    explicit EditWindow(float width = 1920, float height = 1080, int text_px = 14,
                        std::vector<program::CompileError> errors = {})
        : FrameWindow(options(std::move(errors)), width, height) {
        bench.apply(SetTextSize{text_px});
        std::ofstream(file) << kText;
        program::ProgramRequest request;
        request.file = file;
        bench.apply(Command{OpenProgram{request}});
        driver.frames(3);
        bench.apply(ChooseLaunch{1});
        driver.frames(3);
    }
    ~EditWindow() { std::filesystem::remove(file); }

    static WorkbenchOptions options(std::vector<program::CompileError> errors) {
        WorkbenchOptions made = options_for(kSixArrays);
        if (errors.empty()) return made;
        made.programs = std::make_unique<ProgramBench>(
            ProgramBenchOptions{.on_thread = false, .run = [errors](const auto&, auto*) {
                                    program::ProgramRun run;
                                    run.compile_errors = errors;
                                    return run;
                                }});
        return made;
    }

    SourceEdit& edit() { return *state.panels.parts().edit.open; }
    [[nodiscard]] bool editing() const { return state.panels.editing(); }
    void control(Key key, bool shift = false) {
        push_key({key, 0, shift, false, true});
        driver.frames(2);
    }
    const SaveSource* saved() const {
        return of_window.empty() ? nullptr : of_window.back().get_if<SaveSource>();
    }

    std::filesystem::path file = std::filesystem::temp_directory_path() /
                                 ("tilereel_edit_" + std::to_string(::getpid()) + ".cu");
};

TEST(FrameEdit, KeysTypeAndDoNothingElse) {
    EditWindow window;
    window.driver.press(Key::kF2);
    ASSERT_TRUE(window.editing());
    EXPECT_EQ(window.edit().buffer.text(), kText);
    const ViewState before = window.bench.view();
    const Tick tick = window.tick();
    window.edit().buffer.set_caret(0, false);
    window.driver.type("t 1k?p[");
    window.driver.press(Key::kRight);
    EXPECT_THAT(window.edit().buffer.text(), HasSubstr("t 1k?p[__global__"));
    EXPECT_EQ(window.bench.view().light, before.light);
    EXPECT_EQ(window.bench.view().mode, before.mode);
    EXPECT_FALSE(window.bench.view().help);
    EXPECT_FALSE(window.bench.playing());
    EXPECT_EQ(window.tick(), tick);
    window.driver.press('a', true);
    EXPECT_THAT(window.edit().buffer.text(), HasSubstr("_A_global__"));
    for (int i = 0; i < 2; ++i) window.control(Key::kUndo);
    EXPECT_EQ(window.edit().buffer.text(), kText);
    window.control(Key::kRedo);
    EXPECT_THAT(window.edit().buffer.text(), HasSubstr("t 1k?p["));
}

TEST(FrameEdit, CtrlSSavesAndTheAnswerIsShown) {
    EditWindow window;
    window.driver.press(Key::kF2);
    window.driver.press(Key::kHome);
    window.driver.type("x");
    window.control(Key::kSavePicture);
    ASSERT_NE(window.saved(), nullptr);
    EXPECT_EQ(window.saved()->file, window.file);
    EXPECT_EQ(window.saved()->text, window.edit().buffer.text());
    EXPECT_EQ(window.saved()->was, kText);
    EXPECT_FALSE(window.saved()->replaces);
    EXPECT_TRUE(window.edit().buffer.changed()) << "until it is written";
    window.state.panels.note_saved_source(SourceSaved::kChangedOnDisk);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("source.edit.question"));
    window.control(Key::kSavePicture);
    EXPECT_TRUE(window.saved()->replaces) << "asked, and pressed again";
    window.state.panels.note_saved_source(SourceSaved::kSaved);
    window.driver.frames(2);
    EXPECT_FALSE(window.edit().buffer.changed());
    EXPECT_FALSE(window.driver.has("source.edit.question"));
    window.driver.type("y");
    window.state.panels.note_saved_source(failed("the disk is full"));
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("source.edit.question"));
    EXPECT_TRUE(window.edit().buffer.changed());
}

TEST(FrameEdit, CtrlRReadsTheFileThatAnotherProgramChanged) {
    EditWindow window;
    window.driver.press(Key::kF2);
    window.driver.type("x");
    std::ofstream(window.file) << "int other;\n";
    window.state.panels.note_saved_source(SourceSaved::kChangedOnDisk);
    window.control(Key::kRunAgain);
    EXPECT_EQ(window.edit().buffer.text(), "int other;\n");
    EXPECT_FALSE(window.edit().buffer.changed());
    window.control(Key::kUndo);
    EXPECT_THAT(window.edit().buffer.text(), HasSubstr("__global__")) << "nothing is lost";
}

TEST(FrameEdit, EscapeAsksBeforeItDropsAnEdit) {
    EditWindow window;
    window.driver.press(Key::kF2);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.editing()) << "nothing was changed";
    window.driver.press(Key::kF2);
    window.driver.type("x");
    window.driver.press(Key::kEscape);
    ASSERT_TRUE(window.editing());
    EXPECT_TRUE(window.driver.has("source.edit.question"));
    EXPECT_TRUE(window.state.panels.has_unsaved_edit());
    window.driver.type("y");
    window.driver.press(Key::kEscape);
    EXPECT_TRUE(window.editing()) << "another key took the question back";
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.editing());
    window.driver.press('t');
    EXPECT_TRUE(window.bench.view().light) << "keys act again";
}

TEST(FrameEdit, FindsByKeys) {
    EditWindow window;
    window.driver.press(Key::kF2);
    window.edit().buffer.set_caret(0, false);
    window.control(Key::kFind);
    ASSERT_TRUE(window.driver.has("source.find"));
    window.driver.type("out");
    window.driver.enter();
    EXPECT_EQ(window.edit().buffer.selected(), "out");
    const std::size_t first = window.edit().buffer.selection().first;
    window.driver.enter();
    EXPECT_GT(window.edit().buffer.selection().first, first);
    window.driver.press(Key::kEscape);
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("source.find"));
    ASSERT_TRUE(window.editing()) << "Escape closes the field first";
    window.driver.press(Key::kF3);
    EXPECT_EQ(window.edit().buffer.selection().first, first) << "after the last comes the first";
    window.driver.type("in");
    EXPECT_THAT(window.edit().buffer.text(), HasSubstr("void f(float* in)"));
}

TEST(FrameEdit, AnErrorIsShownAtItsLine) {
    EditWindow window(
        1920, 1080, 14,
        {{"tilereel_edit_" + std::to_string(::getpid()) + ".cu", 2, 5, "expected ';'"}});
    window.driver.press(Key::kF2);
    ASSERT_TRUE(window.editing());
    EXPECT_EQ(window.edit().buffer.place_of(window.edit().buffer.caret()).line, 1u);
    EXPECT_TRUE(window.driver.has("source.edit.error.2"));
    window.edit().buffer.set_caret(0, false);
    window.driver.press(Key::kEnter);
    EXPECT_TRUE(window.driver.has("source.edit.error.3")) << "it moves with its line";
}

// In each window the caret is seen wherever it goes, and a line has room for 60 characters.
TEST(FrameEdit, WorksAtAllSizes) {
    struct Size {
        float width, height;
        int text_px;
    };
    for (const Size& size : {Size{1920, 1080, 14}, Size{1920, 1080, 28}, Size{1366, 768, 14},
                             Size{1280, 720, 14}, Size{1280, 720, 28}}) {
        EditWindow window(size.width, size.height, size.text_px);
        window.driver.press(Key::kF2);
        ASSERT_TRUE(window.editing());
        window.control(Key::kEnd);
        for (int i = 0; i < 60; ++i) window.driver.press(Key::kEnter);
        window.driver.type("                                                  int x = y;");
        const Rect editor = window.driver.rect_of("source.edit"),
                   caret = window.driver.rect_of("source.edit.caret");
        const std::string where = std::to_string(size.width) + " " + std::to_string(size.text_px);
        EXPECT_GT(caret.x, editor.x) << where;
        EXPECT_LT(caret.right(), editor.right()) << where;
        EXPECT_GT(caret.y, editor.y) << where;
        EXPECT_LT(caret.bottom(), editor.bottom()) << where;
        EXPECT_EQ(window.edit().aside, 0) << where << ": 60 columns are seen at once";
        window.control(Key::kHome);
        EXPECT_GT(window.driver.rect_of("source.edit.caret").y, editor.y) << where;
    }
}

TEST(FrameEdit, AClickSetsTheCaretAndADragSelects) {
    EditWindow window;
    window.driver.press(Key::kF2);
    window.control(Key::kHome);
    window.driver.frames(2);
    const Rect caret = window.driver.rect_of("source.edit.caret");
    const float advance = text_width("0", Face::kMono, std::floor(caret.h / 0.8f / 1.5f));
    window.driver.click_at({caret.x + 11.1f * advance, caret.center().y});
    EXPECT_EQ(window.edit().buffer.caret(), 11u) << "behind __global__";
    window.driver.drag({caret.x + 0.1f * advance, caret.center().y},
                       {caret.x + 10.1f * advance, caret.center().y});
    EXPECT_EQ(window.edit().buffer.selected(), "__global__");
}

TEST(FrameEdit, OfAKernelThatShipsACopyIsEdited) {
    FrameWindow window;
    window.driver.press(Key::kF2);
    window.driver.frames(2);
    EXPECT_FALSE(window.state.panels.editing());
    ASSERT_TRUE(window.driver.has("save.path"));
    window.driver.type("mine");
    window.driver.enter();
    window.driver.frames(2);
    ASSERT_EQ(window.of_window.size(), 1u);
    ASSERT_TRUE(window.of_window[0].holds<NewProgram>());
    const NewProgram& wanted = *window.of_window[0].get_if<NewProgram>();
    EXPECT_EQ(wanted.file, std::filesystem::current_path() / "mine.cu");
    EXPECT_EQ(wanted.kernel, "09_tiled");
    EXPECT_EQ(wanted.parameters, window.parameters());
}

TEST(FrameEdit, AnotherProgramsChangeIsTakenOver) {
    EditWindow window;
    window.driver.press(Key::kF2);
    std::ofstream(window.file) << "int other;\n";
    window.bench.apply(RunProgramAgain{.saved = true});
    window.driver.frames(3);
    EXPECT_EQ(window.edit().buffer.text(), "int other;\n");
    window.driver.type("x");
    std::ofstream(window.file) << "int third;\n";
    window.bench.apply(RunProgramAgain{.saved = true});
    window.driver.frames(3);
    EXPECT_THAT(window.edit().buffer.text(), Not(HasSubstr("third"))) << "an edit is not lost";
}

}  // namespace
}  // namespace tilereel::frame_edit_test
