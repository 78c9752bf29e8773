#pragma once
// A window in which lessons are played by keys, in process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "app/panels/lesson/lesson_page.h"
#include "app/workbench/playhead.h"
#include "tests/panels/frame_window.h"

namespace tilereel {

inline const std::filesystem::path kShippedLessons = TILEREEL_SOURCE_DIR "/assets/lessons";

inline WorkbenchOptions with_lessons(bool on_worker) {
    LessonBenchOptions lessons{.on_thread = false, .offered = lessons_in(kShippedLessons)};
    lessons.tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    WorkbenchOptions options{
        .request = small_request(), .trace = {}, .playing = false, .record_on_worker = on_worker};
    options.lessons = std::make_unique<LessonBench>(std::move(lessons));
    return options;
}

struct LessonWindow : FrameWindow {
    explicit LessonWindow(float width = 1920, float height = 1080, bool on_worker = false)
        : FrameWindow(with_lessons(on_worker), width, height) {}
    void open(const std::filesystem::path& file) {
        bench.apply(Command{OpenLesson{file}});
        driver.frames(3);
    }
    [[nodiscard]] const OpenedLesson& lesson() const { return *bench.lessons().lesson(); }
    // Presses Page Down and waits until the motion that it begins has ended.
    void page_down() {
        driver.press(Key::kPageDown);
        driver.frames(3, kLongestBeatSeconds);
    }
    [[nodiscard]] std::pair<std::size_t, std::size_t> place() const {
        return {lesson().scene, lesson().beat};
    }
};

struct LessonFile {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("tilereel_lesson_" + std::to_string(::getpid()) + ".toml");
    ~LessonFile() { std::filesystem::remove(path); }
    void write(const std::string& text) const { std::ofstream(path) << text; }
};

}  // namespace tilereel
