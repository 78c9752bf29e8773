#include "app/workbench/view/pattern_lab.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilereel {
namespace {

constexpr std::int64_t kLargestSwizzle = 32;  // rows; as many as there are banks

bool is_power_of_two(std::int64_t value) {
    return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

Result<AccessPattern> pattern_of(const PatternQuestion& question,
                                 std::optional<std::size_t>* wrong_at) {
    std::size_t at = 0;
    Result<PatternIndex> index = PatternIndex::parse(question.expression, &at);
    if (!index) {
        if (wrong_at != nullptr) *wrong_at = at;
        return index.error();
    }
    return AccessPattern{.index = std::move(index).value(),
                         .block = question.block,
                         .space = question.space,
                         .operation = question.operation,
                         .width_bytes = question.width_bytes,
                         .layout = question.layout,
                         .matrices = question.matrices};
}

void adapt(PatternQuestion& question) {
    auto pattern = pattern_of(question, nullptr);
    if (!pattern) {
        question.layout.swizzle =
            std::min(question.layout.swizzle, largest_swizzle(question.layout));
        return;
    }
    question.layout.row = rows_of(*pattern).row;
    const std::int64_t step = pad_step(question.operation, question.width_bytes);
    question.layout.pad = question.layout.pad / step * step;
    question.layout.swizzle_unit = std::max(question.layout.swizzle_unit, step);
    question.layout.swizzle = std::min(question.layout.swizzle, largest_swizzle(question.layout));
    pattern->layout = question.layout;
    if (const auto requests = requests_of(*pattern); requests && check_pattern(*pattern))
        question.warp = std::min(question.warp, *requests - 1);
}

Result<PatternAnswer> answer_of(const PatternQuestion& question,
                                std::optional<std::size_t>* wrong_at) {
    const AccessPattern pattern = TRY(pattern_of(question, wrong_at));
    const Generation* generation = find_generation(question.generation);
    if (generation == nullptr)
        return wrong_call("there is no GPU generation '" + question.generation + "'");
    return answer_pattern(pattern, question.warp, *generation);
}

const PatternPreset& first_preset(bool of_matrices, Space space) {
    const std::vector<PatternPreset>& presets = pattern_presets();
    return *std::ranges::find_if(presets, [&](const PatternPreset& preset) {
        return preset.of_matrices == of_matrices && (of_matrices || preset.space == space);
    });
}

PatternNeighbour neighbour_of(std::string title, const PatternQuestion& question) {
    PatternNeighbour neighbour{.title = std::move(title), .question = question, .in_blocks = {}};
    for (std::size_t i = 0; i < kNeighbourBlocks.size(); ++i) {
        PatternQuestion there = question;
        if (question.of_matrices())
            there.matrices = kNeighbourMatrices[i];
        else
            there.block = kNeighbourBlocks[i];
        there.warp = 0;
        if (Result<PatternAnswer> answer = answer_of(there, nullptr))
            neighbour.in_blocks[i] = std::move(answer).value();
    }
    return neighbour;
}

}  // namespace

std::int64_t largest_swizzle(const RowLayout& layout) {
    if (!is_power_of_two(layout.row) || !is_power_of_two(layout.swizzle_unit)) return 1;
    return std::clamp<std::int64_t>(layout.row / layout.swizzle_unit, 1, kLargestSwizzle);
}

PatternQuestion question_of(const PatternPreset& preset, const PatternQuestion& now) {
    PatternQuestion question = now;
    question.expression = preset.index;
    question.block = preset.block;
    question.space = preset.space;
    question.width_bytes = preset.width_bytes;
    question.layout = {.row = preset.row};
    question.warp = 0;
    if (preset.of_matrices != now.of_matrices())
        question.operation = preset.of_matrices ? Operation::kMatrixLoad : Operation::kLoad;
    return question;
}

PatternQuestion with_operation(const PatternQuestion& now, Operation operation) {
    PatternQuestion next = now;
    if (is_matrix_access(operation) != now.of_matrices() && !looks_like_layout(now.expression))
        next = question_of(first_preset(is_matrix_access(operation), now.space), now);
    if (is_matrix_access(operation)) next.space = Space::kShared;
    next.operation = operation;
    return next;
}

PatternQuestion next_preset(const PatternQuestion& now, int direction) {
    const std::vector<PatternPreset>& presets = pattern_presets();
    const auto here = std::ranges::find_if(presets, [&](const PatternPreset& preset) {
        return now.expression == preset.index && now.space == preset.space &&
               now.width_bytes == preset.width_bytes && now.of_matrices() == preset.of_matrices;
    });
    const auto count = static_cast<std::ptrdiff_t>(presets.size());
    std::ptrdiff_t to = direction > 0 ? 0 : count - 1;
    if (here != presets.end()) to = (here - presets.begin() + direction + count) % count;
    return question_of(presets[static_cast<std::size_t>(to)], now);
}

void PatternLab::ask(PatternQuestion question) {
    adapt(question);
    question_ = std::move(question);
    problem_.clear();
    wrong_at_.reset();
    Result<PatternAnswer> answer = answer_of(question_, &wrong_at_);
    if (!answer) {
        problem_ = answer.error().message;
        return;
    }
    answered_ = question_;
    answer_ = std::move(answer).value();
    neighbours_.clear();
    neighbours_.push_back(neighbour_of({}, answered_));
    for (const PatternPreset& preset : pattern_presets())
        if (preset.space == answered_.space && preset.of_matrices == answered_.of_matrices())
            neighbours_.push_back(neighbour_of(preset.title, question_of(preset, answered_)));
}

}  // namespace tilereel
