#include "instrumentation/program/stranger.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include "instrumentation/program/process.h"

namespace tilereel::program {
namespace {

// Whether a folder of PATH has the program.
bool is_installed(const std::string& program) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

std::string reason() {
    if (!is_installed(kBubblewrap))
        return "there is no bubblewrap, which keeps a stranger's program from your files: apt-get "
               "install bubblewrap";
    ProcessRequest request;
    request.command = in_sandbox({}, "/", {}, {"true"});
    request.seconds = 20;
    const Result<ProcessResult> tried = run_process(request);
    // Where a process cannot be started at all, such as without descriptors, the next one says why.
    if (!tried) return {};
    if (tried->succeeded()) return {};
    std::string says = tried->output.substr(0, tried->output.find('\n'));
    return "bubblewrap cannot make a sandbox on this computer (" +
           (says.empty() ? "it ended with " + std::to_string(tried->code) : std::move(says)) +
           "): the system must allow user namespaces (sysctl kernel.unprivileged_userns_clone, "
           "user.max_user_namespaces)";
}

bool holds(const std::filesystem::path& folder, const std::filesystem::path& path) {
    return std::ranges::mismatch(folder, path).in1 == folder.end();
}

// Whether `folder` is the user's home or holds it, or is a folder in which others have theirs.
bool is_around_home(const std::filesystem::path& folder) {
    std::error_code error;
    const char* const home = std::getenv("HOME");
    if (home != nullptr && holds(folder, std::filesystem::weakly_canonical(home, error)))
        return true;
    return std::ranges::any_of(std::array{"/root", "/home/user", "/tmp/file", "/var/tmp/file"},
                               [&](const char* const inside) { return holds(folder, inside); });
}

}  // namespace

std::vector<std::filesystem::path> readable_of(const ProgramRequest& request) {
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    // Returns whether the folder is seen.
    const auto add_folder = [&](const std::filesystem::path& folder) {
        const std::filesystem::path real = std::filesystem::weakly_canonical(folder, error);
        if (is_around_home(real)) return false;
        paths.push_back(real);
        paths.push_back(folder);  // by which it is named
        return true;
    };
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    for (const std::filesystem::path& file : files) {
        const std::filesystem::path path =
            std::filesystem::absolute(file, error).lexically_normal();
        // A link is in its folder already; where it leads to is another place.
        const bool seen = add_folder(path.parent_path());
        const bool is_link = std::filesystem::is_symlink(path, error);
        paths.push_back(seen && is_link ? std::filesystem::weakly_canonical(path, error) : path);
    }
    for (const std::filesystem::path& folder : request.include_folders)
        add_folder(std::filesystem::absolute(folder, error).lexically_normal());
    return paths;
}

bool is_within(const std::filesystem::path& path, const std::vector<std::filesystem::path>& paths) {
    return std::ranges::any_of(paths, [&](const auto& folder) { return holds(folder, path); });
}

std::string why_not_watched() {
    // In a container /proc may be missing, or be that of other processes, which have other numbers.
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self", error);
    if (!error && self == std::to_string(getpid()) && access("/proc/self/stat", R_OK) == 0)
        return {};
    return "/proc does not show the processes of this computer, so the memory and the processes of "
           "a program cannot be limited: mount it with mount -t proc proc /proc";
}

const std::string& why_no_sandbox() {
    static const std::string why = reason();
    return why;
}

}  // namespace tilereel::program
