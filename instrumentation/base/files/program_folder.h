#pragma once
// The folder of the running program. The files that are installed with it are found relative to it.
#include <filesystem>
#include <system_error>

namespace tilereel {

// The folder of the program's file, with symbolic links resolved; empty if it is unknown.
inline std::filesystem::path program_folder() {
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

}  // namespace tilereel
