#include "app/cli/options/picture_options.h"

#include <algorithm>

#include "app/cli/options/options.h"

namespace tilereel {
namespace {

// The smallest size that the layout supports, and the largest that fits into graphics memory for
// sure.
constexpr Extent2 kSmallest{640, 360}, kLargest{8192, 8192};
constexpr int kSmallestTextPx = 14, kLargestTextPx = 32;

}  // namespace

void add_look_options(CLI::App& app, PictureOptions& options) {
    add_checked_option(
        app, "--size",
        [&options](const std::string& text) -> std::string {
            const auto size = parse_extent(text);
            if (!size || size->width < kSmallest.width || size->height < kSmallest.height ||
                size->width > kLargest.width || size->height > kLargest.height)
                return "WIDTHxHEIGHT from 640x360 to 8192x8192";
            options.size = *size;
            options.size_given = true;
            return "";
        },
        "In pixels, such as 1280x720 (default 1920x1080)", "WxH");
    app.add_flag("--light", options.light, "Light theme, for projectors");
    add_whole_option(app, "--text", options.text_px, kSmallestTextPx, kLargestTextPx,
                     "Height of the text in pixels, 14 to 32 (default 14)");
}

PictureLook look_of(const PictureOptions& options, int text_px) {
    return {.width = options.size.width,
            .height = options.size.height,
            .light = options.light,
            .text_px = options.text_px.value_or(text_px)};
}

void add_picture_options(CLI::App& app, PictureOptions& options) {
    add_look_options(app, options);
    add_checked_option(
        app, "--tick",
        [&options](const std::string& text) -> std::string {
            const auto shown = parse_decimal(text);
            if (!shown || *shown < 0) return "a number of ticks, 0 or more";
            options.tick = std::max(0.0, *shown - 1);  // the replay counts from 0
            return "";
        },
        "Where the replay stands, by the number that the timeline shows (default: the start)",
        "TICK");
    add_block_option(app, options.block_x, options.block_y,
                     "The block to watch, by column and row of the grid (default 0,0)")
        ->each([&options](const std::string&) { options.block_given = true; });
}

}  // namespace tilereel
