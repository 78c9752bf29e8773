#include "instrumentation/cuda/runtime/outside_text.h"

#include <algorithm>

#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {
namespace {

// Rounds down, also below 0.
std::int64_t element_at(std::int64_t byte, std::int64_t element_bytes) {
    return byte / element_bytes - (byte % element_bytes < 0 ? 1 : 0);
}

}  // namespace

std::string counted(std::uint64_t count, const std::string& unit) {
    return with_commas(count) + " " + unit + (count == 1 ? "" : "s");
}

std::string outside_text(const std::string& name, const OutsideAccess& access) {
    const std::int64_t element = std::max(1u, access.element_bytes);
    const std::int64_t width = std::max(1u, access.width_bytes);
    const std::int64_t first = element_at(access.offset_bytes, element),
                       last = element_at(access.offset_bytes + width - 1, element);
    const auto count = static_cast<std::int64_t>(access.array_bytes) / element;
    std::string text = name + "[" + std::to_string(first) + "]";
    if (last > first) text += " to " + name + "[" + std::to_string(last) + "]";
    if (count == 0) return text + ", which has only " + counted(access.array_bytes, "byte");
    const bool is_before = first < 0;
    const auto distance = static_cast<std::uint64_t>(
        is_before ? -first : std::max<std::int64_t>(last - count + 1, 1));
    return text + ", " + counted(distance, "element") + (is_before ? " before " : " beyond ") +
           (count == 1  ? "its only one"
            : is_before ? "the first of its " + with_commas(count)
                        : "the last of its " + with_commas(count));
}

std::string distance_text(const MemoryArray& array, std::uint64_t address) {
    const bool is_before = address < array.base;
    const std::uint64_t distance =
        is_before ? array.base - address : address - (array.base + array.bytes) + 1;
    return counted(distance, "byte") + (is_before ? " before" : " beyond");
}

std::string name_of(const MemoryArray& array) {
    if (array.variable != nullptr && array.variable->name != nullptr) return array.variable->name;
    if (array.first_site != nullptr && array.first_site->name != nullptr)
        return array.first_site->name;
    return "an array";
}

}  // namespace tilereel::runtime
