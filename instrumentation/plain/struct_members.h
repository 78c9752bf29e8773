#pragma once
// The members of a structure, as text from the compiler plugin or from the debug information.
//
// "0 3 4 x float;4 3 4 y float;8 1 4 id int": for each innermost member its offset in bytes, its
// type (Scalar), its size in bytes, its name as it is written behind the structure's ("at.x",
// "v[2]"), and its type's name. Members that overlap, those of a union, are one without a type.
#include <string_view>
#include <vector>

#include "instrumentation/trace/array.h"

namespace tilereel::plain {

// Empty: the text is, or does not hold what is said above.
[[nodiscard]] std::vector<Component> members_of(std::string_view text);

// Sets the array's type and components. One member, or a vector type ("float4"), needs none. Where
// the members are not of one size, one behind the other, the elements are bytes.
void set_members(Array& array, std::string_view text);

}  // namespace tilereel::plain
