#include "instrumentation/gpu/ptx/module/ptx_instruction.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tilereel::gpu {
namespace {

bool is_number(std::string_view token) {
    return std::isdigit(static_cast<unsigned char>(token.front())) != 0;
}

std::vector<std::string_view> parts_of(std::string_view opcode) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t dot = opcode.find('.');
        parts.push_back(opcode.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        opcode.remove_prefix(dot + 1);
    }
}

}  // namespace

std::uint32_t ptx_number(std::string_view token) {
    std::uint32_t number = 0;
    std::from_chars(token.data(), token.data() + token.size(), number);
    return number;
}

bool PtxInstruction::has(std::string_view part) const {
    return std::find(parts.begin() + 1, parts.end(), part) != parts.end();
}

std::string PtxInstruction::operand(std::size_t i) const {
    std::string text;
    for (const std::string_view token : operands[i]) text += token;
    return text;
}

PtxInstruction ptx_instruction(const PtxStatement& statement) {
    PtxInstruction result;
    std::size_t i = 0;
    const auto& tokens = statement.tokens;
    if (tokens[0] == "@") {
        while (i < tokens.size() && (tokens[i] == "@" || tokens[i] == "!"))
            result.guard += tokens[i++];
        if (i < tokens.size()) result.guard += tokens[i++];
    }
    if (i >= tokens.size()) return result;
    result.opcode = tokens[i++];
    result.parts = parts_of(result.opcode);
    int depth = 0;
    for (bool fresh = true; i < tokens.size(); ++i) {
        const std::string_view token = tokens[i];
        if (token == "," && depth == 0) {
            fresh = true;
            continue;
        }
        if (fresh) result.operands.emplace_back();
        fresh = false;
        depth += token == "{" || token == "[" || token == "(";
        depth -= token == "}" || token == "]" || token == ")";
        result.operands.back().push_back(token);
    }
    return result;
}

std::vector<std::string> ptx_elements(const std::vector<std::string_view>& operand) {
    const auto open = std::ranges::find(operand, "{");
    const auto begin = open == operand.end() ? operand.begin() : open + 1;
    std::vector<std::string> elements(1);
    for (auto token = begin; token != std::find(begin, operand.end(), "}"); ++token)
        if (*token == ",")
            elements.emplace_back();
        else
            elements.back() += *token;
    return elements;
}

std::optional<PtxType> ptx_type(const PtxInstruction& instruction) {
    const std::string_view name = instruction.parts.back();
    PtxType type;
    if (name.size() < 2 || std::string_view("busf").find(name[0]) == std::string_view::npos)
        return std::nullopt;
    const auto [end, error] =
        std::from_chars(name.data() + 1, name.data() + name.size(), type.bits);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    type.kind = name[0];
    type.name = name;
    for (const unsigned count : {2u, 4u, 8u})
        if (instruction.has("v" + std::to_string(count))) type.elements = count;
    return type;
}

std::optional<PtxAddress> ptx_address(const std::vector<std::string_view>& operand) {
    if (operand.size() < 3 || operand.front() != "[" || operand.back() != "]") return std::nullopt;
    PtxAddress address;
    std::string offset;
    for (const std::string_view token : std::vector(operand.begin() + 1, operand.end() - 1)) {
        if (token == "+") continue;
        if (token == "-" || is_number(token))
            offset += token;
        else if (address.base.empty())
            address.base = token;
        else
            return std::nullopt;
    }
    if (!offset.empty()) address.offset = offset;
    return address;
}

}  // namespace tilereel::gpu
