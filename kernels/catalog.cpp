#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "kernels/kernel_text.h"
#include "kernels/ladder.h"

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

Result<LaunchShape> multiple_of_tile(std::string_view id, const KernelParameters& p) {
    const std::array<std::pair<char, int>, 3> extents{{{'M', p.m}, {'N', p.n}, {'K', p.k}}};
    for (const auto& [name, extent] : extents) {
        if (extent % p.tile == 0) continue;
        const int next = std::min((extent / p.tile + 1) * p.tile, kLargestExtent);
        return wrong_call(std::string(1, name) + " is " + std::to_string(extent) + ": " +
                          std::string(id) + " needs a multiple of TILE " + std::to_string(p.tile) +
                          "; use " + std::to_string(next));
    }
    return square_blocks(p.n, p.m, p.tile);
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
    static const std::vector<LadderRow> rows = {TILEREEL_LADDER(ROW)};
#undef ROW
#undef VARIANT
    return rows;
}

template <std::size_t Row>
Result<LaunchShape> launch_of_row(const KernelParameters& p) {
    return ladder()[Row].launch(ladder()[Row].stem, p);
}

// What a KernelInfo points into.
struct Entry {
    std::string title, file_name, idea, watch, next, from;
    std::vector<int> tiles, pads;
};

Entry make_entry(const LadderRow& row) {
    const std::string_view text = kernel_text(row.stem);
    Entry entry{.title = std::string(row.stem),
                .file_name = std::string(row.stem) + ".cuh",
                .idea = header_paragraph(text, "Idea"),
                .watch = header_paragraph(text, "Watch"),
                .next = header_paragraph(text, "Next"),
                .from = header_paragraph(text, "Source"),
                .tiles = {},
                .pads = {}};
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
    static constexpr std::size_t kRows = 0 TILEREEL_LADDER(ROW);
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
                          .idea = e.idea,
                          .watch = e.watch,
                          .next = e.next,
                          .from = e.from,
                          .tiles = e.tiles,
                          .pads = e.pads,
                          .launch_shape = launch_shape});
    }

    std::vector<Entry> entries_;
    std::vector<KernelInfo> infos_;
};

const Catalog& the_catalog() {
    static const Catalog catalog;
    return catalog;
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
    if (std::ranges::find(kernel.tiles, p.tile) == kernel.tiles.end())
        return wrong_call("TILE is " + std::to_string(p.tile) + ": " + std::string(kernel.id) +
                          " takes " + choices(kernel.tiles));
    if (std::ranges::find(kernel.pads, p.pad) == kernel.pads.end())
        return wrong_call("PAD is " + std::to_string(p.pad) + ": " + std::string(kernel.id) +
                          " takes " + choices(kernel.pads));
    return kernel.launch_shape(p);
}

}  // namespace tilereel
