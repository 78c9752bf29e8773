#include "app/exercise/progress.h"

#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "app/lesson/shipped.h"
#include "instrumentation/base/files/regular_file.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/files/state_folder.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMostExercises = 1000, kMostHints = 100;
constexpr std::size_t kLongestName = 4096;  // of a file, on Linux

ExerciseRecord record_from(const nlohmann::json& json) {
    ExerciseRecord record;
    if (const auto passed = json.find("passed"); passed != json.end() && passed->is_boolean())
        record.passed = passed->get<bool>();
    if (const auto hints = json.find("hints"); hints != json.end() && hints->is_number_unsigned())
        if (const auto count = hints->get<std::uint64_t>(); count <= kMostHints)
            record.hints = count;
    if (const auto copy = json.find("copy"); copy != json.end() && copy->is_string())
        if (const auto& path = copy->get_ref<const std::string&>();
            path.size() <= kLongestName && path.find('\0') == std::string::npos &&
            std::filesystem::path(path).is_absolute())
            record.copy = path;
    return record;
}

}  // namespace

std::string progress_name(const std::filesystem::path& exercise) {
    std::error_code unknown;
    const std::filesystem::path whole =
        std::filesystem::absolute(exercise, unknown).lexically_normal();
    const bool ships = whole.parent_path() == shipped_folder("exercises").lexically_normal();
    return ships ? whole.stem().string() : whole.string();
}

std::filesystem::path exercise_progress_file() {
    const std::filesystem::path folder = state_folder();
    return folder.empty() ? folder : folder / "exercises.json";
}

ExerciseProgress read_exercise_progress(const std::filesystem::path& file) {
    ExerciseProgress progress;
    const Result<std::string> text = read_regular_file(file, kMostBytes);
    if (!text) return progress;
    const nlohmann::json json = read_json(*text);
    if (!json.is_object()) return progress;
    for (const auto& [name, record] : json.items())
        if (record.is_object() && progress.size() < kMostExercises)
            progress[name] = record_from(record);
    return progress;
}

Status write_exercise_progress(const ExerciseProgress& progress,
                               const std::filesystem::path& file) {
    if (file.empty()) return failed("There is no folder to keep the state in: set XDG_STATE_HOME");
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    if (problem) return failed("The folder " + file.parent_path().string() + " cannot be made");
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, record] : progress)
        json[name] = {
            {"passed", record.passed}, {"hints", record.hints}, {"copy", record.copy.string()}};
    const std::string text = json_text(json, 2) + "\n";
    return replace_file(file, std::as_bytes(std::span(text)));
}

}  // namespace tilereel
