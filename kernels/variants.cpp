#include "kernels/variants.h"

#include <algorithm>
#include <array>
#include <string>

#include "instrumentation/base/with_commas.h"

namespace tilereel {
namespace {

// Of one kernel that has a plain CUDA file.
struct VariantRule {
    std::string_view kernel;
    std::span<const int> tiles{};  // all that it can have; empty: any
    std::string_view why{};        // it can have no others
    bool square_block = false;     // a block has TILE x TILE threads
    int pad_unit = 0;              // PAD is a multiple of it; 0: there is no PAD
    std::int64_t (*shared_floats)(std::int64_t tile, std::int64_t pad) = nullptr;  // static
};

constexpr int kMostPad = 1 << 16;  // more than any shared memory holds: keeps products in range

constexpr std::array kOfOneWarp = {1, 2, 4, 8, 16, 32};
constexpr std::array kOf64Threads = {8, 16, 32, 64};
constexpr std::array kOfRegisterTiles = {4, 8, 16, 32, 64, 128};

constexpr std::string_view kOneWarp = "a row of its tile must be of one warp";
constexpr std::string_view kSharedOut = "its threads share out each tile evenly";

std::int64_t one_tile(std::int64_t tile, std::int64_t pad) { return tile * (tile + pad); }
std::int64_t two_tiles(std::int64_t tile, std::int64_t pad) { return 2 * one_tile(tile, pad); }
std::int64_t one_padded_tile(std::int64_t tile, std::int64_t pad) {
    return one_tile(tile, 0) + one_tile(tile, pad);
}
std::int64_t two_deep_tiles(std::int64_t tile, std::int64_t pad) {
    return (2 * tile + pad) * (tile < 128 ? 8 : 16);
}

constexpr std::array kRules = {
    VariantRule{.kernel = "cpu_tiled", .shared_floats = one_tile},
    VariantRule{.kernel = "01_naive_by_column", .square_block = true},
    VariantRule{.kernel = "02_naive", .square_block = true},
    VariantRule{.kernel = "03_guide_simple", .square_block = true},
    VariantRule{.kernel = "04_guide_a_shared",
                .tiles = kOfOneWarp,
                .why = kOneWarp,
                .pad_unit = 1,
                .shared_floats = one_tile},
    VariantRule{.kernel = "05_guide_ab_shared",
                .square_block = true,
                .pad_unit = 1,
                .shared_floats = two_tiles},
    VariantRule{.kernel = "07_tiled_b_uncoalesced",
                .square_block = true,
                .pad_unit = 1,
                .shared_floats = two_tiles},
    VariantRule{.kernel = "08_tiled_b_transposed",
                .square_block = true,
                .pad_unit = 1,
                .shared_floats = one_padded_tile},
    VariantRule{.kernel = "09_tiled",
                .square_block = true,
                .pad_unit = 1,
                .shared_floats = two_tiles},
    VariantRule{.kernel = "10_tiled_any_size",
                .square_block = true,
                .pad_unit = 1,
                .shared_floats = two_tiles},
    VariantRule{.kernel = "11_tiled_dynamic", .square_block = true, .pad_unit = 1},
    VariantRule{.kernel = "12_outer_product",
                .tiles = kOf64Threads,
                .why = kSharedOut,
                .pad_unit = 1,
                .shared_floats = one_tile},
    VariantRule{.kernel = "13_outer_product_unrolled",
                .tiles = kOf64Threads,
                .why = kSharedOut,
                .pad_unit = 1,
                .shared_floats = one_tile},
    VariantRule{.kernel = "14_outer_product_prefetch",
                .tiles = kOf64Threads,
                .why = kSharedOut,
                .pad_unit = 1,
                .shared_floats = two_tiles},
    VariantRule{.kernel = "15_register_tile",
                .tiles = kOfRegisterTiles,
                .why = kSharedOut,
                .shared_floats = two_deep_tiles},
    VariantRule{.kernel = "16_vectorized",
                .tiles = kOfRegisterTiles,
                .why = kSharedOut,
                .pad_unit = 4,
                .shared_floats = two_deep_tiles},
};
// As many as are built in, and PAD besides.
constexpr VariantRule kSingleBlock{.kernel = "06_single_block", .pad_unit = 1};

const VariantRule* rule_of(const KernelInfo& kernel) {
    if (kernel.plain_source.empty()) return nullptr;
    const auto rule = std::ranges::find(kRules, kernel.id, &VariantRule::kernel);
    if (rule != kRules.end()) return &*rule;
    return kernel.id == kSingleBlock.kernel ? &kSingleBlock : nullptr;
}

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

// "TILE is 33: 09_tiled "
std::string begun(const char* name, int value, const KernelInfo& kernel) {
    return std::string(name) + " is " + std::to_string(value) + ": " + std::string(kernel.id) + " ";
}

Error listed_only(const char* name, int value, const KernelInfo& kernel,
                  std::span<const int> values) {
    return wrong_call(begun(name, value, kernel) + "takes " + choices(values) +
                      (kernel.plain_source.empty()
                           ? "; it has no plain CUDA file that could be compiled with another"
                           : ""));
}

Status check_tile(const KernelInfo& kernel, const VariantRule* rule, int tile) {
    if (is_among(kernel.tiles, tile)) return Done{};
    if (tile < 1) return wrong_call("TILE is " + std::to_string(tile) + "; use 1 or more");
    if (rule == nullptr || rule == &kSingleBlock)
        return listed_only("TILE", tile, kernel, kernel.tiles);
    if (!rule->tiles.empty() && !is_among(rule->tiles, tile))
        return wrong_call(begun("TILE", tile, kernel) + "takes " + choices(rule->tiles) + "; " +
                          std::string(rule->why));
    const std::int64_t threads = std::int64_t{tile} * tile;
    if (rule->square_block && threads > kMostThreadsOfBlock)
        return wrong_call(begun("TILE", tile, kernel) + "would have blocks of " +
                          commas(tile) + " x " + commas(tile) + " = " + commas(threads) +
                          " threads, and a GPU takes 1,024; use 32 or less");
    return Done{};
}

Status check_pad(const KernelInfo& kernel, const VariantRule* rule, int pad) {
    if (is_among(kernel.pads, pad)) return Done{};
    if (pad < 0) return wrong_call("PAD is " + std::to_string(pad) + "; use 0 or more");
    if (rule == nullptr || rule->pad_unit == 0)
        return listed_only("PAD", pad, kernel, kernel.pads);
    if (pad > kMostPad)
        return wrong_call(begun("PAD", pad, kernel) + "takes at most " + commas(kMostPad));
    if (pad % rule->pad_unit != 0)
        return wrong_call(begun("PAD", pad, kernel) + "needs a multiple of " +
                          std::to_string(rule->pad_unit) +
                          ", since each row begins at a multiple of 16 bytes; use " +
                          std::to_string(pad / rule->pad_unit * rule->pad_unit));
    return Done{};
}

}  // namespace

bool is_built_in(const KernelInfo& kernel, int tile, int pad) {
    return is_among(kernel.tiles, tile) && is_among(kernel.pads, pad);
}

bool takes_other_tiles(const KernelInfo& kernel) {
    const VariantRule* const rule = rule_of(kernel);
    if (rule == nullptr || rule == &kSingleBlock) return false;
    return rule->tiles.empty() || std::ranges::any_of(rule->tiles, [&](int tile) {
               return !is_among(kernel.tiles, tile);
           });
}

bool takes_other_pads(const KernelInfo& kernel) {
    const VariantRule* const rule = rule_of(kernel);
    return rule != nullptr && rule->pad_unit != 0;
}

std::int64_t static_shared_bytes(const KernelInfo& kernel, int tile, int pad) {
    const VariantRule* const rule = rule_of(kernel);
    if (rule == nullptr || rule->shared_floats == nullptr) return 0;
    return rule->shared_floats(tile, pad) * std::int64_t{sizeof(float)};
}

Status check_variant(const KernelInfo& kernel, int tile, int pad) {
    const VariantRule* const rule = rule_of(kernel);
    if (const Status sound = check_tile(kernel, rule, tile); !sound) return sound;
    if (const Status sound = check_pad(kernel, rule, pad); !sound) return sound;
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
