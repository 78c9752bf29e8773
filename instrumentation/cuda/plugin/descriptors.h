#pragma once
// Builds the static data that hooks get as arguments: the structures of hooks.h, as trees of GCC.
#include <map>
#include <string>
#include <vector>

#include "arithmetic/instruction_counts.h"
#include "gcc.h"

namespace tilereel::runtime {

// The type of an element, for the structures of hooks.h.
struct ElementType {
    unsigned scalar = 0, scalar_bytes = 0;
};
ElementType element_type(tree type);
// The members of a structure, in the format of struct_members.h. Empty if the type is no structure,
// or if it has a bit-field or too many members.
std::string members_of(tree type);

// The texts of a Site.
struct SiteText {
    std::string name, type, callee, members;  // empty: none
};
struct SiteNumbers {
    unsigned ordinal = 0, kind = 0, width_bytes = 0, align_bytes = 0;
    ElementType element;
    bool in_library = false;
    unsigned address = 0;  // ValueFlow::Address
};

class Descriptors {
  public:
    explicit Descriptors(tree function);
    // Each returns the address of a structure; kernel_descriptor() returns the variable itself.
    tree site(location_t location, const SiteText& text, const SiteNumbers& numbers, tree loop,
              tree variable);
    // `site`: what site() returned. Instructions of a warp for what stands before the site.
    static void set_instructions(tree site, const InstructionCounts& counts);
    tree loop(tree outer, unsigned ordinal);
    static tree variable(tree decl);  // one per variable and compilation
    // `has_operands`: "%%" stands for "%" in the text.
    static tree inline_ptx(const std::string& text, const std::string& constraints,
                           bool has_operands);
    // The address of a Subscripts. `extents`: at most four.
    static tree subscripts(location_t location, const std::string& place, bool is_store,
                           const std::vector<unsigned>& extents);
    static tree kernel_descriptor(tree decl);                 // one per kernel and compilation
    static const std::map<tree, tree>& kernel_descriptors();  // all so far, by kernel
    // Marks the trees that are kept from one function to the next, so that GCC's garbage collector
    // does not free them. Keys are marked, too: else another tree could get the address of one.
    static void mark();

    // Whether the data of a function that GCC has seen before is made: else it would be left out.
    static bool keeps_data;

  private:
    std::string function_name_;
};

// Whether a function is __global__ or __device__, or is nested in such a function: a lambda in
// device code has no attribute of its own.
bool is_device_function(tree decl);
bool is_in_library(tree decl);  // a function in a header of ours that stands for CUB or wmma
bool is_shared(tree decl);
bool is_device_variable(tree decl);
std::string type_name(tree type);

}  // namespace tilereel::runtime
