#include "instrumentation/analysis/cost/pattern_answer.h"

#include <charconv>

#include "instrumentation/analysis/cost/matrix_loads.h"

namespace tilereel {
namespace {

Error no_such_request(const AccessPattern& pattern, std::uint32_t requests) {
    const bool of_tile = pattern.of_matrices() && pattern.index.layout() != nullptr;
    const std::string one = of_tile ? "load" : "warp";
    return wrong_call(
        (of_tile ? "the tile has "
                 : "a block of " + tilereel::block_text(pattern.block) + " threads has ") +
        std::to_string(requests) + " " + one + (requests == 1 ? "" : "s") + "; use " + one + " 0" +
        (requests == 1 ? "" : " to " + std::to_string(requests - 1)));
}

}  // namespace

Result<PatternAnswer> answer_pattern(const AccessPattern& pattern, std::uint32_t warp,
                                     const Generation& generation) {
    TRY(check_pattern(pattern));
    TRY(check_has_matrix_access(pattern.operation, generation));
    const std::uint32_t requests = TRY(requests_of(pattern));
    if (warp >= requests) return no_such_request(pattern, requests);
    const WarpAccess access = TRY(access_of(pattern, warp));
    const PatternCost block = TRY(block_cost(pattern, generation));
    PatternAnswer answer{.pattern = pattern,
                         .warp = warp,
                         .requests = requests,
                         .generation = &generation,
                         .access = access,
                         .cost = cost_of(access, generation),
                         .banks = {},
                         .block = block,
                         .sentence = pattern_sentence(pattern, warp, access, generation)};
    if (pattern.space != Space::kShared) return answer;
    answer.banks = bank_service(access, generation);
    answer.least_pad = TRY(least_pad(pattern, generation));
    const AccessPattern plain = plain_pattern(pattern);
    // Rows that PAD aligns may not be aligned without it.
    if (const auto without = access_of(plain, warp);
        without &&
        (pattern.layout.pad > 0 || pattern.layout.swizzle > 1 || pattern.index.swizzle().bits > 0))
        answer.plain = cost_of(*without, generation);
    if (const auto swizzle = least_swizzle(pattern, generation)) answer.least_swizzle = *swizzle;
    return answer;
}

const char* pattern_operation_name(Operation operation) {
    switch (operation) {
        case Operation::kStore:
            return "store";
        case Operation::kMatrixLoad:
            return "ldmatrix";
        case Operation::kMatrixStore:
            return "stmatrix";
        default:
            return "load";
    }
}

std::optional<std::array<std::int64_t, 3>> parse_block(std::string_view text) {
    std::array<std::int64_t, 3> block = {1, 1, 1};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < block.size(); ++i) {
        const auto [rest, fault] = std::from_chars(at, end, block[i]);
        if (fault != std::errc()) return std::nullopt;
        if (rest == end) return block;
        if (*rest != 'x') return std::nullopt;
        at = rest + 1;
    }
    return std::nullopt;
}

std::string block_text(const std::array<std::int64_t, 3>& block) {
    std::string words = std::to_string(block[0]) + " x " + std::to_string(block[1]);
    if (block[2] != 1) words += " x " + std::to_string(block[2]);
    return words;
}

}  // namespace tilereel
