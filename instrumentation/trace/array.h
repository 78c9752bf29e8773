#pragma once
// An array that a kernel accesses. Nothing here knows of matrices or of a product.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/trace/element_type.h"

namespace tilereel {

// Constant: __constant__ memory. Its reads go through a cache of their own and are no global
// accesses (CUDA C++ Programming Guide, "Constant Memory").
enum class Space : std::uint8_t { kGlobal = 0, kShared = 1, kConstant = 2 };
inline constexpr Space kLastSpace = Space::kConstant;
[[nodiscard]] std::string_view space_name(Space space);  // "global"

// Row-major, with any number of extents. The last two extents are a plane of `rows` and `columns`;
// the extents before them count planes, which lie one under the other.
struct Array {
    std::string name;
    Space space = Space::kGlobal;
    std::uint32_t rows = 0;               // of all planes together; 1 for an array of one extent
    std::uint32_t columns = 0;            // elements a row, padding not counted
    std::uint32_t leading_dimension = 0;  // elements from one row to the next, padding counted
    std::uint32_t element_bytes = 4;
    std::uint32_t base_bytes = 0;  // shared: where it starts in the block's shared memory; else 0
    std::vector<std::uint32_t> outer_extents{};  // all but the last two: {2} for As[2][16][17]
    ElementType type = ElementType::kFloat32;    // of a vector type: its components'
    std::string type_name{};  // as the compiler writes it: "float4", "Particle"; empty: by `type`
    bool one_extent = false;  // x[n], not x[1][n]
    // Bytes before the launch and after it; empty: unknown. A product's float matrices have theirs
    // in Trace::a, b and c instead: use first_content() and last_content() of trace.h.
    std::vector<std::byte> first_bytes{}, last_bytes{};

    // What `of` makes: extents outermost first; `row_pitch` elements from one row of the last
    // extent to the next, 0: no padding.
    struct Shape {
        std::vector<std::uint32_t> extents;
        std::uint32_t row_pitch = 0;
    };
    [[nodiscard]] static Array of(std::string name, Space space, ElementType type,
                                  std::uint32_t element_bytes, const Shape& shape);

    [[nodiscard]] std::vector<std::uint32_t> extents() const;  // outermost first
    [[nodiscard]] std::uint64_t size_bytes() const {
        return std::uint64_t{rows} * leading_dimension * element_bytes;
    }
    [[nodiscard]] std::uint32_t planes() const;
    [[nodiscard]] std::uint32_t rows_of_plane() const { return rows / planes(); }
    [[nodiscard]] std::string type_text() const;  // type_name, else the name of `type`
};
// As the kernel writes it: "A[4][8]", "As[1][3][5]" for row 19 of As[2][16][17], "buffer[5]" for an
// array of one extent or a shared array of one row. Row and column as in the whole array, padding
// counted.
[[nodiscard]] std::string element_name(const Array& array, std::uint32_t row, std::uint32_t column);
// "As", or "As[1]" for a plane of several.
[[nodiscard]] std::string plane_name(const Array& array, std::uint32_t plane);

}  // namespace tilereel
