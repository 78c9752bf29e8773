#pragma once
// The C++ of a launch that a line describes.
#include <string>
#include <vector>

#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/cuda/text/launch_line_reader.h"

namespace tilereel::program {

// What a line launches: a kernel, or a function of host code.
struct Target {
    std::string name;
    bool is_kernel = false, is_template = false;
    bool is_overloaded = false;  // the file has others of the name
    unsigned line = 0;
    const std::vector<KernelParameter>* parameters = nullptr;
};

// A block of statements that launches the target. `place`: the line directive of the line.
// `parsed`: gives a value to each parameter.
[[nodiscard]] std::string launch_text(const Parsed& parsed, const Target& target,
                                      const std::string& place);

}  // namespace tilereel::program
