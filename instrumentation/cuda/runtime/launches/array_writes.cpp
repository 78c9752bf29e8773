#include "instrumentation/cuda/runtime/launches/array_writes.h"

#include <algorithm>

namespace tilereel::runtime {
namespace {

// Whether the lanes of the record access consecutive addresses.
bool is_contiguous(const Trace& trace, std::uint64_t record, std::int32_t width_bytes) {
    const Pattern& pattern = trace.patterns[trace.records.pattern[record]];
    if (pattern.mask != 0xffffffff || pattern.irregular != Pattern::kRegular) return false;
    for (std::size_t bit = 0; bit < pattern.delta_bytes.size(); ++bit)
        if (pattern.delta_bytes[bit] != width_bytes << bit) return false;
    return true;
}

// Calls visit(begin, end) for the bytes that the record accesses.
template <class Visit>
void for_each_span(const Trace& trace, const tilereel::Site& site, std::uint64_t record,
                   Visit&& visit) {
    if (is_contiguous(trace, record, site.width_bytes)) {
        const std::uint64_t begin = trace.records.base[record];
        return visit(begin, begin + std::uint64_t{site.width_bytes} * kWarpSize);
    }
    for_each_lane(trace, record, [&](std::uint32_t, std::uint64_t offset) {
        visit(offset, offset + site.width_bytes);
    });
}

}  // namespace

ArrayWrites::ArrayWrites(const Trace& trace, ArrayId array, Keep keep)
    : element_bytes_(std::max(1u, trace.arrays[array].element_bytes)) {
    constexpr std::uint64_t kMostElements = std::uint64_t{1} << 25;
    std::uint64_t first = ~std::uint64_t{0}, past = 0;
    const auto for_each_write = [&](auto&& visit) {
        for_each_record(trace, array,
                        [&](const tilereel::Site& site, std::size_t segment, std::uint64_t record) {
                            if (writes(site.operation)) visit(site, segment, record);
                        });
    };
    for_each_write([&](const tilereel::Site& site, std::size_t, std::uint64_t record) {
        for_each_span(trace, site, record, [&](std::uint64_t begin, std::uint64_t end) {
            first = std::min(first, begin);
            past = std::max(past, end);
        });
    });
    if (past == 0) return;
    begin_ = first / element_bytes_;
    const std::uint64_t elements = (past + element_bytes_ - 1) / element_bytes_ - begin_;
    const std::uint64_t threads = trace.launch.grid.count() * trace.launch.block.count();
    is_known_ = elements <= kMostElements && threads < kUpdates;
    if (!is_known_) return;
    is_written_.resize(elements);
    if (keep == Keep::kWriters) writers_.resize(elements);
    for_each_write([&](const tilereel::Site& site, std::size_t segment, std::uint64_t record) {
        add(trace, site, segment, record);
    });
}

void ArrayWrites::add(const Trace& trace, const tilereel::Site& site, std::size_t segment,
                      std::uint64_t record) {
    for_each_span(trace, site, record, [&](std::uint64_t begin, std::uint64_t end) {
        const auto at = [&](std::uint64_t element) {
            return is_written_.begin() + static_cast<std::ptrdiff_t>(element - begin_);
        };
        std::fill(at(begin / element_bytes_), at((end - 1) / element_bytes_ + 1), true);
    });
    if (writers_.empty()) return;
    for_each_lane(trace, record, [&](std::uint32_t lane, std::uint64_t offset) {
        const std::uint32_t self = is_update(site) ? kUpdates : writer_number(trace, segment, lane);
        const std::uint64_t last = (offset + site.width_bytes - 1) / element_bytes_;
        for (std::uint64_t i = offset / element_bytes_; i <= last; ++i) {
            std::uint32_t& writer = writers_[i - begin_];
            writer = writer == kNobody || writer == self ? self : kSeveral;
        }
    });
}

}  // namespace tilereel::runtime
