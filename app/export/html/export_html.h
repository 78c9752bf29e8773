#pragma once
// Writes a recorded block as one HTML file, which replays it in any browser without a network.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/export/html/page_data.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct HtmlRequest {
    std::uint32_t block_x = 0, block_y = 0;  // the block to replay
    const Generation* generation = &default_generation();
    bool light = false;            // first theme of the page; the user can switch it
    std::optional<double> tick{};  // first position, as PictureRequest::tick
    // Launches of the same kernel with other TILEs and PADs, to which the reader can change. Each
    // shows the block that stores the same part of C. One that would make the page too large is
    // left out, and so are those behind it.
    std::vector<const Trace*> others{};
    std::uint64_t most_bytes = kMostPageBytes;
    // Called repeatedly. If it returns true, the work ends with kCancelled.
    std::function<bool()> interrupted = {};
};

struct WrittenPage {
    std::uint64_t bytes = 0;
    std::size_t others = 0;  // so many of HtmlRequest::others are in it, the first ones
};

// kWrongCall if the grid has no such block or it was not recorded. kFailed if the block is too
// large for a page or the file cannot be written. An existing file is replaced only by a complete
// one.
Result<WrittenPage> export_html(const Trace& trace, const HtmlRequest& request,
                                const std::filesystem::path& path);

}  // namespace tilereel
