#pragma once
// Types of variables, as the debug information describes them (DWARF 5, section 5).
#include <elfutils/libdw.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/cuda/hooks.h"

namespace tilereel::gpu {

// An innermost member of a structure.
struct DebugMember {
    std::uint64_t offset_bytes = 0;
    runtime::Scalar scalar = runtime::Scalar::kOther;
    std::uint64_t bytes = 0;
    std::string name, type_name;
};

struct DebugType {
    std::string name;         // of an element: "float4"
    std::uint64_t bytes = 0;  // of the whole variable; 0: an array without a bound
    std::uint32_t element_bytes = 0, align_bytes = 1;
    runtime::Scalar scalar = runtime::Scalar::kOther;  // of the innermost first member
    std::uint32_t scalar_bytes = 0;
    std::array<std::uint32_t, 4> extents{};  // outermost first
    std::uint32_t extent_count = 0;
    bool is_structure = false;
    // Of an element that is a structure; empty for a union, or if the structure has a bit-field or
    // too many members.
    std::vector<DebugMember> members;
};
// In the format of struct_members.h.
[[nodiscard]] std::string members_text(const DebugType& type);
// The type of a variable, a parameter or a member.
[[nodiscard]] DebugType type_of(Dwarf_Die* entry);
// The type that a pointer points to; nullopt if `entry` is not a pointer.
[[nodiscard]] std::optional<DebugType> target_of(Dwarf_Die* entry);
[[nodiscard]] std::optional<std::uint64_t> number_of(Dwarf_Die* entry, unsigned attribute);
[[nodiscard]] std::string name_of(Dwarf_Die* entry);

}  // namespace tilereel::gpu
