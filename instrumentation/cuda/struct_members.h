#pragma once
// The members of a structure, as text from the compiler plugin or from the debug information.
//
// "0 3 4 x float;4 3 4 y float;8 1 4 id int": for each innermost member its offset in bytes, its
// type (Scalar), its size in bytes, its name relative to the structure ("at.x", "v[2]"), and the
// name of its type. Overlapping members (a union) are merged into one without a type.
#include <string_view>
#include <vector>

#include "instrumentation/trace/array.h"

namespace tilereel::runtime {

// Empty if the text is empty or malformed.
[[nodiscard]] std::vector<Component> members_of(std::string_view text);

// Sets the array's type and components. Leaves the array unchanged if there is only one member or
// if its type is a vector type ("float4"). If the members differ in size, are not contiguous or
// have no type of their own, the element type is bytes.
void set_members(Array& array, std::string_view text);

}  // namespace tilereel::runtime
