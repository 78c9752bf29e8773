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

struct ElementPlace {
    std::uint32_t row = 0, column = 0;
    bool operator==(const ElementPlace&) const = default;
};

// Row-major, with any number of extents. The last two extents are a plane of `rows` and `columns`;
// the extents before them count planes, which lie one under the other. A matrix of a product can
// be column-major instead (`by_columns`); it has one plane.
inline constexpr std::size_t kMostComponents = 64;  // of an element

// An innermost member of a structure.
struct Component {
    std::uint32_t offset_bytes = 0;  // from the element's first byte
    std::uint32_t bytes = 0;         // its size: a multiple of its type's
    ElementType type = ElementType::kBytes;
    std::string name{};  // as it is written behind the element: "x", "at.y", "v[2]"

    bool operator==(const Component&) const = default;
};

struct Array {
    std::string name;
    Space space = Space::kGlobal;
    std::uint32_t rows = 0;               // of all planes together; 1 for an array of one extent
    std::uint32_t columns = 0;            // elements a row, padding not counted
    std::uint32_t leading_dimension = 0;  // elements from one row to the next, padding counted;
                                          // by columns: from one column to the next
    std::uint32_t element_bytes = 4;
    std::uint32_t base_bytes = 0;  // shared: where it starts in the block's shared memory; else 0
    std::vector<std::uint32_t> outer_extents{};  // all but the last two: {2} for As[2][16][17]
    ElementType type = ElementType::kFloat32;    // of a vector type: its components'
    std::string type_name{};  // as the compiler writes it: "float4", "Particle"; empty: by `type`
    // Of elements that are structures: their innermost members, ascending. Where `type` is not
    // bytes, each has its size, and they fill the element. Empty: an element is values of `type`.
    std::vector<Component> components{};
    bool one_extent = false;  // x[n], not x[1][n]
    bool by_columns = false;  // element (r, c) is number c * leading_dimension + r
    // Bytes before the launch and after it; empty: unknown. A product's float matrices that are
    // row-major and have no padding have theirs in Trace::a, b and c instead: use first_content()
    // and last_content() of trace.h.
    std::vector<std::byte> first_bytes{}, last_bytes{};

    // What `of` makes: extents outermost first; `row_pitch` elements from one row of the last
    // extent to the next, 0: no padding.
    struct Shape {
        std::vector<std::uint32_t> extents;
        std::uint32_t row_pitch = 0;
    };
    [[nodiscard]] static Array of(std::string name, Space space, ElementType type,
                                  std::uint32_t element_bytes, const Shape& shape);

    // The component at a byte of the array; null: there is none.
    [[nodiscard]] const Component* component_at(std::uint64_t offset_bytes) const;
    // Of what lies at a byte of the array: "kind", "at.y"; "w" in a float4; "" where an element is
    // one value, or the byte is no member's.
    [[nodiscard]] std::string member_at(std::uint64_t offset_bytes) const;
    // The type of the value at a byte of the array.
    [[nodiscard]] ElementType type_at(std::uint64_t offset_bytes) const;
    // All of an element's values are of `type`.
    [[nodiscard]] bool is_of_one_type() const;
    [[nodiscard]] std::vector<std::uint32_t> extents() const;  // outermost first
    [[nodiscard]] std::uint64_t size_bytes() const {
        return std::uint64_t{by_columns ? columns : rows} * leading_dimension * element_bytes;
    }
    // The element with a number, counted in the order of memory, and back. Padding counts as
    // columns (by columns: rows) beyond the last.
    [[nodiscard]] ElementPlace place_of(std::uint32_t index) const {
        const std::uint32_t pitch = leading_dimension == 0 ? 1 : leading_dimension;
        if (by_columns) return {index % pitch, index / pitch};
        return {index / pitch, index % pitch};
    }
    [[nodiscard]] std::uint64_t index_of(ElementPlace place) const {
        return by_columns ? std::uint64_t{place.column} * leading_dimension + place.row
                          : std::uint64_t{place.row} * leading_dimension + place.column;
    }
    [[nodiscard]] std::uint32_t planes() const;
    [[nodiscard]] std::uint32_t rows_of_plane() const { return rows / planes(); }
    [[nodiscard]] std::string type_text() const;  // type_name, else the name of `type`
};
// As the kernel writes it: "A[4][8]", "As[1][3][5]" for row 19 of As[2][16][17], "buffer[5]" for an
// array of one extent or a shared array of one row. Row and column as in the whole array, padding
// counted.
[[nodiscard]] std::string element_name(const Array& array, std::uint32_t row, std::uint32_t column);
[[nodiscard]] inline std::string element_name(const Array& array, ElementPlace place) {
    return element_name(array, place.row, place.column);
}
// "As", or "As[1]" for a plane of several.
[[nodiscard]] std::string plane_name(const Array& array, std::uint32_t plane);

}  // namespace tilereel
