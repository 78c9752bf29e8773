#pragma once
// What is installed with the program, or lies beside it in the source tree.
#include <filesystem>
#include <optional>
#include <string>

namespace tilereel {

// The folder of that name in assets/, or where it was installed: "lessons", "races".
[[nodiscard]] std::filesystem::path shipped_folder(const std::string& name);
// A lesson by its path or by the name of one that is shipped ("bank_conflicts"); nullopt: there is
// none.
[[nodiscard]] std::optional<std::filesystem::path> find_lesson(const std::string& name);

}  // namespace tilereel
