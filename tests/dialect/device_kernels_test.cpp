#include "kernels/cuda/device_kernels.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "kernels/catalog.h"

namespace tilereel {
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
        // Learns TILE only at launch: one function for all of them.
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

TEST(DeviceKernels, TracedBuildHasEveryKernelTheCatalogueOffers) {
    expect_the_catalogue(traced_kernels());
}

TEST(DeviceKernels, BuildsAreDifferentCode) {
    std::set<const void*> functions;
    for (const auto kernels : {native_kernels(), traced_kernels()})
        for (const DeviceKernel& kernel : kernels) functions.insert(kernel.function);
    std::set<const void*> native;
    for (const DeviceKernel& kernel : native_kernels()) native.insert(kernel.function);
    EXPECT_EQ(functions.size(), 2 * native.size());
}

TEST(DeviceTrace, SiteKeepsWhatWasPackedIntoIt) {
    using device::DeviceOperation;
    for (const auto operation : {DeviceOperation::kLoad, DeviceOperation::kStoredWord}) {
        const std::uint32_t site = device::pack_site(65535, 255, 16, operation);
        EXPECT_EQ(device::site_line(site), 65535u);
        EXPECT_EQ(device::site_array(site), 255u);
        EXPECT_EQ(device::site_width_bytes(site), 16u);
        EXPECT_EQ(device::site_operation(site), operation);
    }
}

}  // namespace
}  // namespace tilereel
