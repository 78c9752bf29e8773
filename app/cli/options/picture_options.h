#pragma once
// Options for the look of the window and of pictures.
#include <CLI/CLI.hpp>
#include <optional>

#include "app/cli/typed_numbers.h"
#include "app/export/export.h"

namespace tilereel {

// --size --light --text --tick --block
struct PictureOptions {
    Extent2 size{1920, 1080};
    bool size_given = false;
    bool light = false;
    std::optional<int> text_px;
    std::optional<double> tick;
    bool block_given = false;
    std::uint32_t block_x = 0, block_y = 0;
    // Whether --size, --light or --text was given.
    [[nodiscard]] bool look_given() const { return size_given || light || text_px; }
};
// --size --light --text
void add_look_options(CLI::App& app, PictureOptions& options);
[[nodiscard]] PictureLook look_of(const PictureOptions& options, int text_px = 14);
// The same, with --tick and --block: the position of the replay.
void add_picture_options(CLI::App& app, PictureOptions& options);

}  // namespace tilereel
