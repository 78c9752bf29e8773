#pragma once
// Writes a recorded block as one HTML file, which replays it in any browser without a network.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct HtmlRequest {
    std::uint32_t block_x = 0, block_y = 0;  // the block to replay
    const Generation* generation = &default_generation();
    bool light = false;            // first theme of the page; the user can switch it
    std::optional<double> tick{};  // first position, as PictureRequest::tick
    // The same launch with another PAD, to which the reader can change. It is left out if the page
    // would become too large.
    const Trace* other_pad = nullptr;
    // Called repeatedly. If it returns true, the work ends with kCancelled.
    std::function<bool()> interrupted = {};
};

// kWrongCall if the grid has no such block or it was not recorded. kFailed if the block is too
// large for a page or the file cannot be written. An existing file is replaced only by a complete
// one.
Status export_html(const Trace& trace, const HtmlRequest& request,
                   const std::filesystem::path& path);

}  // namespace tilereel
