#include "app/workbench/view/view_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/generations/generation.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

// Splits "a:b:c" into at most `most` parts; the last part keeps its colons.
std::vector<std::string> parts_of(std::string_view text, std::size_t most) {
    std::vector<std::string> parts;
    while (parts.size() + 1 < most && text.find(':') != std::string_view::npos) {
        const std::size_t colon = text.find(':');
        parts.emplace_back(text.substr(0, colon));
        text.remove_prefix(colon + 1);
    }
    parts.emplace_back(text);
    return parts;
}

constexpr std::array kOperations = {Operation::kLoad, Operation::kStore, Operation::kMatrixLoad,
                                    Operation::kMatrixStore};

// "load", or "ldmatrix4": of 4 matrices.
bool read_operation(const std::string& text, PatternQuestion& question) {
    for (const Operation operation : kOperations)
        for (const std::uint32_t matrices : {1u, 2u, 4u}) {
            const bool of_matrices = is_matrix_access(operation);
            if (text !=
                pattern_operation_name(operation) + (of_matrices ? std::to_string(matrices) : ""))
                continue;
            question.operation = operation;
            if (of_matrices) question.matrices = matrices;
            return true;
        }
    return false;
}

}  // namespace

std::string text_of(const PatternQuestion& question) {
    std::string words;
    for (const std::int64_t extent : question.block) words += std::to_string(extent) + ":";
    words += question.space == Space::kGlobal ? "global:" : "shared:";
    words += std::string(pattern_operation_name(question.operation)) +
             (question.of_matrices() ? std::to_string(question.matrices) : "") + ":";
    words +=
        std::to_string(question.width_bytes) + ":" + std::to_string(question.layout.row) + ":" +
        std::to_string(question.layout.pad) + ":" + std::to_string(question.layout.swizzle) + ":" +
        std::to_string(question.layout.swizzle_unit) + ":" + std::to_string(question.warp) + ":";
    return words + question.generation + ":" + question.expression;
}

std::optional<PatternQuestion> parse_pattern(const std::string& text) {
    constexpr std::size_t kParts = 13;
    constexpr std::int64_t kMost = 1 << 20;
    const std::vector<std::string> parts = parts_of(text, kParts);
    if (parts.size() != kParts || find_generation(parts[11]) == nullptr) return std::nullopt;
    PatternQuestion question;
    for (std::size_t i = 0; i < question.block.size(); ++i)
        if (!read_number(parts[i], std::int64_t{1}, kMost, question.block[i])) return std::nullopt;
    if (parts[3] != "global" && parts[3] != "shared") return std::nullopt;
    if (!read_operation(parts[4], question)) return std::nullopt;
    question.space = parts[3] == "global" ? Space::kGlobal : Space::kShared;
    const bool read = read_number(parts[5], 1u, 16u, question.width_bytes) &&
                      read_number(parts[6], std::int64_t{0}, kMost, question.layout.row) &&
                      read_number(parts[7], std::int64_t{0}, kMost, question.layout.pad) &&
                      read_number(parts[8], std::int64_t{1}, kMost, question.layout.swizzle) &&
                      read_number(parts[9], std::int64_t{1}, kMost, question.layout.swizzle_unit) &&
                      read_number(parts[10], 0u, 1023u, question.warp);
    if (!read || !std::has_single_bit(question.width_bytes)) return std::nullopt;
    question.generation = parts[11];
    question.expression = parts[12];
    return question;
}

}  // namespace tilereel
