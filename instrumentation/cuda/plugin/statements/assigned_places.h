#pragma once
#include "../gcc.h"

namespace tilereel::runtime {

// Works out once where a compound assignment stores: a[index[i]] += 1 loads index[i] once, as C++
// says ([expr.ass]) and nvcc does. Works on the trees of the C++ front end.
void keep_assigned_places(tree function);

}  // namespace tilereel::runtime
