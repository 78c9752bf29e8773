// validate() of catalog.h. In a file of its own, because it uses the rules of variants.h.
#include <array>
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

}  // namespace

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

}  // namespace tilereel
