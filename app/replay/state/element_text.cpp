#include "app/replay/state/element_text.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

std::span<const std::byte> bytes_of(const Array& array, const std::uint64_t& bits) {
    return std::as_bytes(std::span(&bits, 1))
        .first(std::min<std::size_t>(array.element_bytes, sizeof bits));
}

}  // namespace

std::string text_of_bits(const Array& array, std::uint64_t bits) {
    return value_text(array.type, bytes_of(array, bits));
}

double number_of_bits(const Array& array, std::uint64_t bits) {
    const auto bytes = bytes_of(array, bits);
    if (bytes.size() < type_bytes(array.type)) return std::numeric_limits<double>::quiet_NaN();
    return number_of(array.type, bytes);
}

std::string text_of_element(const Array& array, std::uint64_t bits) {
    if (array.element_bytes <= sizeof bits) return text_of_bits(array, bits);
    return decimal_text(number_of_bits(array, bits)) + ", \xe2\x80\xa6";
}

std::optional<std::uint64_t> bits_stored(const Array& array, Element at, std::uint32_t width_bytes,
                                         const RequestState& request) {
    const std::uint32_t size = std::min(array.element_bytes, 8u);
    const std::uint64_t begin = array.base_bytes + array.index_of(at) * array.element_bytes;
    std::optional<std::uint64_t> bits;
    for (const LaneState& lane : request.lanes) {
        if (!lane.active || !lane.known || lane.offset_bytes > begin ||
            begin + size > lane.offset_bytes + std::uint64_t{width_bytes})
            continue;
        std::uint64_t value = 0;
        std::memcpy(&value,
                    reinterpret_cast<const char*>(lane.words.data()) + (begin - lane.offset_bytes),
                    size);
        bits = value;
    }
    return bits;
}

}  // namespace tilereel
