#include "instrumentation/program/sandbox.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "instrumentation/program/process.h"

namespace tilereel::program {
namespace {

// Of the system: programs and libraries, and of /etc what the loader, the compiler and clocks read.
// Passwords and keys lie beside these files.
constexpr std::array kSystem = {"/usr",
                                "/bin",
                                "/sbin",
                                "/lib",
                                "/lib32",
                                "/lib64",
                                "/libx32",
                                "/etc/ld.so.cache",
                                "/etc/ld.so.conf",
                                "/etc/ld.so.conf.d",
                                "/etc/alternatives",
                                "/etc/localtime"};
// Files in memory: what lies in /tmp or /dev/shm counts for no other limit.
constexpr const char* kMemoryFileBytes = "268435456";
// Of the variables only those that tools need to run as they do outside.
constexpr std::array kVariables = {"PATH",         "LANG",           "LC_ALL",
                                   "TZ",           "ASAN_OPTIONS",   "UBSAN_OPTIONS",
                                   "TSAN_OPTIONS", "LD_LIBRARY_PATH"};

bool is_there(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
}

std::vector<std::string> system_options() {
    std::vector<std::string> options = {"bwrap",
                                        "--unshare-user",
                                        "--unshare-ipc",
                                        "--unshare-pid",
                                        "--unshare-net",
                                        "--unshare-uts",
                                        "--unshare-cgroup-try",
                                        "--disable-userns",
                                        "--die-with-parent",
                                        "--cap-drop",
                                        "ALL",
                                        "--clearenv"};
    for (const char* const path : kSystem)
        if (is_there(path)) options.insert(options.end(), {"--ro-bind", path, path});
    options.insert(options.end(),
                   {"--proc", "/proc", "--dev", "/dev", "--size", kMemoryFileBytes, "--tmpfs",
                    "/dev/shm", "--size", kMemoryFileBytes, "--tmpfs", "/tmp"});
    return options;
}

std::string reason() {
    ProcessRequest request;
    request.command = in_sandbox({}, "/", {}, {"true"});
    request.seconds = 20;
    const Result<ProcessResult> tried = run_process(request);
    if (!tried)
        return "there is no bubblewrap, which keeps a stranger's program from your files: apt-get "
               "install bubblewrap";
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
    const auto add_folder = [&](const std::filesystem::path& folder) {
        const std::filesystem::path real = std::filesystem::weakly_canonical(folder, error);
        if (is_around_home(real)) return;
        paths.push_back(real);
        paths.push_back(folder);  // by which it is named
    };
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    for (const std::filesystem::path& file : files) {
        const std::filesystem::path path =
            std::filesystem::absolute(file, error).lexically_normal();
        add_folder(path.parent_path());
        paths.push_back(path);
    }
    for (const std::filesystem::path& folder : request.include_folders)
        add_folder(std::filesystem::absolute(folder, error).lexically_normal());
    return paths;
}

bool is_within(const std::filesystem::path& path, const std::vector<std::filesystem::path>& paths) {
    return std::ranges::any_of(paths, [&](const auto& folder) { return holds(folder, path); });
}

const std::string& why_no_sandbox() {
    static const std::string why = reason();
    return why;
}

std::vector<std::string> in_sandbox(
    const Sandbox& sandbox, const std::filesystem::path& folder,
    const std::vector<std::pair<std::string, std::string>>& variables,
    const std::vector<std::string>& command) {
    std::vector<std::string> all = system_options();
    const auto bind = [&all](const char* how, const std::filesystem::path& path) {
        if (is_there(path)) all.insert(all.end(), {how, path.string(), path.string()});
    };
    for (const std::filesystem::path& path : sandbox.readable) bind("--ro-bind", path);
    for (const std::filesystem::path& path : sandbox.writable) bind("--bind", path);
    const auto set = [&all](const std::string& name, const std::string& value) {
        all.insert(all.end(), {"--setenv", name, value});
    };
    for (const char* const name : kVariables)
        if (const char* const value = std::getenv(name)) set(name, value);
    set("HOME", "/tmp");
    for (const auto& [name, value] : variables) set(name, value);
    // A folder that is not bound is an empty one.
    all.insert(all.end(), {"--dir", folder.string(), "--chdir", folder.string(), "--"});
    all.insert(all.end(), command.begin(), command.end());
    return all;
}

}  // namespace tilereel::program
