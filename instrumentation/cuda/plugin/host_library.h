#pragma once
// Functions of the C and C++ libraries that device code cannot call.
#include "gcc.h"

namespace tilereel::runtime {

// Functions of the C library that end the process, jump, ask the system, or use what only the host
// has. Others, such as those of <cmath>, exist on a GPU.
bool is_of_host_c_library(tree callee);

// Functions of the C++ library that nvcc refuses even with --expt-relaxed-constexpr: those that are
// not constexpr, such as of containers, streams and algorithms. Not those that cuda::std has, too,
// because our cuda::std is std. Containers are refused where C++20 makes them constexpr, too: they
// call functions that do not exist on a GPU.
bool is_of_host_cpp_library(tree callee);

// Whether the destructor of the class, which the compiler made, calls such a function: a member or
// base is a container.
bool destroys_host_class(tree type);

}  // namespace tilereel::runtime
