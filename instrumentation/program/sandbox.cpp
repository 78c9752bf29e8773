#include "instrumentation/program/sandbox.h"

#include <array>
#include <cstdlib>
#include <system_error>

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
constexpr const char* kPath = "/usr/local/bin:/usr/bin:/bin";  // where there is no PATH
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
    // bwrap is process 1 of the sandbox, and anyone in it can read its variables.
    const char* const folders = std::getenv("PATH");
    std::vector<std::string> options = {"env",
                                        "-i",
                                        "PATH=" + std::string(folders == nullptr ? kPath : folders),
                                        kBubblewrap,
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
    options.insert(options.end(), {"--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys",
                                   "--dev", "/dev", "--size", kMemoryFileBytes, "--tmpfs",
                                   "/dev/shm", "--size", kMemoryFileBytes, "--tmpfs", "/tmp"});
    return options;
}

}  // namespace

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
    // A folder that is not bound is an empty one. All other folders lie in memory without a limit,
    // so that nothing can be written there.
    all.insert(all.end(), {"--dir", folder.string(), "--remount-ro", "/dev", "--remount-ro", "/",
                           "--chdir", folder.string(), "--"});
    all.insert(all.end(), command.begin(), command.end());
    return all;
}

}  // namespace tilereel::program
