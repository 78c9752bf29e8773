#pragma once
// What is kept from one start of the program to the next: the kernel that was shown last and how
// the window looked, files opened lately, how long the rows of each program's arrays are in the
// picture, and which of its kernels are products. A JSON file in the user's state folder (XDG Base
// Directory Specification, "XDG_STATE_HOME").
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

using KeptRows = std::map<std::string, std::uint32_t>;  // elements a row, by the array's name

// As text_of(NamedProduct), by kernel.
using KeptProducts = std::map<std::string, std::string>;

struct KeptState {
    std::vector<std::filesystem::path> recent_files;  // absolute, the latest first
    std::map<std::string, KeptRows> rows;             // by the program's absolute path
    std::map<std::string, KeptProducts> products;     // likewise
    // The kernel of the ladder shown last with its parameters, the theme and the text's height, as
    // text_of(SavedView); empty: the program was never closed.
    std::string view;
    int width = 0, height = 0;  // of the window; 0: likewise

    // Puts a file in front of the recent ones.
    void note_opened(const std::filesystem::path& file);
    [[nodiscard]] KeptRows rows_of(const std::filesystem::path& file) const;
    void keep_rows(const std::filesystem::path& file, const KeptRows& of_file);
    [[nodiscard]] KeptProducts products_of(const std::filesystem::path& file) const;
    void keep_products(const std::filesystem::path& file, const KeptProducts& of_file);
};

// $XDG_STATE_HOME/tilereel/state.json, else ~/.local/state/tilereel/state.json; empty: neither is
// known.
[[nodiscard]] std::filesystem::path kept_state_file();
// Empty where there is no such file; what cannot be read of it is left out.
[[nodiscard]] KeptState read_kept_state(const std::filesystem::path& file);
// Makes the folder where it is missing.
[[nodiscard]] Status write_kept_state(const KeptState& state, const std::filesystem::path& file);

}  // namespace tilereel
