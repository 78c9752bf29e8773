// What can race: the contenders and sizes that are offered, the defaults, the pair on the stage.
#include <algorithm>
#include <array>

#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/race/race_bench.h"
#include "kernels/catalog.h"
#include "kernels/cuda/champion/champion_choice.h"

namespace tilereel {
namespace {

constexpr int kCountedExtent = 64;  // small; larger where a TILE of 128 or 256 needs it
constexpr std::array kGpuSizes = {256, 512, 1024, 2048, 4096, 8192, 16384};
constexpr std::array kCpuSizes = {64, 128, 256, 512, 1024, 2048};

bool runs_on_gpu(const KernelInfo& kernel) { return !kernel.on_cpu; }

Contender reference(bool gpu) { return {.kernel = std::string(gpu ? kCublas : kOpenblas)}; }

int nearest_tile(const KernelInfo& kernel, int wanted) {
    return *std::ranges::min_element(kernel.tiles, {},
                                     [wanted](int tile) { return std::abs(tile - wanted); });
}

// A contender without PAD, at the TILE nearest to `tile`.
Contender contender_near(const KernelInfo& kernel, int tile) {
    if (kernel.id == kChampion) return {std::string(kernel.id)};
    return {std::string(kernel.id), nearest_tile(kernel, tile), kernel.pads.front()};
}

// If a block's tile is not a square, C gets at least its size. Otherwise most of the block would be
// idle.
KernelParameters with_whole_tile(const KernelInfo& kernel, KernelParameters p) {
    const Result<LaunchShape> shape = kernel.launch_shape(p);
    if (!shape || shape->tile_columns == shape->tile_rows) return p;
    p.m = std::max(p.m, shape->tile_rows);
    p.n = std::max(p.n, shape->tile_columns);
    return p;
}

ProductSize square(int n) { return {n, n, n}; }

}  // namespace

std::vector<Contender> sweep_of(const std::string& id) {
    std::vector<Contender> contenders;
    if (const KernelInfo* kernel = find_kernel(id))
        for (const int tile : kernel->tiles)
            for (const int pad : kernel->pads) contenders.push_back({id, tile, pad});
    return contenders;
}

std::vector<Contender> contenders_offered(bool gpu) {
    std::vector<Contender> contenders = {reference(gpu)};
    if (gpu) contenders.push_back({std::string(kCublasBf16)});
    for (const KernelInfo& kernel : catalog()) {
        if (runs_on_gpu(kernel) != gpu) continue;
        const std::string id(kernel.id);
        if (id == kChampion) contenders.push_back({id});  // without a TILE, too
        std::ranges::copy(sweep_of(id), std::back_inserter(contenders));
    }
    return contenders;
}

std::vector<ProductSize> sizes_offered(bool gpu) {
    std::vector<ProductSize> sizes;
    if (gpu)
        std::ranges::transform(kGpuSizes, std::back_inserter(sizes), square);
    else
        std::ranges::transform(kCpuSizes, std::back_inserter(sizes), square);
    return sizes;
}

std::vector<Contender> ladder_of(const RaceRequest& request, bool gpu) {
    const int usual = gpu ? 32 : 64;  // on a CPU the tile fits into its L1 cache
    std::vector<Contender> contenders;
    for (const KernelInfo& kernel : catalog()) {
        if (runs_on_gpu(kernel) != gpu) continue;
        const Contender contender = contender_near(kernel, usual);
        const bool takes_one = std::ranges::any_of(request.sizes, [&](const ProductSize& size) {
            return takes(contender, size).has_value();
        });
        if (takes_one) contenders.push_back(contender);
    }
    const std::vector<Contender> references = references_of(contenders, gpu);
    contenders.insert(contenders.begin(), references.begin(), references.end());
    return contenders;
}

RaceRequest first_request(bool gpu) {
    RaceRequest request;
    for (const ProductSize& size : sizes_offered(gpu))
        if (gpu ? size.n <= 8192 : size.n >= 128 && size.n <= 1024) request.sizes.push_back(size);
    if (!gpu) {
        request.contenders = ladder_of(request, gpu);
        return request;
    }
    // Coalescing, tiling, and a conflict with and without padding.
    request.contenders = {reference(gpu),
                          {"09_tiled", 32, 0},
                          {"09_tiled", 16, 0},
                          {"08_tiled_b_transposed", 32, 1},
                          {"02_naive", 32, 0},
                          {"08_tiled_b_transposed", 32, 0},
                          {"01_naive_by_column", 32, 0}};
    return request;
}

std::optional<CountedLaunch> small_launch(const Contender& contender) {
    const KernelInfo* kernel = find_kernel(contender.kernel);
    if (kernel == nullptr) return std::nullopt;
    // A kernel that chooses its tiles takes the largest for large products.
    const int tile = chooses_tiles(contender) ? kernel->tiles.back() : contender.tile;
    const auto fitted = fit_parameters(*kernel, with_whole_tile(*kernel, {.m = kCountedExtent,
                                                                          .n = kCountedExtent,
                                                                          .k = kCountedExtent,
                                                                          .tile = tile,
                                                                          .pad = contender.pad}));
    if (!fitted || fitted->parameters.tile != tile || fitted->parameters.pad != contender.pad)
        return std::nullopt;
    return CountedLaunch{contender.kernel, fitted->parameters};
}

bool races_as_counted(const Contender& contender, const ProductSize& size, int multiprocessors) {
    if (!chooses_tiles(contender)) return true;
    if (multiprocessors == 0) return false;
    const ChampionChoice choice = choose_champion({size.m, size.n, size.k}, multiprocessors);
    const ChampionConfig& config = champion_configs()[static_cast<std::size_t>(choice.config)];
    return config.kernel == ChampionKernel::kBulk && config.rows == 256 && config.columns == 128;
}

std::optional<Contender> counterpart_to_race(const Contender& watched) {
    const KernelInfo* kernel = find_kernel(watched.kernel);
    if (kernel == nullptr) return std::nullopt;
    if (kernel->pads.size() > 1) {
        Contender counterpart = watched;
        counterpart.pad = watched.pad == kernel->pads[0] ? kernel->pads[1] : kernel->pads[0];
        return counterpart;
    }
    const KernelInfo* before = nullptr;
    for (const KernelInfo& other : catalog()) {
        if (other.id == kernel->id) break;
        if (runs_on_gpu(other) == runs_on_gpu(*kernel)) before = &other;
    }
    if (before == nullptr) return std::nullopt;
    return contender_near(*before, watched.tile);
}

KernelParameters parameters_to_watch(const Contender& contender) {
    const int extent = std::clamp(2 * contender.tile, 16, 32);
    KernelParameters wanted{
        .m = extent, .n = extent, .k = extent, .tile = contender.tile, .pad = contender.pad};
    const KernelInfo* kernel = find_kernel(contender.kernel);
    if (kernel == nullptr) return wanted;
    if (chooses_tiles(contender)) wanted.tile = kernel->tiles.front();
    const auto fitted = fit_parameters(*kernel, with_whole_tile(*kernel, wanted));
    return fitted ? fitted->parameters : wanted;
}

}  // namespace tilereel
