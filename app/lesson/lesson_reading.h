#pragma once
// A lesson that was read, and the mistakes in its file.
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "instrumentation/base/files/file_mistake.h"

namespace tilereel {

using LessonMistake = FileMistake;
struct LessonReading {
    Lesson lesson;
    std::string text;  // contents of the file
    std::vector<LessonMistake> mistakes;
};

}  // namespace tilereel
