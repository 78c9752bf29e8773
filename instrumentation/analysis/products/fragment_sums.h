#pragma once
// The sums of a launch's mma.sync products, computed anew from their fragments, and where the
// launch stores them.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "instrumentation/trace/fragments/warp_fragments.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// One product of a warp: the 32-bit registers of all lanes, [register][lane].
struct FragmentProduct {
    using Register = std::array<std::uint32_t, kWarpSize>;
    WarpProduct product;
    std::uint64_t record = 0;
    std::size_t segment = 0;
    std::vector<Register> a, b, d;
    std::optional<std::size_t> adds_to;  // the product whose sums it adds to
};

// An element of C in its array, and the sum that is stored there.
struct StoredSum {
    ArrayId array = kNoArray;
    std::uint32_t offset_bytes = 0;
    std::size_t product = 0;
    std::uint32_t lane = 0;
    int index = 0;  // of the element, as element_of() numbers it
};

struct FragmentSums {
    std::vector<FragmentProduct> products;  // warp by warp, in the order of their execution
    std::vector<StoredSum> stored;
};

// A B of one product: [lane * elements + index], as element_of() numbers the elements of D.
[[nodiscard]] std::vector<double> multiplied(const FragmentProduct& product);
// Of products of 16-bit factors and float sums that begin with zero. Empty if there are other
// products, too many of them, or records without values.
[[nodiscard]] FragmentSums fragment_sums(const Trace& trace);

}  // namespace tilereel
