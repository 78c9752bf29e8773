#pragma once
// Where the running program lies, so that it finds what is installed with it wherever it is put.
#include <filesystem>
#include <system_error>

namespace tilereel {

// The folder of the running program's file, symbolic links followed; empty if it is not known.
inline std::filesystem::path program_folder() {
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

}  // namespace tilereel
