#pragma once
// Finds device functions and their parameters in the text of a CUDA file. The text is split into
// words and not parsed as C++.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/cuda/text/specifier_macros.h"

namespace tilereel::program {

struct KernelParameter {
    std::string name;         // empty if it has none
    std::string declaration;  // "const float* a", without a default
    bool pointer = false;
    bool is_real = false;  // its type is a floating-point type, or a pointer to one
};
// `list`: masked text between a function's parentheses.
[[nodiscard]] std::vector<KernelParameter> parameters_of(std::string_view list);

struct DeviceFunction {
    std::string name;  // empty: a lambda
    bool kernel = false;
    bool host = false;              // __host__ __device__
    bool is_template = false;       // a function template
    unsigned line = 0;              // of its name
    std::size_t body = 0, end = 0;  // [opening brace, after the closing one); equal if no body
    std::vector<KernelParameter> parameters;
};
// In the order of the text. `masked`: the text with comments and literals blanked (launch_text.h).
// `macros`: those of the program.
[[nodiscard]] std::vector<DeviceFunction> find_device_functions(std::string_view masked,
                                                                const SpecifierMacros& macros = {});

}  // namespace tilereel::program
