#pragma once
// A recorded block as one HTML file, which replays it in any browser without a network.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct HtmlRequest {
    std::uint32_t block_x = 0, block_y = 0;  // the block to replay
    const Generation* generation = &default_generation();
    bool light = false;            // the theme in which it opens; the page can change it
    std::optional<double> tick{};  // where it opens, as PictureRequest::tick
    // Asked again and again: true ends the work with kCancelled.
    std::function<bool()> interrupted = {};
};

// kWrongCall for a block that the grid does not have or that was not recorded, kFailed for one that
// is too large for a page and for a file that cannot be written. An old file stays until the new
// one is whole.
Status export_html(const Trace& trace, const HtmlRequest& request,
                   const std::filesystem::path& path);

}  // namespace tilereel
