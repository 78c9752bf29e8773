#include "kernels/variants.h"

#include <algorithm>
#include <string>

#include "instrumentation/base/format/with_commas.h"
#include "kernels/ladder_file.h"
#include "kernels/launch_rules.h"

namespace tilereel {
namespace {

constexpr int kMostPad = 1 << 16;  // more than any shared memory holds: keeps products in range

bool is_among(std::span<const int> values, int value) {
    return std::ranges::find(values, value) != values.end();
}

// "2, 4 or 8"
std::string choices(std::span<const int> values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) text += i + 1 == values.size() ? " or " : ", ";
        text += std::to_string(values[i]);
    }
    return text;
}

std::string commas(std::int64_t number) { return with_commas(static_cast<std::uint64_t>(number)); }

// The start of a message: "TILE is 33: 09_tiled "
std::string message_start(const char* name, int value, const KernelInfo& kernel) {
    return std::string(name) + " is " + std::to_string(value) + ": " + std::string(kernel.id) + " ";
}

Error listed_only(const char* name, int value, const KernelInfo& kernel,
                  std::span<const int> values) {
    return wrong_call(message_start(name, value, kernel) + "takes " + choices(values));
}

std::int64_t threads_of_block(const LadderFile& file, int tile) {
    const CapturedLaunch launch = capture_launch(file, tile, 0, tile, tile, tile);
    return std::int64_t{launch.block_x} * launch.block_y;
}

// The largest TILE below `tile` whose blocks a GPU takes.
int largest_tile(const LadderFile& file, int tile) {
    int fits = 0, too_large = tile;
    while (too_large - fits > 1) {
        const int middle = fits + (too_large - fits) / 2;
        (threads_of_block(file, middle) > kMostThreadsOfBlock ? too_large : fits) = middle;
    }
    return fits;
}

Status check_block(const KernelInfo& kernel, int tile) {
    const CapturedLaunch launch = capture_launch(*kernel.file, tile, 0, tile, tile, tile);
    const std::int64_t threads = std::int64_t{launch.block_x} * launch.block_y;
    if (threads <= kMostThreadsOfBlock) return Done{};
    const std::string shape =
        launch.block_y == 1 ? "" : commas(launch.block_x) + " x " + commas(launch.block_y) + " = ";
    return wrong_call(message_start("TILE", tile, kernel) + "would have blocks of " + shape +
                      commas(threads) + " threads, and a GPU takes 1,024; use " +
                      std::to_string(largest_tile(*kernel.file, tile)) + " or less");
}

Status check_tile(const KernelInfo& kernel, int tile) {
    if (is_among(kernel.tiles, tile)) return Done{};
    if (tile < 1) return wrong_call("TILE is " + std::to_string(tile) + "; use 1 or more");
    if (!kernel.file->takes_tile) return listed_only("TILE", tile, kernel, kernel.tiles);
    const VariantRules& rules = *kernel.variant_rules;
    if (!rules.tiles.empty() && !is_among(rules.tiles, tile))
        return wrong_call(message_start("TILE", tile, kernel) + "takes " + choices(rules.tiles) +
                          (rules.why_tiles.empty() ? "" : "; " + rules.why_tiles));
    return check_block(kernel, tile);
}

Status check_pad(const KernelInfo& kernel, int pad) {
    if (is_among(kernel.pads, pad)) return Done{};
    if (pad < 0) return wrong_call("PAD is " + std::to_string(pad) + "; use 0 or more");
    if (!kernel.file->takes_pad) return listed_only("PAD", pad, kernel, kernel.pads);
    if (pad > kMostPad)
        return wrong_call(message_start("PAD", pad, kernel) + "takes at most " + commas(kMostPad));
    const VariantRules& rules = *kernel.variant_rules;
    if (pad % rules.pad_unit != 0)
        return wrong_call(message_start("PAD", pad, kernel) + "needs a multiple of " +
                          std::to_string(rules.pad_unit) +
                          (rules.why_pad.empty() ? "" : ", since " + rules.why_pad) + "; use " +
                          std::to_string(pad / rules.pad_unit * rules.pad_unit));
    return Done{};
}

}  // namespace

bool is_built_in(const KernelInfo& kernel, int tile, int pad) {
    return is_among(kernel.tiles, tile) && is_among(kernel.pads, pad);
}

bool takes_other_tiles(const KernelInfo& kernel) {
    if (!kernel.file->takes_tile) return false;
    const std::vector<int>& tiles = kernel.variant_rules->tiles;
    return tiles.empty() ||
           std::ranges::any_of(tiles, [&](int tile) { return !is_among(kernel.tiles, tile); });
}

bool takes_other_pads(const KernelInfo& kernel) { return kernel.file->takes_pad; }

std::optional<int> other_pad(const KernelInfo& kernel, int pad) {
    if (kernel.pads.size() < 2) return std::nullopt;
    return pad == kernel.pads[0] ? kernel.pads[1] : kernel.pads[0];
}

std::int64_t static_shared_bytes(const KernelInfo& kernel, int tile, int pad) {
    return kernel.file->shared_bytes(tile, pad);
}

Status check_variant(const KernelInfo& kernel, int tile, int pad) {
    TRY(check_tile(kernel, tile));
    TRY(check_pad(kernel, pad));
    if (is_built_in(kernel, tile, pad)) return Done{};
    const std::int64_t bytes = static_shared_bytes(kernel, tile, pad);
    if (bytes > kMostStaticSharedBytes)
        return wrong_call(std::string(kernel.id) + " with TILE " + std::to_string(tile) +
                          " and PAD " + std::to_string(pad) + " would take " + commas(bytes) +
                          " bytes of shared memory a block, and a block has " +
                          commas(kMostStaticSharedBytes) + "; use a smaller " +
                          (pad > 0 ? "PAD" : "TILE"));
    return Done{};
}

}  // namespace tilereel
