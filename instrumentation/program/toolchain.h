#pragma once
// The installed g++, our plugin built for it, and our precompiled headers. They are kept in the
// user's cache folder, in one folder for each version of g++ and of Tilereel.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/base/result.h"
#include "instrumentation/program/cache_folder.h"

namespace tilereel::program {

struct Toolchain {
    std::string compiler;                // "g++"
    std::string version;                 // "12.2.0"
    std::filesystem::path folder;        // in the cache: include/, plugin.so
    std::vector<std::string> libraries;  // Tilereel's own, in the order in which they are linked
    bool has_gold = false;               // the linker ld.gold is installed
    // The compiler's flags for a file with device code and a C++ standard ("c++17").
    [[nodiscard]] std::vector<std::string> flags(const std::string& standard) const;
    // The same for a file without device code.
    [[nodiscard]] std::vector<std::string> host_flags(const std::string& standard) const;
    // The same for a file in C.
    [[nodiscard]] std::vector<std::string> c_flags() const;
    // The command that links object files to `program`. `hands_trace_over`: see ProgramRequest.
    [[nodiscard]] std::vector<std::string> link_command(const std::filesystem::path& program,
                                                        const std::vector<std::string>& objects,
                                                        bool hands_trace_over) const;
};
// Builds what is missing, which takes some seconds at the first use.
[[nodiscard]] Result<Toolchain> prepare_toolchain(const std::string& standard);

// FNV-1a. `hash`: the hash of the preceding text.
[[nodiscard]] std::uint64_t hash_of(std::string_view text,
                                    std::uint64_t hash = 0xcbf29ce484222325u);

struct EmbeddedFile {
    const char* path;  // "include/cuda.h"
    const char* text;
};
extern const EmbeddedFile kEmbeddedFiles[];
extern const unsigned kEmbeddedFileCount;

}  // namespace tilereel::program
