#pragma once
// Launch lines describe how to launch the kernels of a file without main(). They are comments in
// the file or options of the command:
//   // tilereel: launch saxpy<float> grid=4 block=256 n=1000 a=2 x[1000]=random y[1000]=ones
// grid and block have up to three extents, as in 8x4; shared=BYTES is dynamic shared memory. Each
// parameter of the kernel is named: a pointer with the extents of its array and its initial content
// (zeros, ones, index, random, identity, or an expression of i, row and col), any other parameter
// with its value. Extents and values are C++ expressions and may use the file's constants.
// In place of a kernel, a line can name a function of host code, without grid and block: it
// launches its kernels itself, with arrays in device memory as its arguments:
//   // tilereel: launch solve A[1024]=random B[1024]=zeros N=1024
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/cuda/text/host_functions.h"

namespace tilereel::program {

struct LaunchLine {
    std::string text;   // the text after "launch"
    unsigned line = 0;  // in the file; 0: an option of the command
    std::string file;
};
// The launch lines of a file. `comments`: comments_of() its text (launch_text.h).
[[nodiscard]] std::vector<LaunchLine> find_launch_lines(std::string_view comments,
                                                        const std::string& file);
// `masked`: masked_text() of a file (launch_text.h).
[[nodiscard]] bool has_main(std::string_view masked);

// `message`: a sentence that explains the mistake.
struct LaunchLineError {
    unsigned line = 0;
    std::string file, message;
};
struct MadeMain {
    std::string text;  // C++ to append to the file
    std::vector<LaunchLineError> errors;
};
// Makes a main() that executes the launch lines in their order. `defined`: the functions of host
// code.
[[nodiscard]] MadeMain make_main(const std::vector<LaunchLine>& lines,
                                 const std::vector<DeviceFunction>& functions,
                                 const std::vector<DefinedFunction>& defined = {});
// A sentence for an error of the compiler in the code of a launch line: the line uses a name that
// is not defined. Empty: the error is another one.
[[nodiscard]] std::string undefined_in_launch_line(const std::vector<LaunchLine>& lines,
                                                   const std::vector<DeviceFunction>& functions,
                                                   const std::vector<DefinedFunction>& defined,
                                                   const LaunchLineError& error);
// The message for a file that has neither main() nor a launch line. It proposes a line for the
// last function that launches kernels, or else for the first kernel.
[[nodiscard]] std::string no_main_sentence(const std::vector<DeviceFunction>& functions,
                                           const std::vector<DefinedFunction>& defined = {});

}  // namespace tilereel::program
