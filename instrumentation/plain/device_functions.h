#pragma once
// Device functions in the text of a CUDA file: where they are and what parameters they have. The
// text is read as words, not as C++: comments and literals are blanked (launch_text.h).
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::plain {

struct KernelParameter {
    std::string name;  // empty: not named
    bool pointer = false;
};

struct DeviceFunction {
    std::string name;  // empty: a lambda
    bool kernel = false;
    bool host = false;              // __host__ __device__
    bool is_template = false;       // a function template
    unsigned line = 0;              // of its name
    std::size_t body = 0, end = 0;  // from the opening brace to behind the closing one; equal: none
    std::vector<KernelParameter> parameters;
};
// In the order of the text. `masked`: without comments and literals.
[[nodiscard]] std::vector<DeviceFunction> find_device_functions(std::string_view masked);

}  // namespace tilereel::plain
