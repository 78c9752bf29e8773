#include "instrumentation/analysis/values/warp_registers.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// Whether after = before + x * y, rounded twice, as a CPU may do it, or once (FMA), as a GPU may.
bool is_sum(float before, float x, float y, float after) {
    const float product = x * y;
    return same_value(before + product, after) || same_value(std::fma(x, y, before), after);
}

}  // namespace

bool same_value(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void WarpRegisters::load(const LoadedWord& word, bool from_global) {
    if (from_global) {
        global_[next_global_] = word;
        next_global_ = (next_global_ + 1) % kMostWords;
        count_global_ = std::min(count_global_ + 1, kMostWords);
    }
    words_[next_] = word;
    next_ = (next_ + 1) % kMostWords;
    count_ = std::min(count_ + 1, kMostWords);
    loaded_ = position_ == 0 ? loaded_ + 1 : 1;
    position_ = 0;
}

bool WarpRegisters::fits(Ages ages, std::uint32_t mask, const std::array<float, kWarpSize>& before,
                         const std::array<float, kWarpSize>& after) const {
    if (ages.one >= count_ || ages.other >= count_) return false;
    const LoadedWord &one = at(ages.one), &other = at(ages.other);
    if ((mask & ~(one.mask & other.mask)) != 0 || (mask & (one.unknown | other.unknown)) != 0)
        return false;
    for (const std::uint32_t lane : lanes_in(mask)) {
        if (!is_sum(before[lane], one.values[lane], other.values[lane], after[lane])) return false;
    }
    return true;
}

// Tests each pair of words on one lane first, and on the others only if it fits that lane.
std::optional<WarpRegisters::Ages> WarpRegisters::search(
    std::uint32_t mask, const std::array<float, kWarpSize>& before,
    const std::array<float, kWarpSize>& after) const {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    std::array<float, kMostWords> values{};
    std::array<std::uint8_t, kMostWords> ages{};
    std::size_t words = 0;
    for (std::size_t age = 0; age < count_; ++age) {
        const LoadedWord& word = at(age);
        if ((mask & ~word.mask) != 0 || (mask & word.unknown) != 0) continue;
        values[words] = word.values[lane];
        ages[words++] = static_cast<std::uint8_t>(age);
    }
    for (std::size_t one = 0; one < words; ++one)
        for (std::size_t other = one; other < words; ++other) {
            const Ages found{ages[one], ages[other]};
            if (is_sum(before[lane], values[one], values[other], after[lane]) &&
                fits(found, mask, before, after))
                return found;
        }
    return std::nullopt;
}

WarpRegisters::Verdict WarpRegisters::multiply_add(SiteId site, std::uint32_t mask,
                                                   const std::array<float, kWarpSize>& before,
                                                   const std::array<float, kWarpSize>& after) {
    std::optional<Ages>& known = fitted_[(site * 131u + position_) % kPositions];
    ++position_;
    if (known && fits(*known, mask, before, after)) return Verdict::kExplained;
    if (count_ > 0 && (at(0).unknown & mask) != 0) return Verdict::kUndecided;
    if (const std::optional<Ages> found = search(mask, before, after)) {
        known = found;
        return Verdict::kExplained;
    }
    return unexplained(mask);
}

WarpRegisters::Verdict WarpRegisters::check_again(std::uint32_t mask,
                                                  const std::array<float, kWarpSize>& before,
                                                  const std::array<float, kWarpSize>& after) const {
    return search(mask, before, after) ? Verdict::kExplained : unexplained(mask);
}

WarpRegisters::Verdict WarpRegisters::unexplained(std::uint32_t mask) const {
    for (std::size_t age = 0; age < count_; ++age)
        if ((at(age).unknown & mask) != 0) return Verdict::kUndecided;
    return Verdict::kUnexplained;
}

std::optional<std::pair<const LoadedWord*, const LoadedWord*>> WarpRegisters::only_operands(
    std::uint32_t mask) const {
    if (position_ != 0 || loaded_ != 2 || count_ < 2) return std::nullopt;
    const LoadedWord &one = at(1), &other = at(0);
    if ((mask & ~(one.mask & other.mask)) != 0 || (mask & (one.unknown | other.unknown)) != 0)
        return std::nullopt;
    return std::pair(&one, &other);
}

WarpRegisters::Verdict WarpRegisters::has_loaded(std::uint32_t lane, float value) const {
    dcheck(lane < kWarpSize);
    Verdict verdict = Verdict::kUnexplained;
    const auto ask = [&](const LoadedWord& word) {
        if ((word.mask >> lane & 1u) == 0) return;
        if ((word.unknown >> lane & 1u) == 0 && same_value(word.values[lane], value))
            verdict = Verdict::kExplained;
        else if ((word.unknown >> lane & 1u) != 0 && verdict == Verdict::kUnexplained)
            verdict = Verdict::kUndecided;
    };
    for (std::size_t i = 0; i < count_global_ && verdict != Verdict::kExplained; ++i)
        ask(global_[i]);
    for (std::size_t i = 0; i < count_ && verdict != Verdict::kExplained; ++i) ask(words_[i]);
    return verdict;
}

}  // namespace tilereel
