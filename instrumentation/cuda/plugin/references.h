#pragma once
// Finds what a reference in GCC's trees refers to: a local, memory, or a named variable.
#include "descriptors.h"
#include "gcc.h"

namespace tilereel::runtime {

bool is_local(tree base);
// Whether `base` is a built-in variable such as threadIdx, which threads read like a register.
bool is_built_in(tree base);
bool is_memory(tree reference);
// In bytes; 0: unknown to the compiler.
unsigned size_of(tree type);
// The declaration that a reference starts from: the array, or the pointer.
tree declaration_of(tree reference);
// The named pointer from which the address of a reference is computed: the pointer x for x[i].
// Searches backwards from `at` through the statements that compute the dereferenced temporary.
tree pointer_behind(gimple_stmt_iterator at, tree reference);
// The named pointer, or the variable whose address it is, from which `pointer` is computed.
tree variable_behind(gimple_stmt_iterator at, tree pointer);
// The variable that a MEM_REF accesses, if its operand is an address (&variable); else null.
tree pointed_to(tree reference);
// Whether it is memory that kernels share, or a variable's: not a local, nor what the compiler
// made.
bool is_recorded_memory(tree reference);
// Whether an access of memory gets a hook: one of such memory, not of a bit-field (bit_fields.h).
bool is_recorded(tree reference);
// In bytes: as far as the types of the reference say. A member of a packed structure may be
// aligned to less than its type.
unsigned align_of(tree reference);
// Whether a product of a warpgroup may write the local variable.
extern bool has_warpgroup_products;  // some function of the file
bool is_tracked_local(tree reference);
SiteText text_of(tree declaration);
bool is_named_local(tree target);
// Whether a hook can take a value of this type.
bool has_value(tree type);
// Converts the value to one of the three types that hooks take. `chosen`: 0 int, 1 float, 2 double.
tree as_argument(gimple_seq* sequence, tree value, int& chosen);

}  // namespace tilereel::runtime
