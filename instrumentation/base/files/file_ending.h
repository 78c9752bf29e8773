#pragma once
// The ending of a file's name, by which its kind is told.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace tilereel {

// From the last dot on, in lower case: ".cu" of "a.CU", ".npz" of "a.cu.npz", ".cu" of ".cu". Empty
// if the name has no dot.
[[nodiscard]] inline std::string ending_of(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    name.erase(0, std::min(name.rfind('.'), name.size()));
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

}  // namespace tilereel
