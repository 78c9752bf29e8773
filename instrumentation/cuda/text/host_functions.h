#pragma once
// Finds the functions that a text defines outside of classes, with their parameters: those of host
// code, which a launch line can call, and all that a link may miss. The text is split into words
// and not parsed as C++.
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/cuda/text/device_function_text.h"

namespace tilereel::program {

struct DefinedFunction {
    std::string name;     // without its namespace or class
    unsigned line = 0;    // of its name
    bool device = false;  // __global__ or __device__
    bool is_template = false;
    bool is_static = false;  // not seen by other files
    bool launches = false;   // it launches kernels
    std::vector<KernelParameter> parameters;
};
// In the order of the text. `masked`: the text with comments and literals blanked (launch_text.h).
[[nodiscard]] std::vector<DefinedFunction> find_defined_functions(std::string_view masked);

}  // namespace tilereel::program
