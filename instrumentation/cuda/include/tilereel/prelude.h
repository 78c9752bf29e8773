#pragma once
// What is precompiled for each C++ standard. From C++17 on, <cmath> has 60 special functions (beta,
// Bessel functions), and g++ would compile all of them anew in each program, which takes longer
// than a small kernel. So they are left out here; a program that names one of them includes
// special_math.h as well. What their header includes besides, programs may rely on.
#include <cstddef>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <bits/stl_algobase.h>

#include <cmath>
#include <limits>

#include "cuda_runtime.h"
