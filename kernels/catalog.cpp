#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <deque>

#include "instrumentation/base/check.h"
#include "instrumentation/base/format/with_commas.h"
#include "kernels/declaration.h"
#include "kernels/kernel_text.h"
#include "kernels/ladder_file.h"

namespace tilereel {
namespace {

// Launch functions divide by TILE, M and N, so these must not be 0.
Status check_positive(const KernelParameters& p) {
    for (const auto& [name, value] :
         {std::pair{"M", p.m}, {"N", p.n}, {"K", p.k}, {"TILE", p.tile}})
        if (value < 1)
            return wrong_call(std::string(name) + " is " + std::to_string(value) +
                              "; use 1 or more");
    return Done{};
}

// Owns the text and the rules that a KernelInfo points to.
struct Entry {
    std::string title, file_name, needs;
    KernelDeclaration declared;
    std::vector<KernelBarrier> barriers;
};

// Runs the file's own launch function, and returns the launch that it makes.
Result<LaunchShape> launch_by_file(const LadderFile& file, const Entry& entry,
                                   const KernelParameters& p) {
    TRY(check_positive(p));
    TRY(check_sizes(file.stem, entry.declared.sizes, p));
    const CapturedLaunch launch = capture_launch(file, p.tile, p.pad, p.m, p.n, p.k);
    if (launch.launches != 1 || launch.grid_z != 1 || launch.block_z != 1)
        return wrong_call(std::string(file.stem) +
                          ".cu: its launch function must start one kernel, in a grid and blocks of "
                          "two dimensions");
    if (const Status shared = check_shared(file.stem, entry.declared.shared, file.inputs, p,
                                           static_cast<std::int64_t>(launch.dynamic_shared_bytes));
        !shared)
        return shared.error();
    return LaunchShape{
        .grid_x = launch.grid_x,
        .grid_y = launch.grid_y,
        .block_x = launch.block_x,
        .block_y = launch.block_y,
        .dynamic_shared_bytes = static_cast<std::uint32_t>(launch.dynamic_shared_bytes),
        .tile_rows = extent_of(entry.declared.variants.tile_rows, p),
        .tile_columns = extent_of(entry.declared.variants.tile_columns, p)};
}

// Bytes of dynamic shared memory of a block of `threads` threads, for a kernel whose launch chooses
// the size of a block. The block is a square, with more threads if `threads` is no square number.
std::uint32_t shared_bytes_of_block(const LadderFile& file, int threads, int pad) {
    const int edge = static_cast<int>(std::ceil(std::sqrt(threads)));
    return static_cast<std::uint32_t>(
        capture_launch(file, edge, pad, edge, edge, edge).dynamic_shared_bytes);
}

// The barriers and waits that the text calls, from the top. Calls in comments do not count.
std::vector<KernelBarrier> barriers_in(std::string_view text) {
    std::vector<KernelBarrier> barriers;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t length = text.find('\n');
        if (const WaitFunction* const called = wait_function_in(text.substr(0, length)))
            barriers.push_back({.line = line, .function = *called});
        text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
    }
    return barriers;
}

Entry make_entry(std::string_view stem) {
    const std::string name(stem);
    const std::string_view text = kernel_text(stem);
    Entry entry{.title = name,
                .file_name = name + ".cu",
                .needs = {},
                .declared = read_declaration(text),
                .barriers = barriers_in(text)};
    check(entry.declared.mistake.empty());  // else Tilereel is not built
    entry.needs = needs_text(entry.declared.sizes);
    entry.title[entry.title.find('_')] = ' ';  // "09 tiled", "08 tiled_b_transposed"
    return entry;
}

class Catalog {
  public:
    Catalog() {
        for (const LadderFile& file : ladder_files()) add(file);
        // The CPU's kernels, then the others by their numbers.
        std::ranges::sort(infos_, {}, [](const KernelInfo& kernel) {
            return std::pair(!kernel.on_cpu, kernel.id);
        });
    }
    [[nodiscard]] const std::vector<KernelInfo>& infos() const { return infos_; }

  private:
    KernelInfo& add_described(std::string_view stem) {
        const Entry& e = entries_.emplace_back(make_entry(stem));
        return infos_.emplace_back(KernelInfo{.id = stem,
                                              .title = e.title,
                                              .file_name = e.file_name,
                                              .source = kernel_text(stem),
                                              .idea = e.declared.idea,
                                              .watch = e.declared.watch,
                                              .next = e.declared.next,
                                              .from = e.declared.from,
                                              .needs = e.needs,
                                              .tiles = {},
                                              .pads = {},
                                              .barriers = e.barriers,
                                              .launch_shape = {},
                                              .variant_rules = &e.declared.variants,
                                              .shared_rules = &e.declared.shared});
    }
    void add(const LadderFile& file) {
        KernelInfo& info = add_described(file.stem);
        const Entry* const entry = &entries_.back();
        info.on_cpu = file.stem.starts_with("cpu_");
        info.boxes = info.source.find("CUtensorMap") != std::string_view::npos;
        info.clusters = info.source.find("__cluster_dims__") != std::string_view::npos;
        info.compute_capability = entry->declared.sizes.compute_capability;
        info.architecture_specific = entry->declared.sizes.architecture_specific;
        info.offsets_of_64_bits = entry->declared.sizes.offsets_of_64_bits;
        info.inputs = file.inputs;
        info.file = &file;
        info.tiles = file.tiles;
        info.pads = file.pads;
        info.launch_shape = [&file, entry](const KernelParameters& p) {
            return launch_by_file(file, *entry, p);
        };
        if (!file.has_fixed_block)
            info.shared_bytes_of_block = [&file](int threads, int pad) {
                return shared_bytes_of_block(file, threads, pad);
            };
    }
    std::deque<Entry> entries_;  // a deque, so that growing moves none
    std::vector<KernelInfo> infos_;
};

const Catalog& the_catalog() {
    static const Catalog catalog;
    return catalog;
}

}  // namespace

std::span<const KernelInfo> catalog() { return the_catalog().infos(); }

const KernelInfo* find_kernel(std::string_view id) {
    for (const KernelInfo& kernel : catalog())
        if (kernel.id == id) return &kernel;
    return nullptr;
}

Status runs_on(const KernelInfo& kernel, int capability) {
    const int needs = kernel.compute_capability;
    if (capability == needs || (capability > needs && !kernel.architecture_specific)) return Done{};
    return wrong_call(std::string(kernel.id) + " needs a GPU of compute capability " +
                      capability_text(needs) +
                      (kernel.architecture_specific ? " and no other" : "") + ", this one has " +
                      capability_text(capability));
}

std::string tile_size_text(const KernelInfo& kernel, int tile) {
    const int rows = extent_of(kernel.variant_rules->tile_rows, {.tile = tile});
    const int columns = extent_of(kernel.variant_rules->tile_columns, {.tile = tile});
    if (rows == tile && columns == tile) return std::to_string(tile);
    return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace tilereel
