#pragma once
// Where the source of a kernel branches and returns, read from its text.
//
// A trace has no record of a branch or of a `return`. A lane that takes no part in a line has
// skipped it or has returned before; which of the two it is, the text of the kernel helps to tell:
//
//     __global__ void kernel(...) {             depth 0
//         if (i >= n) return;                   a return, at depth 1
//         out[i] = in[i];                       depth 0: who is not here has returned
//         if (threadIdx.x == 0) *count = n;     depth 1, a branch: who is not here may skip it
//     }
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilereel {

struct KernelShape {
    std::uint32_t first_line = 0, last_line = 0;  // of the body; 0: the text was not understood
    std::vector<std::uint32_t> returns;           // lines, ascending
    // By line - first_line. `depth`: the number of branches and loops around the line, or of those
    // whose head it holds. `branches`: whether one of them is an `if`, `else`, `switch`, `?:`, `&&`
    // or `||`.
    std::vector<std::uint8_t> depth;
    std::vector<bool> branches;

    [[nodiscard]] bool has(std::uint32_t line) const {
        return first_line != 0 && first_line <= line && line <= last_line;
    }
    [[nodiscard]] bool is_at_top(std::uint32_t line) const {
        return has(line) && depth[line - first_line] == 0;
    }
    [[nodiscard]] bool is_in_branch(std::uint32_t line) const {
        return !has(line) || branches[line - first_line];
    }
    // Whether there is a `return` on the lines [first, last).
    [[nodiscard]] bool returns_between(std::uint32_t first, std::uint32_t last) const;
};

// The shape of the function `kernel` ("reduce", "reduce<256>", "space::reduce"): the first of that
// name that has a body. If there is none, that of the only `__global__` function of the text: a
// kernel of the ladder has another name than its function.
[[nodiscard]] KernelShape kernel_shape(std::string_view source, std::string_view kernel);

}  // namespace tilereel
