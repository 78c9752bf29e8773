#pragma once
// What nvcc refuses in device code.
#include "gcc.h"

namespace tilereel::runtime {

// Reports an error for each call of host code, each exception and each local variable that is too
// large, in a device function that the user wrote, and for a kernel that returns a value.
void check_device_rules(function* function);
// Reports an error if the declaration gives a variable in shared memory an initial value (CUDA C++
// Programming Guide, "__shared__ Memory Space Specifier").
void check_shared_variable(tree decl);

// Whether the user wrote the function for the host alone. What the compiler makes, and constexpr
// functions, which nvcc takes with --expt-relaxed-constexpr, are no such functions; nor are those
// whose specifiers may stand elsewhere, as of a specialisation.
bool is_host_function_of_user(tree callee);

// Whether a header of ours has the declaration.
bool is_of_our_headers(tree decl);

}  // namespace tilereel::runtime
