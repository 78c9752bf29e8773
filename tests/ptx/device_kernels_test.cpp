#include "kernels/cuda/device_kernels.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "kernels/catalog.h"

namespace tilereel::device_kernels_test {
namespace {

using Variant = std::tuple<std::string, int, int>;  // id, TILE, PAD

std::set<Variant> offered_by_the_catalogue() {
    std::set<Variant> variants;
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads) variants.emplace(kernel.id, tile, pad);
    return variants;
}

void expect_the_catalogue(std::span<const DeviceKernel> kernels) {
    std::set<Variant> variants;
    std::map<const void*, Variant> functions;
    for (const DeviceKernel& kernel : kernels) {
        variants.emplace(kernel.id, kernel.tile, kernel.pad);
        // 11_tiled_dynamic gets TILE at launch, so it is one function for all TILEs.
        const bool any_tile = kernel.id == "11_tiled_dynamic";
        const Variant whose{kernel.id, any_tile ? 0 : kernel.tile, kernel.pad};
        EXPECT_EQ(functions.try_emplace(kernel.function, whose).first->second, whose);
    }
    EXPECT_EQ(variants, offered_by_the_catalogue());
    EXPECT_EQ(kernels.size(), variants.size());
    EXPECT_FALSE(functions.contains(nullptr));
}

TEST(DeviceKernels, NativeBuildHasEveryKernelTheCatalogueOffers) {
    expect_the_catalogue(native_kernels());
}

}  // namespace
}  // namespace tilereel::device_kernels_test
