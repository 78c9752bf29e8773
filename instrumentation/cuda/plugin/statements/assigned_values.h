#pragma once
#include "../gcc.h"

namespace tilereel::runtime {

// Takes the value of an assignment from what is assigned, as nvcc does: x = y = z stores y and does
// not load it again. Works on the trees of the C++ front end.
void keep_assigned_values(tree function);

}  // namespace tilereel::runtime
