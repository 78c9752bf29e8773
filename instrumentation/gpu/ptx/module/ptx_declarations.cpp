#include "instrumentation/gpu/ptx/module/ptx_declarations.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "instrumentation/gpu/ptx/module/ptx_instruction.h"

namespace tilereel::gpu {

std::size_t ptx_closing(const std::vector<std::string_view>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += tokens[i] == "(";
        depth -= tokens[i] == ")";
        if (depth == 0) return i;
    }
    return tokens.size() - 1;
}

std::size_t ptx_name_index(const PtxStatement& header) {
    const auto& tokens = header.tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i] != ".func" && tokens[i] != ".entry") continue;
        return tokens[i + 1] == "(" ? std::min(ptx_closing(tokens, i + 1) + 1, tokens.size() - 1)
                                    : i + 1;
    }
    return 0;
}

PtxCallee ptx_callee(const PtxStatement& statement) {
    const auto& tokens = statement.tokens;
    std::size_t i = 0;
    while (i < tokens.size() && tokens[i] != "call" && tokens[i] != "call.uni") ++i;
    if (++i >= tokens.size()) return {};
    if (tokens[i] == "(") i = ptx_closing(tokens, i) + 2;
    if (i >= tokens.size() || tokens[i].front() == '%') return {};
    PtxCallee call{.target = i};
    if (i + 2 < tokens.size() && tokens[i + 2] == "(") call.arguments = i + 2;
    return call;
}

std::optional<PtxVariable> ptx_variable(const PtxStatement& declaration) {
    const auto& tokens = declaration.tokens;
    const bool is_shared = std::ranges::find(tokens, ".shared") != tokens.end();
    if (!is_shared && std::ranges::find(tokens, ".const") == tokens.end()) return std::nullopt;
    // .shared .align 4 .b8 NAME[256]
    std::size_t name = 0;
    unsigned element_bits = 8;
    for (std::size_t i = 0; i < tokens.size() && name == 0; ++i) {
        if (tokens[i] == ".align") {
            ++i;
        } else if (tokens[i].front() == '.') {
            const std::size_t digit = tokens[i].find_first_of("0123456789");
            if (digit != std::string_view::npos) element_bits = ptx_number(tokens[i].substr(digit));
        } else {
            name = i;
        }
    }
    if (name == 0) return std::nullopt;
    const bool is_array = name + 2 < tokens.size() && tokens[name + 1] == "[";
    const std::uint64_t count = is_array ? ptx_number(tokens[name + 2]) : 1;
    return PtxVariable{.symbol = std::string(tokens[name]),
                       .is_shared = is_shared,
                       .bytes = count * element_bits / 8};
}

bool is_ptx_kernel(const PtxStatement& header) {
    return std::ranges::find(header.tokens, ".entry") != header.tokens.end();
}

// .entry NAME(.param .u64 A, .param .align 8 .b8 B[24])
PtxKernel ptx_kernel(const PtxStatement& header) {
    const auto& tokens = header.tokens;
    PtxKernel kernel;
    kernel.symbol = tokens[ptx_name_index(header)];
    std::uint32_t element_bits = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i] == ".param") {
            kernel.parameter_bytes.push_back(0);
        } else if (tokens[i] == ".align" || kernel.parameter_bytes.empty()) {
            if (tokens[i] == ".align") ++i;
        } else if (tokens[i] == "[" && i + 1 < tokens.size()) {
            kernel.parameter_bytes.back() = element_bits / 8 * ptx_number(tokens[i + 1]);
        } else if (tokens[i].front() == '.' && kernel.parameter_bytes.back() == 0) {
            const std::size_t digit = tokens[i].find_first_of("0123456789");
            if (digit == std::string_view::npos) continue;  // .ptr
            element_bits = ptx_number(tokens[i].substr(digit));
            kernel.parameter_bytes.back() = element_bits / 8;
        } else if (tokens[i] == ")") {
            break;
        }
    }
    return kernel;
}

}  // namespace tilereel::gpu
