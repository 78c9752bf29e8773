#include "app/lesson/shipped.h"

#include <algorithm>
#include <system_error>

#include "app/subject/file_kind.h"
#include "instrumentation/base/files/program_folder.h"

namespace tilereel {

std::filesystem::path shipped_folder(const std::string& name) {
    std::error_code unknown;
    const std::filesystem::path beside = program_folder() / "assets" / name;
    if (std::filesystem::is_directory(beside, unknown)) return beside;
    return program_folder() / TILEREEL_INSTALLED_DATA / name;
}

std::vector<std::filesystem::path> shipped_programs() {
    std::vector<std::filesystem::path> programs;
    std::error_code none;
    for (std::filesystem::directory_iterator at(shipped_folder("programs"), none), end;
         !none && at != end; at.increment(none))
        if (has_ending_of(at->path(), FileKind::kProgram)) programs.push_back(at->path());
    std::ranges::sort(programs);
    return programs;
}

std::optional<std::filesystem::path> find_shipped(const std::string& folder,
                                                  const std::string& name) {
    std::error_code unknown;
    if (std::filesystem::is_regular_file(name, unknown)) return name;
    const std::filesystem::path shipped = shipped_folder(folder) / (name + ".toml");
    if (std::filesystem::is_regular_file(shipped, unknown)) return shipped;
    return std::nullopt;
}

}  // namespace tilereel
