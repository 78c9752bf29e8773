#pragma once
// State that is kept between sessions: the kernel that was shown last, the look of the window,
// recent files, and for each program the row lengths of its arrays and the products that the user
// named. A JSON file in the user's state folder (XDG Base Directory Specification,
// "XDG_STATE_HOME").
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

using KeptRows = std::map<std::string, std::uint32_t>;  // elements of a row, by the array's name

// text_of(NamedProduct), by kernel.
using KeptProducts = std::map<std::string, std::string>;

struct KeptState {
    std::vector<std::filesystem::path> recent_files;  // absolute, latest first
    std::map<std::string, KeptRows> rows;             // by the program's absolute path
    std::map<std::string, KeptProducts> products;     // by the program's absolute path
    // The ladder kernel that was shown last with its parameters, the theme and the text size, as
    // text_of(SavedView); empty if the window was never closed.
    std::string view;
    int width = 0, height = 0;  // of the window; 0 if it was never closed

    // Puts a file at the front of recent_files.
    void note_opened(const std::filesystem::path& file);
    [[nodiscard]] KeptRows rows_of(const std::filesystem::path& file) const;
    void keep_rows(const std::filesystem::path& file, const KeptRows& of_file);
    [[nodiscard]] KeptProducts products_of(const std::filesystem::path& file) const;
    void keep_products(const std::filesystem::path& file, const KeptProducts& of_file);
};

// $XDG_STATE_HOME/tilereel/state.json, else ~/.local/state/tilereel/state.json; empty if neither
// folder is known.
[[nodiscard]] std::filesystem::path kept_state_file();
// Empty if there is no such file. Invalid parts of the file are ignored.
[[nodiscard]] KeptState read_kept_state(const std::filesystem::path& file);
// Creates the folder if it is missing.
[[nodiscard]] Status write_kept_state(const KeptState& state, const std::filesystem::path& file);

}  // namespace tilereel
