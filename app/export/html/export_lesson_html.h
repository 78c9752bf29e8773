#pragma once
// Writes a lesson as one HTML file: its scenes, stops, questions and comparisons, with the replays
// that they show, for any browser without a network.
#include <cstdint>
#include <filesystem>
#include <functional>

#include "app/lesson/prepare_lesson.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct LessonPageRequest {
    bool light = false;     // first theme of the page; the reader can switch it
    std::size_t scene = 0;  // the scene that it opens with, from 0
    // Called repeatedly. If it returns true, the work ends with kCancelled.
    std::function<bool()> interrupted = {};
};

// Returns the size of the file in bytes. kFailed if the lesson has a mistake, if a block is too
// large for a page, or if the file cannot be written. kWrongCall if there is no such scene. An
// existing file is replaced only by a complete one.
[[nodiscard]] Result<std::uint64_t> export_lesson_html(const PreparedLesson& lesson,
                                                       const LessonPageRequest& request,
                                                       const std::filesystem::path& path);

}  // namespace tilereel
