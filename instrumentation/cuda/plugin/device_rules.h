#pragma once
// What nvcc refuses in device code.
#include "gcc.h"

namespace tilereel::runtime {

// Reports an error for each call of host code, each exception and each local variable that is too
// large, in a device function that the user wrote.
void check_device_rules(function* function);

}  // namespace tilereel::runtime
