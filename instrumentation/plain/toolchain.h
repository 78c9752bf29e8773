#pragma once
// The g++ that is there, our plugin built for it, and our headers compiled once: kept in the user's
// cache folder, one for each version of g++ and of Tilereel. Where g++ has no headers for plugins,
// its own access hooks (-fsanitize=thread) take the plugin's place: they see every access, but no
// sums and no values of variables.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/base/temporary_folder.h"

namespace tilereel::plain {

struct Toolchain {
    std::string compiler;  // "g++"
    std::string version;   // "12.2.0"
    bool has_plugin = true;
    std::filesystem::path folder;        // in the cache: include/, plugin.so
    std::vector<std::string> libraries;  // to link with, in order
    // What every file is compiled with, for a C++ standard ("c++17").
    [[nodiscard]] std::vector<std::string> flags(const std::string& standard) const;
    // The same of a file without device code.
    [[nodiscard]] std::vector<std::string> host_flags(const std::string& standard) const;
};
// Builds what is missing: some seconds at the first use.
[[nodiscard]] Result<Toolchain> prepare_toolchain(const std::string& standard);

// Where tools are kept that were built once: in the user's cache folder.
[[nodiscard]] std::filesystem::path cache_folder();
// Folders in which something is made that is renamed once it is whole.
inline constexpr OwnedNames kHalfMade = {"half-made-", ""};
// FNV-1a; `hash`: of what comes before.
[[nodiscard]] std::uint64_t hash_of(std::string_view text,
                                    std::uint64_t hash = 0xcbf29ce484222325u);

struct EmbeddedFile {
    const char* path;  // "include/cuda.h"
    const char* text;
};
extern const EmbeddedFile kEmbeddedFiles[];
extern const unsigned kEmbeddedFileCount;

}  // namespace tilereel::plain
