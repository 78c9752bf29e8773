#pragma once
// The declarations of a PTX module, and the functions that its instructions call (PTX ISA, "Kernel
// and Function Directives").
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "instrumentation/gpu/ptx/module/ptx_text.h"
#include "instrumentation/gpu/ptx/ptx_facts.h"

namespace tilereel::gpu {

// The index of the bracket that matches tokens[open].
[[nodiscard]] std::size_t ptx_closing(const std::vector<std::string_view>& tokens,
                                      std::size_t open);
// The index of the function's name among the tokens of its header.
[[nodiscard]] std::size_t ptx_name_index(const PtxStatement& header);
// Indices of tokens of a call instruction.
struct PtxCallee {
    std::size_t target = 0;     // the called function; 0: it is not a direct call
    std::size_t arguments = 0;  // the "(" before the arguments; 0: there are none
};
[[nodiscard]] PtxCallee ptx_callee(const PtxStatement& statement);

// The declared shared or constant variable; nullopt for other variables.
[[nodiscard]] std::optional<PtxVariable> ptx_variable(const PtxStatement& declaration);
[[nodiscard]] bool is_ptx_kernel(const PtxStatement& header);
[[nodiscard]] PtxKernel ptx_kernel(const PtxStatement& header);

}  // namespace tilereel::gpu
