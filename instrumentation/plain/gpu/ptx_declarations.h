#pragma once
// What a module declares, and which functions its instructions call (PTX ISA, "Kernel and Function
// Directives").
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "instrumentation/plain/gpu/ptx_patch.h"
#include "instrumentation/plain/gpu/ptx_places.h"
#include "instrumentation/plain/gpu/ptx_text.h"

namespace tilereel::plain {

// Index of the token that closes what tokens[open] opens.
[[nodiscard]] std::size_t ptx_closing(const std::vector<std::string_view>& tokens,
                                      std::size_t open);
// Where the name of a function's header stands among its tokens.
[[nodiscard]] std::size_t ptx_name_index(const PtxStatement& header);
// The function that an instruction calls, and where its arguments stand.
struct PtxCallee {
    std::size_t target = 0;     // token; 0: it is no direct call
    std::size_t arguments = 0;  // the "(" of them; 0: there are none
};
[[nodiscard]] PtxCallee ptx_callee(const PtxStatement& statement);

// A declaration of a shared or constant variable; nullopt: of another one.
[[nodiscard]] std::optional<PtxVariable> ptx_variable(const PtxStatement& declaration);
[[nodiscard]] bool is_ptx_kernel(const PtxStatement& header);
[[nodiscard]] PtxKernel ptx_kernel(const PtxStatement& header);
// Functions that get their caller as one more parameter: those of CUDA's headers, and those that
// have no lines, which are the compiler's own. Views of the statements' text.
[[nodiscard]] std::set<std::string_view> ptx_told_functions(
    const std::vector<PtxStatement>& statements, const PtxPlaces& places);

}  // namespace tilereel::plain
