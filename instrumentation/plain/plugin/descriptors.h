#pragma once
// Builds the static data that hooks get as arguments: the structures of hooks.h, as GCC's trees.
#include <map>
#include <string>

#include "gcc.h"

namespace tilereel::plain {

// The type of an element, as hooks.h has it.
struct ElementType {
    unsigned scalar = 0, scalar_bytes = 0;
};
ElementType element_type(tree type);
// The members of a structure, as struct_members.h has them; empty: it is none, or has a bit-field
// or too many members.
std::string members_of(tree type);

// One place in the source.
struct SiteText {
    std::string name, type, callee, members;  // empty: none
};
struct SiteNumbers {
    unsigned ordinal = 0, kind = 0, width_bytes = 0, align_bytes = 0;
    ElementType element;
};

class Descriptors {
  public:
    explicit Descriptors(tree function);
    // Each returns the address of a structure; kernel_cell() returns the variable itself.
    tree site(location_t location, const SiteText& text, const SiteNumbers& numbers, tree loop,
              tree variable);
    tree loop(tree outer, unsigned ordinal);
    static tree variable(tree decl);                    // one for each variable in a compilation
    static tree kernel_cell(tree decl);                 // one for each kernel in a compilation
    static const std::map<tree, tree>& kernel_cells();  // all so far, by kernel

  private:
    std::string function_name_;
};

// Whether a function is marked __global__ or __device__, or lies inside a function that is: a
// lambda there has no mark of its own.
bool is_device_function(tree decl);
bool is_shared(tree decl);
bool is_device_variable(tree decl);
std::string type_name(tree type);

}  // namespace tilereel::plain
