#include "app/cli/subcommands.h"
#include "app/exercise/progress.h"
#include "app/exercise/read_exercise.h"
#include "app/lesson/shipped.h"

namespace tilereel {

void ExerciseCommand::add_to(CLI::App& app) {
    app.add_option("NAME", exercise,
                   "An exercise that ships, or the file (.toml) of another; without one, those "
                   "that ship are listed")
        ->type_name("");
    app.add_option("FILE", file,
                   "Your copy of the exercise's file, made if it is missing (default: that of the "
                   "last time, or NAME.cu in the current folder)")
        ->type_name("");
}

Result<std::filesystem::path> ExerciseCommand::find_exercise() const {
    if (const auto path = find_shipped("exercises", exercise)) return *path;
    return wrong_call("there is no exercise '" + exercise +
                      "'; 'tilereel exercise' lists those that ship");
}

std::filesystem::path ExerciseCommand::copy_of(const std::filesystem::path& path) const {
    std::error_code unknown;
    const std::string name = path.stem().string();
    if (!file.empty()) return std::filesystem::absolute(file, unknown);
    const ExerciseProgress progress = read_exercise_progress(exercise_progress_file());
    const auto known = progress.find(progress_name(path));
    if (known != progress.end() && std::filesystem::is_regular_file(known->second.copy, unknown))
        return known->second.copy;
    return std::filesystem::absolute(name + ".cu", unknown);
}

Result<std::string> ExerciseCommand::run() const {
    const ExerciseProgress progress = read_exercise_progress(exercise_progress_file());
    std::string text;
    for (const std::filesystem::path& path : exercises_in(shipped_folder("exercises"))) {
        const Exercise listed = read_exercise(path).exercise;
        const std::string name = path.stem().string();
        const auto known = progress.find(progress_name(path));
        text += name + ": " + listed.title;
        if (known != progress.end()) text += known->second.passed ? " (passed)" : " (begun)";
        text += "\n  " + listed.about + "\n";
    }
    return text;
}

}  // namespace tilereel
