#include "instrumentation/analysis/cost/pattern_answer.h"

#include <charconv>

namespace tilereel {

Result<PatternAnswer> answer_pattern(const AccessPattern& pattern, std::uint32_t warp,
                                     const Generation& generation) {
    TRY(check_pattern(pattern));
    if (warp >= warps_of(pattern))
        return wrong_call("a block of " + block_text(pattern.block) + " threads has " +
                          std::to_string(warps_of(pattern)) +
                          (warps_of(pattern) == 1
                               ? " warp; use warp 0"
                               : " warps; use warp 0 to " + std::to_string(warps_of(pattern) - 1)));
    const WarpAccess access = TRY(access_of(pattern, warp));
    const PatternCost block = TRY(block_cost(pattern, generation));
    PatternAnswer answer{.pattern = pattern,
                         .warp = warp,
                         .generation = &generation,
                         .access = access,
                         .cost = cost_of(access, generation),
                         .banks = {},
                         .block = block,
                         .least_pad = {},
                         .sentence = pattern_sentence(pattern, warp, access, generation)};
    if (pattern.space != Space::kShared) return answer;
    answer.banks = bank_service(access, generation);
    const auto pad = TRY(least_pad(pattern, generation));
    answer.least_pad = pad;
    return answer;
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
