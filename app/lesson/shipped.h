#pragma once
// Files that are installed with the program, or are beside it in the source tree.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilereel {

// The folder with this name in assets/, or its installed copy: "lessons", "programs", "exercises".
[[nodiscard]] std::filesystem::path shipped_folder(const std::string& name);
// The CUDA programs that ship as samples, by name.
[[nodiscard]] std::vector<std::filesystem::path> shipped_programs();
// The path of a TOML file, from a path or from the name of one that ships in the folder:
// ("lessons", "bank_conflicts"). nullopt if there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_shipped(const std::string& folder,
                                                                const std::string& name);

}  // namespace tilereel
