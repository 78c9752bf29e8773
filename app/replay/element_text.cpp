#include "app/replay/element_text.h"

#include <algorithm>
#include <limits>
#include <span>

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

}  // namespace tilereel
