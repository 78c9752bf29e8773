// validate() of catalog.h. In a file of its own, because it uses the rules of variants.h.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "instrumentation/base/format/with_commas.h"
#include "kernels/catalog.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

Error too_much_shared(const KernelInfo& kernel, std::uint32_t bytes) {
    return wrong_call(std::string(kernel.id) + " would take " + with_commas(bytes) +
                      " bytes of shared memory a block, and a GPU gives at most " +
                      with_commas(std::uint64_t{kMostSharedBytes}) + "; use a smaller PAD");
}

// The rungs compute offsets of elements as int, which costs fewer registers than 64 bits. They may
// not overflow, so no matrix has more elements than an int counts.
constexpr std::int64_t kMostElements = (std::int64_t{1} << 31) - 1;
// For a rung whose offsets have 64 bits: 1 TiB, more than a GPU has. Its blocks count as int.
constexpr std::int64_t kMostElementsOf64Bits = std::int64_t{1} << 38;
constexpr unsigned kMostGridY = 65'535;  // CUDA C++ Programming Guide, "Compute Capabilities"

std::string extents_text(std::int64_t rows, std::int64_t columns) {
    return with_commas(static_cast<std::uint64_t>(rows)) + " x " +
           with_commas(static_cast<std::uint64_t>(columns));
}

Status check_offsets(const KernelInfo& kernel, const KernelParameters& p) {
    const bool wide = kernel.offsets_of_64_bits;
    const std::int64_t most = wide ? kMostElementsOf64Bits : kMostElements;
    struct Matrix {
        char name;
        std::int64_t rows, columns;
    };
    for (const Matrix& each : {Matrix{'A', p.m, p.k}, {'B', p.k, p.n}, {'C', p.m, p.n}}) {
        if (each.rows * each.columns <= most) continue;
        const auto edge = static_cast<std::int64_t>(std::sqrt(static_cast<double>(most)));
        return wrong_call(std::string(1, each.name) + " would have " +
                          extents_text(each.rows, each.columns) + " elements, and " +
                          std::string(kernel.id) + " takes " +
                          with_commas(static_cast<std::uint64_t>(most)) +
                          (wide ? "" : ", because its offsets are 32-bit integers") +
                          "; use smaller sizes, at most " + extents_text(edge, edge));
    }
    return Done{};
}

Status check_grid(const KernelInfo& kernel, const LaunchShape& shape, int tile) {
    if (kernel.on_cpu || shape.grid_y <= kMostGridY) return Done{};
    return wrong_call(std::string(kernel.id) + " with TILE " + std::to_string(tile) +
                      " would have a grid of " + extents_text(shape.grid_x, shape.grid_y) +
                      " blocks, and CUDA takes " + with_commas(std::uint64_t{kMostGridY}) +
                      " in y; use a larger TILE or smaller matrices");
}

}  // namespace

Result<LaunchShape> validate(const KernelInfo& kernel, const KernelParameters& p) {
    const std::array<std::pair<char, int>, 3> extents{{{'M', p.m}, {'N', p.n}, {'K', p.k}}};
    for (const auto& [name, extent] : extents)
        if (extent < 1 || extent > kLargestExtent)
            return wrong_call(std::string(1, name) + " is " + std::to_string(extent) +
                              "; use a size from 1 to " + std::to_string(kLargestExtent));
    TRY(check_offsets(kernel, p));
    TRY(check_variant(kernel, p.tile, p.pad));
    Result<LaunchShape> shape = kernel.launch_shape(p);
    if (!shape) return shape;
    LaunchShape& launch = shape.value();
    TRY(check_grid(kernel, launch, p.tile));
    launch.static_shared_bytes =
        static_cast<std::uint32_t>(static_shared_bytes(kernel, p.tile, p.pad));
    if (launch.dynamic_shared_bytes > kMostSharedBytes && !is_built_in(kernel, p.tile, p.pad))
        return too_much_shared(kernel, launch.dynamic_shared_bytes);
    return shape;
}

}  // namespace tilereel
