#pragma once
// Windows of a given size and text height, and the checks of the keys that the help lists. A check
// presses the keys of one or more rows of the help and expects the effect that the help names.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/panels/frame_window.h"
#include "tests/panels/program/program_window.h"

namespace tilereel::every_key {

struct Size {
    float width = 1920, height = 1080;
    int text_px = 14;
};

struct SizedWindow : FrameWindow {
    explicit SizedWindow(const Size& size, RecordRequest request = small_request())
        : FrameWindow(std::move(request), size.width, size.height) {
        set_text(size);
    }
    SizedWindow(const Size& size, WorkbenchOptions options)
        : FrameWindow(std::move(options), size.width, size.height) {
        set_text(size);
    }
    void set_text(const Size& size) {
        bench.apply(SetTextSize{size.text_px});
        driver.frames(2);
    }
    // Types in a list and takes the row with Enter. Then the list is closed, and keys have their
    // usual meaning.
    void choose(std::string_view typed) {
        driver.type(typed);
        driver.enter();
        driver.frames(2);
    }
    void expect_keys_act() {
        driver.press(']');
        EXPECT_GT(bench.speed(), 1) << "a list or a field still takes the keys";
        driver.press('[');
    }
};

struct ProgramKeys : SizedWindow {
    explicit ProgramKeys(const Size& size) : SizedWindow(size, options_for(kSixArrays)) {
        program::ProgramRequest request;
        request.file = "six.cu";
        bench.apply(Command{OpenProgram{request}});
        driver.frames(3);
        bench.apply(ChooseLaunch{1});
        driver.frames(3);
    }
};

using Check = std::function<void(const Size&)>;

// Keys that move a replay.
void check_play(const Size& size);
void check_steps(const Size& size, Key on, Key back, bool shift);
void check_jumps(const Size& size);
void check_go_to(const Size& size);
void check_jump_back(const Size& size);
// Keys that choose what is shown, and how.
void check_kernel(const Size& size);
void check_block(const Size& size);
void check_sizes(const Size& size);
void check_gpu(const Size& size);
void check_compare(const Size& size);
void check_suggestion(const Size& size);
void check_leaving_out(const Size& size);
void check_opening(const Size& size);
void check_look(const Size& size);
void check_tensor(const Size& size);
// Keys of programs and their files.
void check_editor(const Size& size);
void check_editor_of_kernel(const Size& size);
void check_edit(const Size& size);
void check_missing_files(const Size& size);
void check_files(const Size& size);
void check_program(const Size& size);
// Keys of the window.
void check_tabs(const Size& size);
void check_bar(const Size& size);
void check_window(const Size& size);
void check_pictures(const Size& size);
void check_help(const Size& size);
void check_presenting(const Size& size);
// Keys of questions, of a race, of access patterns and of the estimated time.
void check_quiz(const Size& size);
void check_race(const Size& size);
void check_patterns(const Size& size);
void check_matrix_patterns(const Size& size);
void check_time(const Size& size);

}  // namespace tilereel::every_key
