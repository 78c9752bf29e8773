#include "app/shell/window_title.h"

#include <filesystem>

#include "app/panels/lesson/lesson_page.h"

namespace tilereel {
namespace {

std::string name_of_recording(const Workbench& workbench) {
    const Recording* const recording = workbench.recording();
    if (recording == nullptr) return {};
    const Launch& launch = recording->trace->launch;
    if (workbench.shows_program()) return workbench.program()->name() + ": " + launch.kernel;
    if (const auto file = workbench.shown_file(); !file.empty()) return file.filename().string();
    std::string name = launch.kernel;
    if (launch.m > 0)
        name += " " + std::to_string(launch.m) + " x " + std::to_string(launch.n) + " x " +
                std::to_string(launch.k);
    if (launch.tile > 0) name += ", TILE " + std::to_string(launch.tile);
    if (launch.pad > 0) name += ", PAD " + std::to_string(launch.pad);
    return name;
}

std::string shown_name(const Workbench& workbench) {
    switch (workbench.view().mode) {
        case WindowMode::kRace:
            return "Race";
        case WindowMode::kPatterns:
            return "Patterns";
        case WindowMode::kTime:
            return "Time of " + name_of_recording(workbench);
        case WindowMode::kLessons:
            if (const OpenedExercise* const exercise = workbench.exercises().exercise())
                return exercise->exercise.title.empty() ? exercise->name()
                                                        : exercise->exercise.title;
            if (lesson_page(workbench) == LessonPage::kScene)
                return workbench.lessons().lesson()->file.stem().string();
            return "Lessons";
        default:
            return name_of_recording(workbench);
    }
}

}  // namespace

std::string window_title(const Workbench& workbench) {
    const std::string name = shown_name(workbench);
    return name.empty() ? "Tilereel" : name + " - Tilereel";
}

}  // namespace tilereel
