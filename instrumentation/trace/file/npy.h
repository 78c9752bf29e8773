#pragma once
// The .npy header: NumPy's "NEP 1 - A Simple File Format for NumPy Arrays", versions 1.0 to 3.0.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

struct NpyHeader {
    std::string descr;                 // "<f4": byte order, kind, bytes per element
    bool fortran_order = false;        // true: column-major
    std::vector<std::uint64_t> shape;  // outermost extent first
    std::size_t header_bytes = 0;      // offset of the first element
};

// The number of bytes at the start of a file that npy_header_bytes() needs.
inline constexpr std::size_t kNpyPrefixBytes = 12;
inline constexpr std::size_t kLargestNpyHeader = std::size_t{1} << 16;

// The offset of the first element. `prefix`: the first kNpyPrefixBytes, or fewer if the file is
// shorter. In the errors of this and the next two functions, "it" is the file.
Result<std::size_t> npy_header_bytes(std::span<const std::byte> prefix);
// `bytes`: at least the first npy_header_bytes() of the file.
Result<NpyHeader> parse_npy_header(std::span<const std::byte> bytes);
// The product of the shape's extents; an error if it overflows.
Result<std::uint64_t> element_count(const NpyHeader& header);

// A version 1.0 header whose elements begin at a multiple of 64 bytes, as NumPy writes it.
[[nodiscard]] std::string make_npy_header(std::string_view descr,
                                          std::span<const std::uint64_t> shape);

// NumPy's name of an element type in little-endian order.
template <class T>
inline constexpr std::string_view kDescr = "";
template <>
inline constexpr std::string_view kDescr<std::uint8_t> = "|u1";
template <>
inline constexpr std::string_view kDescr<std::uint16_t> = "<u2";
template <>
inline constexpr std::string_view kDescr<std::uint32_t> = "<u4";
template <>
inline constexpr std::string_view kDescr<std::uint64_t> = "<u8";
template <>
inline constexpr std::string_view kDescr<std::int32_t> = "<i4";
template <>
inline constexpr std::string_view kDescr<float> = "<f4";
template <>
inline constexpr std::string_view kDescr<std::byte> = "|u1";

}  // namespace tilereel
