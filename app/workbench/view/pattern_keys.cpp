#include "app/workbench/view/pattern_keys.h"

namespace tilereel {

PatternQuestion with_next_operation(const PatternQuestion& now) {
    switch (now.operation) {
        case Operation::kLoad:
            return with_operation(now, Operation::kStore);
        case Operation::kStore:
            return with_operation(now, Operation::kMatrixLoad);
        case Operation::kMatrixLoad:
            return with_operation(now, Operation::kMatrixStore);
        default:
            return with_operation(now, Operation::kLoad);
    }
}

PatternQuestion with_next_matrices(const PatternQuestion& now) {
    constexpr std::uint32_t kMostMatrices = 4;
    PatternQuestion next = now;
    next.matrices = now.matrices == kMostMatrices ? 1 : 2 * now.matrices;
    return next;
}

std::optional<PatternQuestion> with_least_pad(const PatternLab& lab) {
    const std::optional<std::int64_t>& pad = lab.answer().least_pad;
    if (!pad) return std::nullopt;
    PatternQuestion next = lab.question();
    next.layout.pad = *pad;
    return next;
}

std::optional<PatternQuestion> with_least_swizzle(const PatternLab& lab) {
    const std::optional<CuteSwizzle>& swizzle = lab.answer().least_swizzle;
    if (!swizzle || swizzle->bits == 0) return std::nullopt;
    PatternQuestion next = lab.question();
    next.expression = with_swizzle(next.expression, *swizzle);
    next.layout.pad = 0;
    next.layout.swizzle = 1;
    return next;
}

}  // namespace tilereel
