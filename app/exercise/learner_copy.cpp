#include "app/exercise/learner_copy.h"

#include <cstdlib>
#include <system_error>

#include "instrumentation/base/files/text_file.h"

namespace tilereel {

std::filesystem::path learner_folder() {
    const char* const home = std::getenv("HOME");
    if (home == nullptr || !std::filesystem::path(home).is_absolute()) return {};
    return std::filesystem::path(home) / "tilereel";
}

Status make_learner_copy(const Exercise& exercise, const std::filesystem::path& copy) {
    std::error_code problem;
    if (std::filesystem::is_regular_file(copy, problem)) return Done{};
    if (std::filesystem::exists(copy, problem))
        return failed(copy.string() + " is no file; name another place for your copy");
    const std::string text = TRY(read_source(exercise.handed_out));
    std::filesystem::create_directories(copy.parent_path(), problem);
    if (problem)
        return failed("the folder " + copy.parent_path().string() +
                      " cannot be made: " + problem.message());
    // Not copy_file(): what is installed is read-only, and the learner's file is not.
    return write_text(copy, text);
}

}  // namespace tilereel
