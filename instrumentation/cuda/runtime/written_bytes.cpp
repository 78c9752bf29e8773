#include "instrumentation/cuda/runtime/written_bytes.h"

#include <algorithm>
#include <iterator>

namespace tilereel::runtime {

void WrittenBytes::note(std::uint64_t begin, std::uint64_t end) {
    if (all_ || begin >= end) return;
    const auto first = std::ranges::lower_bound(ranges_, begin, {}, &Range::second);
    const auto last = std::ranges::upper_bound(first, ranges_.end(), end, {}, &Range::first);
    if (first != last) {
        begin = std::min(begin, first->first);
        end = std::max(end, std::prev(last)->second);
    }
    ranges_.insert(ranges_.erase(first, last), {begin, end});
    constexpr std::size_t kMostRanges = 4096;
    if (ranges_.size() > kMostRanges) note_all();
}

bool WrittenBytes::any_of(std::uint64_t begin, std::uint64_t end) const {
    if (all_) return true;
    const auto after = std::ranges::upper_bound(ranges_, begin, {}, &Range::second);
    return after != ranges_.end() && after->first < end;
}

}  // namespace tilereel::runtime
