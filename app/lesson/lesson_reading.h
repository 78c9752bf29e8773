#pragma once
// A lesson as read, with the mistakes in its file.
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "instrumentation/base/file_mistake.h"

namespace tilereel {

using LessonMistake = FileMistake;
struct LessonReading {
    Lesson lesson;
    std::string text;  // the file's
    std::vector<LessonMistake> mistakes;
};

}  // namespace tilereel
