#pragma once
// An array that a kernel accesses. This file is independent of matrix products.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/trace/element_type.h"
#include "instrumentation/trace/space.h"

namespace tilereel {

struct ElementPlace {
    std::uint32_t row = 0, column = 0;
    bool operator==(const ElementPlace&) const = default;
};

inline constexpr std::size_t kMostComponents = 64;  // per element

// An innermost member of a structure.
struct Component {
    std::uint32_t offset_bytes = 0;  // from the element's first byte
    std::uint32_t bytes = 0;         // size: a multiple of the size of `type`
    ElementType type = ElementType::kBytes;
    std::string name{};  // relative to the element: "x", "at.y", "v[2]"

    bool operator==(const Component&) const = default;
};

// Row-major, with any number of extents. The last two extents form a plane; the outer extents count
// planes, which are stacked by rows. A matrix of a product can be column-major (`by_columns`); it
// has one plane.
struct Array {
    std::string name;
    Space space = Space::kGlobal;
    std::uint32_t rows = 0;               // of all planes together; 1 for an array of one extent
    std::uint32_t columns = 0;            // elements of a row, without padding
    std::uint32_t leading_dimension = 0;  // elements from one row to the next, with padding;
                                          // if by_columns: from one column to the next
    std::uint32_t element_bytes = 4;
    std::uint32_t base_bytes = 0;  // offset in the block's shared memory; 0 in other spaces
    std::vector<std::uint32_t> outer_extents{};  // all but the last two: {2} for As[2][16][17]
    ElementType type = ElementType::kFloat32;    // for a vector type: the type of its components
    std::string type_name{};  // in the source: "float4", "Particle"; empty: the name of `type`
    // The innermost members of a structure, by ascending offset. If `type` is not kBytes, each
    // member has that type, and they fill the element. Empty: an element consists of values of
    // `type`.
    std::vector<Component> components{};
    bool one_extent = false;  // x[n], not x[1][n]
    bool by_columns = false;  // column-major: the index of (r, c) is c * leading_dimension + r
    // Content before and after the launch; empty: unknown. See matrix_of() in trace.h for the
    // elements of a product's matrices.
    std::vector<std::byte> first_bytes{}, last_bytes{};

    // The argument of of(): extents, outermost first; `row_pitch`: elements from one row of the
    // last extent to the next, 0 without padding.
    struct Shape {
        std::vector<std::uint32_t> extents;
        std::uint32_t row_pitch = 0;
    };
    [[nodiscard]] static Array of(std::string name, Space space, ElementType type,
                                  std::uint32_t element_bytes, const Shape& shape);

    // The component at a byte offset; null if there is none.
    [[nodiscard]] const Component* component_at(std::uint64_t offset_bytes) const;
    // The name of the member at a byte offset: "kind", "at.y"; "w" in a float4. Empty if an element
    // is one value, or if the byte is padding.
    [[nodiscard]] std::string member_at(std::uint64_t offset_bytes) const;
    // The type of the value at a byte offset.
    [[nodiscard]] ElementType type_at(std::uint64_t offset_bytes) const;
    // Whether all values of an element have the type `type`.
    [[nodiscard]] bool is_of_one_type() const;
    [[nodiscard]] std::vector<std::uint32_t> extents() const;  // outermost first
    [[nodiscard]] std::uint64_t size_bytes() const {
        return std::uint64_t{by_columns ? columns : rows} * leading_dimension * element_bytes;
    }
    // Converts an index in the order of memory to row and column, and back. Elements of padding
    // have columns (if by_columns: rows) beyond the last one.
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
    [[nodiscard]] std::string type_text() const;  // type_name, or else the name of `type`
};
// Whether an array is a row-major matrix of floats without padding.
// Ends the name of an array in Space::kSharedCluster: "tile by rank" has the arrays `tile` of the
// blocks of a cluster.
inline constexpr std::string_view kByRank = " by rank";

[[nodiscard]] bool is_dense_float(const Array& array);

// As in the source: "A[4][8]", "As[1][3][5]" for row 19 of As[2][16][17], "buffer[5]" for an array
// of one extent or a shared array of one row. Row and column count from the beginning of the whole
// array, with padding.
[[nodiscard]] std::string element_name(const Array& array, std::uint32_t row, std::uint32_t column);
[[nodiscard]] inline std::string element_name(const Array& array, ElementPlace place) {
    return element_name(array, place.row, place.column);
}
// "As", or "As[1]" if the array has several planes.
[[nodiscard]] std::string plane_name(const Array& array, std::uint32_t plane);

}  // namespace tilereel
