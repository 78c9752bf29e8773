#include "instrumentation/trace/array.h"

#include <algorithm>

#include "instrumentation/base/check.h"

namespace tilereel {

std::string_view space_name(Space space) {
    switch (space) {
        case Space::kGlobal:
            return "global";
        case Space::kShared:
            return "shared";
        case Space::kConstant:
            return "constant";
        case Space::kGeneric:
            return "generic";
        case Space::kLocal:
            return "local";
        case Space::kSharedCluster:
            return "shared::cluster";
    }
    return "";
}

Array Array::of(std::string name, Space space, ElementType type, std::uint32_t element_bytes,
                const Shape& shape) {
    check(!shape.extents.empty());
    Array array;
    array.name = std::move(name);
    array.space = space;
    array.type = type;
    array.element_bytes = element_bytes;
    array.columns = shape.extents.back();
    array.leading_dimension = shape.row_pitch == 0 ? array.columns : shape.row_pitch;
    array.rows = 1;
    for (std::size_t i = 0; i + 1 < shape.extents.size(); ++i) array.rows *= shape.extents[i];
    if (shape.extents.size() > 2)
        array.outer_extents.assign(shape.extents.begin(), shape.extents.end() - 2);
    array.one_extent = shape.extents.size() == 1;
    return array;
}

const Component* Array::component_at(std::uint64_t offset_bytes) const {
    if (components.empty()) return nullptr;
    const std::uint64_t inside = offset_bytes % element_bytes;
    const auto after = std::ranges::upper_bound(components, inside, {}, &Component::offset_bytes);
    if (after == components.begin()) return nullptr;
    const Component& found = *std::prev(after);
    return inside - found.offset_bytes < found.bytes ? &found : nullptr;
}

ElementType Array::type_at(std::uint64_t offset_bytes) const {
    if (components.empty()) return type;
    const Component* const component = component_at(offset_bytes);
    return component == nullptr ? ElementType::kBytes : component->type;
}

std::string Array::member_at(std::uint64_t offset_bytes) const {
    if (const Component* const component = component_at(offset_bytes)) return component->name;
    const std::uint32_t value = type_bytes(type);
    if (!components.empty() || type == ElementType::kBytes || element_bytes > 4 * value ||
        element_bytes < 2 * value)
        return {};
    return std::string(1, "xyzw"[offset_bytes % element_bytes / value]);
}

bool Array::is_of_one_type() const {
    return std::ranges::all_of(components,
                               [&](const Component& each) { return each.type == type; });
}

std::vector<std::uint32_t> Array::extents() const {
    if (one_extent) return {columns};
    std::vector<std::uint32_t> all = outer_extents;
    all.push_back(rows_of_plane());
    all.push_back(columns);
    return all;
}

std::string Array::type_text() const {
    return type_name.empty() ? std::string(tilereel::type_name(type)) : type_name;
}

std::uint32_t Array::planes() const {
    std::uint64_t count = 1;
    for (const std::uint32_t extent : outer_extents) {
        count *= extent;
        if (count == 0 || count > rows) return 1;
    }
    return static_cast<std::uint32_t>(count);
}

std::string plane_name(const Array& array, std::uint32_t plane) {
    std::string indices;
    if (array.planes() > 1) {
        for (std::size_t i = array.outer_extents.size(); i-- > 0;) {
            const std::uint32_t extent = array.outer_extents[i];
            std::string index = "[";
            index += std::to_string(plane % extent);
            indices.insert(0, index += "]");
            plane /= extent;
        }
    }
    return array.name + indices;
}

bool is_dense_float(const Array& array) {
    return array.type == ElementType::kFloat32 && array.element_bytes == sizeof(float) &&
           !array.by_columns && array.leading_dimension == array.columns;
}

std::string element_name(const Array& array, std::uint32_t row, std::uint32_t column) {
    const std::uint32_t height = std::max(array.rows_of_plane(), 1u);
    std::string name = plane_name(array, row / height);
    if (!array.one_extent && (array.space == Space::kGlobal || array.rows > 1)) {
        name += '[';
        name += std::to_string(row % height);
        name += ']';
    }
    name += '[';
    name += std::to_string(column);
    return name += ']';
}

}  // namespace tilereel
