#pragma once
// What a kernel that is no product is given and must compute, as bytes in its library: the inputs
// of the program's own launch, and cases: what the same kernel wrote on the CPU.
//
// Inputs for any n and several variants follow from the recorded ones: they repeat as often as the
// array is long, and each variant begins at another element (first_element()). Whole numbers may be
// indices whose order matters, so only floating-point arrays begin elsewhere, unless there are
// none.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "app/race/runners/own_kernel.h"

namespace tilereel {

inline constexpr int kVariants = 3;

struct WorkCase {
    std::int64_t n = 0;
    int variant = 0;
    std::vector<std::span<const std::byte>> expected{};  // by array; empty: it is not written
};

struct WorkData {
    std::vector<std::span<const std::byte>> inputs{};  // by array; empty: it is not read
    std::vector<WorkCase> cases{};
    // nullptr: the CPU did not run it.
    [[nodiscard]] const WorkCase* find(std::int64_t n, int variant) const;
};

// The element of the recorded input with which a variant of it begins.
[[nodiscard]] std::uint64_t first_element(const std::vector<OwnArray>& arrays, std::size_t array,
                                          std::uint64_t recorded_elements, int variant);

[[nodiscard]] std::vector<std::byte> bytes_of(const WorkData& data);
// The spans are of `bytes`. kFailed if they are no data of that many arrays.
[[nodiscard]] Result<WorkData> work_data_of(std::span<const std::byte> bytes, std::size_t arrays);

// The byte that an array which is only written holds before a launch: of NaN, and of no usual whole
// number.
inline constexpr int kPoison = 0xff;

}  // namespace tilereel
