#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "instrumentation/base/with_commas.h"
#include "kernels/kernel_text.h"
#include "kernels/ladder.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

unsigned blocks_across(int extent, int tile) {
    return static_cast<unsigned>((extent + tile - 1) / tile);
}

LaunchShape square_blocks(int across, int down, int tile) {
    const auto edge = static_cast<unsigned>(tile);
    return {.grid_x = blocks_across(across, tile),
            .grid_y = blocks_across(down, tile),
            .block_x = edge,
            .block_y = edge};
}

Result<LaunchShape> any_size(std::string_view, const KernelParameters& p) {
    return square_blocks(p.n, p.m, p.tile);
}

Result<LaunchShape> any_size_by_column(std::string_view, const KernelParameters& p) {
    return square_blocks(p.m, p.n, p.tile);
}

// "K is 60: 09_tiled needs a multiple of TILE 16; use 64"
Error wrong_extent(char name, int extent, std::string_view id, const std::string& needs, int use) {
    return wrong_call(std::string(1, name) + " is " + std::to_string(extent) + ": " +
                      std::string(id) + " needs " + needs + "; use " + std::to_string(use));
}

int rounded_up(int extent, int multiple) {
    return std::min((extent + multiple - 1) / multiple * multiple, kLargestExtent);
}

Status multiples_of_tile(std::string_view id, const KernelParameters& p, std::string_view names) {
    const std::array<std::pair<char, int>, 3> extents{{{'M', p.m}, {'N', p.n}, {'K', p.k}}};
    for (const auto& [name, extent] : extents)
        if (names.find(name) != names.npos && extent % p.tile != 0)
            return wrong_extent(name, extent, id, "a multiple of TILE " + std::to_string(p.tile),
                                rounded_up(extent, p.tile));
    return Done{};
}

Result<LaunchShape> multiple_of_tile(std::string_view id, const KernelParameters& p) {
    const Status multiples = multiples_of_tile(id, p, "MNK");
    if (!multiples) return multiples.error();
    return square_blocks(p.n, p.m, p.tile);
}

Result<LaunchShape> one_tile_deep(std::string_view id, const KernelParameters& p) {
    if (p.k != p.tile)
        return wrong_extent('K', p.k, id, "K = TILE " + std::to_string(p.tile), p.tile);
    const Status multiples = multiples_of_tile(id, p, "MN");
    if (!multiples) return multiples.error();
    return square_blocks(p.n, p.m, p.tile);
}

std::uint32_t floats_in_bytes(int rows, int columns) {
    return static_cast<std::uint32_t>(rows) * static_cast<std::uint32_t>(columns) * sizeof(float);
}

Result<LaunchShape> one_thread(std::string_view, const KernelParameters&) { return LaunchShape{}; }

Result<LaunchShape> thread_a_tile(std::string_view, const KernelParameters& p) {
    return LaunchShape{.grid_x = blocks_across(p.n, p.tile), .grid_y = blocks_across(p.m, p.tile)};
}

// As and Bs of a square block, both TILE x (TILE + PAD).
std::uint32_t two_square_tiles(int threads, int pad) {
    const int edge = static_cast<int>(std::ceil(std::sqrt(threads)));
    return 2 * (floats_in_bytes(threads, 1) + floats_in_bytes(edge, pad));
}

// Both in dynamic shared memory.
Result<LaunchShape> tile_at_launch(std::string_view id, const KernelParameters& p) {
    Result<LaunchShape> shape = multiple_of_tile(id, p);
    if (shape) shape.value().dynamic_shared_bytes = two_square_tiles(p.tile * p.tile, p.pad);
    return shape;
}

// A thread for each element of C; As is M x (K + PAD) and Bs K x (N + PAD).
Result<LaunchShape> all_in_one_block(std::string_view id, const KernelParameters& p) {
    constexpr int kMostThreads = 1024, kSquareEdge = 32;
    if (std::int64_t{p.m} * p.n > kMostThreads) {
        const bool rows = p.m >= p.n;
        const int use = std::max(kSquareEdge, kMostThreads / (rows ? p.n : p.m));
        return wrong_extent(rows ? 'M' : 'N', rows ? p.m : p.n, id,
                            "M x N of at most 1024, a thread each", use);
    }
    if (p.k > std::min(p.m, p.n))
        return wrong_extent('K', p.k, id, "K at most M and N", std::min(p.m, p.n));
    return LaunchShape{
        .block_x = static_cast<unsigned>(p.n),
        .block_y = static_cast<unsigned>(p.m),
        .dynamic_shared_bytes = floats_in_bytes(p.m, p.k + p.pad) +
                                floats_in_bytes(p.k, p.n + p.pad)};
}

// A row of 64 threads a block, each with a column of a TILE x 64 tile of C.
Result<LaunchShape> rows_of_64_threads(std::string_view id, const KernelParameters& p) {
    constexpr int kThreads = 64;
    const Status multiples = multiples_of_tile(id, p, "MK");
    if (!multiples) return multiples.error();
    if (p.n % kThreads != 0)
        return wrong_extent('N', p.n, id, "a multiple of 64", rounded_up(p.n, kThreads));
    return LaunchShape{.grid_x = blocks_across(p.n, kThreads),
                       .grid_y = blocks_across(p.m, p.tile),
                       .block_x = kThreads,
                       .block_y = 1};
}

// Each thread has a square tile of C, of this edge, and the block TILE x TILE.
int edge_of_thread_tile(int tile) { return tile < 64 ? 4 : 8; }

// M and N by whole tiles of C, K by the depth of the tiles of A and B.
Status multiples_of_block_tile(std::string_view id, const KernelParameters& p) {
    if (const Status multiples = multiples_of_tile(id, p, "MN"); !multiples) return multiples;
    const int depth = p.tile < 128 ? 8 : 16;
    if (p.k % depth == 0) return Done{};
    return wrong_extent('K', p.k, id,
                        "a multiple of " + std::to_string(depth) + " with TILE " +
                            std::to_string(p.tile),
                        rounded_up(p.k, depth));
}

Result<LaunchShape> square_blocks_of_thread_tiles(std::string_view id, const KernelParameters& p) {
    const Status multiples = multiples_of_block_tile(id, p);
    if (!multiples) return multiples.error();
    LaunchShape shape = square_blocks(p.n, p.m, p.tile);
    shape.block_x = shape.block_y = static_cast<unsigned>(p.tile / edge_of_thread_tile(p.tile));
    return shape;
}

// The same threads in one dimension, by warps.
Result<LaunchShape> warps_of_thread_tiles(std::string_view id, const KernelParameters& p) {
    Result<LaunchShape> shape = square_blocks_of_thread_tiles(id, p);
    if (!shape) return shape;
    shape.value().block_x *= shape.value().block_y;
    shape.value().block_y = 1;
    return shape;
}

// All tiles in one dimension, a block's warps likewise: one for each 16 x 16 of TILE x TILE, or for
// each 64 x 64 of 256 x 128.
Result<LaunchShape> boxes_of_tiles(std::string_view, const KernelParameters& p) {
    const bool large = p.tile == 256;
    const int columns = large ? 128 : p.tile, of_warp = large ? 64 : 16;
    const auto warps = blocks_across(p.tile, of_warp) * blocks_across(columns, of_warp);
    const int stages = large ? 4 : 3, depth = large ? 32 : 8;
    constexpr int kBarrierFloats = 4;  // a stage has two barriers: it is full, it is empty
    return LaunchShape{
        .grid_x = blocks_across(p.n, columns) * blocks_across(p.m, p.tile),
        .block_x = 32 * warps,
        .dynamic_shared_bytes =
            floats_in_bytes(stages, (p.tile + columns) * depth + 2 * kBarrierFloats),
        .tile_columns = columns};
}

// One paragraph of a kernel's header: what follows `// <word>  `, continuation lines joined.
std::string header_paragraph(std::string_view text, std::string_view word) {
    std::string paragraph;
    bool inside = false;
    while (text.starts_with("//")) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        std::string_view body = line.substr(2);
        body.remove_prefix(std::min(body.size(), body.find_first_not_of(' ')));
        const bool continues = line.starts_with("//     ");
        if (!continues)
            inside = body.starts_with(word) && body.substr(word.size()).starts_with(' ');
        if (!inside) continue;
        if (!continues) {
            body.remove_prefix(word.size());
            body.remove_prefix(std::min(body.size(), body.find_first_not_of(' ')));
        }
        paragraph += (paragraph.empty() ? "" : " ");
        paragraph += body;
    }
    return paragraph;
}

using LaunchRule = Result<LaunchShape> (*)(std::string_view id, const KernelParameters&);

struct LadderRow {
    std::string_view stem;
    LaunchRule launch;
    std::vector<std::pair<int, int>> variants;  // TILE, PAD
};

const std::vector<LadderRow>& ladder() {
#define VARIANT(kernel, tile, pad) {tile, pad},
#define ROW(stem, function, variants, launch) {stem, launch, {variants(VARIANT, function)}},
    static const std::vector<LadderRow> rows = {TILEREEL_RECORDED_LADDER(ROW)};
#undef ROW
#undef VARIANT
    return rows;
}

// The launch rules divide by TILE, M and N.
Status check_positive(const KernelParameters& p) {
    for (const auto& [name, value] : {std::pair{"M", p.m}, {"N", p.n}, {"K", p.k}, {"TILE", p.tile}})
        if (value < 1)
            return wrong_call(std::string(name) + " is " + std::to_string(value) +
                              "; use 1 or more");
    return Done{};
}

template <std::size_t Row>
Result<LaunchShape> launch_of_row(const KernelParameters& p) {
    if (const Status positive = check_positive(p); !positive) return positive.error();
    return ladder()[Row].launch(ladder()[Row].stem, p);
}

// What a KernelInfo points into.
struct Entry {
    std::string title, file_name, plain_file_name, idea, watch, next, from, needs;
    std::vector<int> tiles, pads;
    std::vector<KernelBarrier> barriers;
};

// The barriers and waits that a kernel's text calls; what stands in a comment is not called, and what
// only the native build has is not recorded.
std::vector<KernelBarrier> barriers_in(std::string_view text) {
    std::vector<KernelBarrier> barriers;
    bool native_only = false;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t length = text.find('\n');
        const std::string_view whole = text.substr(0, length);
        const std::string_view code = whole.substr(0, whole.find("//"));
        using Kind = KernelBarrier::Kind;
        if (code.starts_with('#'))
            native_only = code.find("ifdef TILEREEL_BUILD_NATIVE") != std::string_view::npos;
        if (native_only) {
            text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
            continue;
        }
        for (const auto& [call, kind] : {std::pair("__syncthreads(", Kind::kBlock),
                                         std::pair("__syncwarp(", Kind::kWarp),
                                         std::pair("wait_copies<", Kind::kCopies),
                                         std::pair(".wait(", Kind::kPhase)})
            if (code.find(call) != std::string_view::npos)
                barriers.push_back({.line = line, .kind = kind});
        text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
    }
    return barriers;
}

Entry make_entry(const LadderRow& row) {
    const std::string_view text = kernel_text(row.stem);
    Entry entry{.title = std::string(row.stem),
                .file_name = std::string(row.stem) + ".cuh",
                .plain_file_name =
                    plain_kernel_text(row.stem).empty() ? "" : std::string(row.stem) + ".cu",
                .idea = header_paragraph(text, "Idea"),
                .watch = header_paragraph(text, "Watch"),
                .next = header_paragraph(text, "Next"),
                .from = header_paragraph(text, "Source"),
                .needs = header_paragraph(text, "Needs"),
                .tiles = {},
                .pads = {},
                .barriers = barriers_in(text)};
    entry.title[entry.title.find('_')] = ' ';  // "09 tiled", "08 tiled_b_transposed"
    const auto add = [](std::vector<int>& values, int value) {
        if (std::ranges::find(values, value) == values.end())
            values.insert(std::ranges::upper_bound(values, value), value);
    };
    for (const auto& [tile, pad] : row.variants) {
        add(entry.tiles, tile);
        add(entry.pads, pad);
    }
    return entry;
}

class Catalog {
  public:
    Catalog() {
        for (const LadderRow& row : ladder()) entries_.push_back(make_entry(row));
        add_infos(std::make_index_sequence<kRows>());
    }
    [[nodiscard]] const std::vector<KernelInfo>& infos() const { return infos_; }

  private:
#define ROW(stem, function, variants, launch) +1
    static constexpr std::size_t kRows = 0 TILEREEL_RECORDED_LADDER(ROW);
    static constexpr std::size_t kCpuRows = 0 TILEREEL_CPU_LADDER(ROW);  // the first of them
    static constexpr std::size_t kOtherRows = 0 TILEREEL_LADDER(ROW);    // before those of boxes
#undef ROW

    template <std::size_t... Rows>
    void add_infos(std::index_sequence<Rows...>) {
        (add_info(Rows, launch_of_row<Rows>), ...);
    }
    void add_info(std::size_t row, Result<LaunchShape> (*launch_shape)(const KernelParameters&)) {
        const std::string_view id = ladder()[row].stem;
        const Entry& e = entries_[row];
        infos_.push_back({.id = id,
                          .title = e.title,
                          .file_name = e.file_name,
                          .source = kernel_text(id),
                          .plain_file_name = e.plain_file_name,
                          .plain_source = plain_kernel_text(id),
                          .idea = e.idea,
                          .watch = e.watch,
                          .next = e.next,
                          .from = e.from,
                          .needs = e.needs,
                          .on_cpu = row < kCpuRows,
                          .boxes = row >= kOtherRows,
                          .tiles = e.tiles,
                          .pads = e.pads,
                          .barriers = e.barriers,
                          .launch_shape = launch_shape,
                          .shared_bytes_of_block =
                              ladder()[row].launch == tile_at_launch ? two_square_tiles : nullptr});
    }

    std::vector<Entry> entries_;
    std::vector<KernelInfo> infos_;
};

const Catalog& the_catalog() {
    static const Catalog catalog;
    return catalog;
}

Error too_much_shared(const KernelInfo& kernel, std::uint32_t bytes) {
    return wrong_call(std::string(kernel.id) + " would take " + with_commas(bytes) +
                      " bytes of shared memory a block, and a GPU gives at most " +
                      with_commas(std::uint64_t{kMostSharedBytes}) + "; use a smaller PAD");
}

}  // namespace

std::span<const KernelInfo> catalog() { return the_catalog().infos(); }

const KernelInfo* find_kernel(std::string_view id) {
    for (const KernelInfo& kernel : catalog())
        if (kernel.id == id) return &kernel;
    return nullptr;
}

Result<LaunchShape> validate(const KernelInfo& kernel, const KernelParameters& p) {
    const std::array<std::pair<char, int>, 3> extents{{{'M', p.m}, {'N', p.n}, {'K', p.k}}};
    for (const auto& [name, extent] : extents)
        if (extent < 1 || extent > kLargestExtent)
            return wrong_call(std::string(1, name) + " is " + std::to_string(extent) +
                              "; use a size from 1 to " + std::to_string(kLargestExtent));
    if (const Status variant = check_variant(kernel, p.tile, p.pad); !variant)
        return variant.error();
    Result<LaunchShape> shape = kernel.launch_shape(p);
    if (!shape) return shape;
    LaunchShape& launch = shape.value();
    launch.static_shared_bytes =
        static_cast<std::uint32_t>(static_shared_bytes(kernel, p.tile, p.pad));
    if (launch.dynamic_shared_bytes > kMostSharedBytes && !is_built_in(kernel, p.tile, p.pad))
        return too_much_shared(kernel, launch.dynamic_shared_bytes);
    return shape;
}

std::string tile_words(const KernelInfo& kernel, int tile) {
    const Result<LaunchShape> shape = kernel.launch_shape({.m = tile, .n = tile, .k = tile, .tile = tile});
    const std::string rows = std::to_string(tile);
    if (!shape || shape->tile_columns == 0 || shape->tile_columns == tile) return rows;
    return rows + " x " + std::to_string(shape->tile_columns);
}

}  // namespace tilereel
