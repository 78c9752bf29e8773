// Keys of programs and their files: the editor, files that are opened, files that are missing.
#include <filesystem>
#include <fstream>

#include "app/panels/panel_memory.h"
#include "tests/panels/keys/every_key_window.h"

namespace tilereel::every_key {
namespace {

// Options for a program whose link misses a function that a neighbouring file defines.
WorkbenchOptions options_for_missing() {
    WorkbenchOptions options = options_for(kSixArrays);
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run =
            [](const program::ProgramRequest& request, auto*) {
                program::ProgramRun run;
                if (request.more_files.empty())
                    run.compile_errors.push_back({"a.cu", 0, 0, "missing", "f()", "b.cu"});
                else
                    run.launches.resize(1);
                return run;
            },
        .read = [](const std::filesystem::path&) -> Result<Trace> { return kSixArrays.trace(); }});
    return options;
}

}  // namespace

void check_editor(const Size& size) {
    ProgramKeys window(size);
    window.driver.press(Key::kEditor);
    ASSERT_EQ(window.of_window.size(), 1u);
    ASSERT_TRUE(window.of_window[0].holds<OpenInEditor>());
    const OpenInEditor& place = *window.of_window[0].get_if<OpenInEditor>();
    EXPECT_EQ(place.file, std::filesystem::current_path() / "six.cu");
    const Replay& replay = *window.bench.replay();
    EXPECT_EQ(place.line, replay.trace().sites[replay.schedule().steps[0].site].line);
}

void check_editor_of_kernel(const Size& size) {
    SizedWindow window(size);
    window.driver.press(Key::kEditor);
    EXPECT_TRUE(window.of_window.empty()) << "a kernel that ships is not edited";
}

// The keys of the editor, whose file is made for it.
void check_edit(const Size& size) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "six.cu";
    std::ofstream(file) << "one two\n";
    ProgramKeys window(size);
    program::ProgramRequest request;
    request.file = file;
    window.bench.apply(Command{OpenProgram{request}});
    window.driver.frames(3);
    window.driver.press(Key::kF2);
    ASSERT_TRUE(window.state.panels.editing());
    TextBuffer& buffer = window.state.panels.parts().edit.open->buffer;
    buffer.set_caret(0, false);
    window.driver.press(Key::kTab);
    EXPECT_EQ(buffer.text(), "    one two\n");
    window.driver.press(Key::kUndo);
    EXPECT_EQ(buffer.text(), "one two\n");
    window.driver.press(Key::kRedo);
    EXPECT_EQ(buffer.text(), "    one two\n");
    window.driver.press(Key::kFind);
    window.driver.type("two");
    window.driver.enter();
    window.driver.press(Key::kEscape);
    EXPECT_EQ(buffer.selected(), "two");
    window.driver.press(Key::kCut);
    window.driver.press(Key::kPaste);
    window.driver.press(Key::kPaste);
    EXPECT_EQ(buffer.text(), "    one twotwo\n");
    window.driver.press(Key::kF3);
    EXPECT_EQ(buffer.selected(), "two");
    window.driver.press(Key::kSavePicture);
    ASSERT_EQ(window.of_window.size(), 1u);
    EXPECT_TRUE(window.of_window[0].holds<SaveSource>());
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.state.panels.editing());
    std::filesystem::remove(file);
}

void check_missing_files(const Size& size) {
    SizedWindow window(size, options_for_missing());
    program::ProgramRequest request;
    request.file = "a.cu";
    window.bench.apply(Command{OpenProgram{request}});
    window.driver.frames(3);
    ASSERT_EQ(window.bench.program()->compile_errors.size(), 1u);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.program()->request.more_files,
              (std::vector<std::filesystem::path>{"b.cu"}));
    EXPECT_TRUE(window.bench.program()->compile_errors.empty());
}

void check_files(const Size& size) {
    ProgramKeys window(size);
    window.driver.press(Key::kOpen);
    EXPECT_TRUE(window.driver.has("files.field"));
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("files.field"));
    const std::string before = window.bench.program()->started;
    window.driver.press(Key::kRunAgain);
    EXPECT_FALSE(window.bench.program()->started.empty()) << before;
}

void check_program(const Size& size) {
    ProgramKeys window(size);
    window.driver.press('k', true);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.program.open"));
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kTab);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.launch.1"));
}

}  // namespace tilereel::every_key
