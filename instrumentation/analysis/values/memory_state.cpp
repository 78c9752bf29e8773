#include "instrumentation/analysis/values/memory_state.h"

#include <algorithm>

#include "instrumentation/analysis/values/warp_registers.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

bool stores_to_shared(const Trace& trace, const Site& site) {
    return writes(site.operation) && trace.arrays[site.array].space == Space::kShared;
}

}  // namespace

SharedState::SharedState(const Trace& trace)
    : trace_(trace), words_((trace.launch.shared_bytes + 3) / 4) {}

void SharedState::begin_epoch(std::size_t first, std::size_t last) {
    ++epochs_;
    several_.clear();
    const Segments& segments = trace_.segments;
    for (std::size_t segment = first; segment < last; ++segment)
        for (const std::uint64_t record : records_of(segments, segment)) {
            const Site& site = site_at(trace_, record);
            if (!stores_to_shared(trace_, site)) continue;
            for_each_moved_word(trace_, record,
                                [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                                    announce(offset / 4, site, record, segments.warp[segment]);
                                });
        }
}

void SharedState::announce(std::uint32_t at, const Site& site, std::uint64_t record,
                           std::uint16_t warp) {
    dcheck(record < trace_.records.size());
    Word& word = words_[at];
    const bool copied = is_copy(site.operation);
    if (word.epoch != epochs_) {
        word.epoch = epochs_;
        word.warp = warp;
        word.copied = copied;
        word.several = false;
    } else if (!word.several &&
               (copied || word.copied || word.warp != warp || word.record == record)) {
        word.several = true;
        several_.push_back(at);
    }
    word.record = record;
}

void SharedState::end_epoch() {
    for (const std::uint32_t at : several_) words_[at].known = false;
}

void SharedState::store(std::uint32_t at, float value) {
    Word& word = words_[at];
    word.block = block_;
    word.value = value;
    word.known = true;
}

SharedState::Content SharedState::load(std::uint32_t at, std::uint16_t warp) const {
    const Word& word = words_[at];
    if (word.block != block_ || !word.known) return {};
    const bool certain =
        word.epoch != epochs_ || (!word.several && !word.copied && word.warp == warp);
    return {word.value, certain};
}

// Calls visit(segment, lane, element) for each element of C that is stored.
template <class Visit>
void for_each_stored_element(const Trace& trace, Visit&& visit) {
    const Segments& segments = trace.segments;
    for (std::size_t segment = 0; segment < segments.size(); ++segment)
        for (const std::uint64_t record : records_of(segments, segment)) {
            const Site& site = site_at(trace, record);
            if (!writes(site.operation) || site.array != matrices_of(trace).c) continue;
            const Array& c = trace.arrays[site.array];
            const std::uint32_t size = std::max(c.element_bytes, 1u);
            const LaneOffsets lanes = lane_offsets(trace, record);
            for (const std::uint32_t lane : lanes_in(lanes.mask)) {
                for (std::uint32_t byte = 0; byte < site.width_bytes; byte += size) {
                    const ElementPlace at = c.place_of((lanes.bytes[lane] + byte) / size);
                    if (at.row < c.rows && at.column < c.columns)
                        visit(segment, lane, std::size_t{at.row} * c.columns + at.column);
                }
            }
        }
}

std::vector<bool> stored_elements(const Trace& trace) {
    std::vector<bool> stored(matrix_of(trace, MatrixRole::kC).size());
    if (stored.empty()) return stored;
    for_each_stored_element(
        trace, [&](std::size_t, std::uint32_t, std::size_t element) { stored[element] = true; });
    return stored;
}

ProductState::ProductState(const Trace& trace)
    : values_(matrix_of(trace, MatrixRole::kFirstC).copy()) {
    const std::size_t elements = matrix_of(trace, MatrixRole::kC).size();
    values_.resize(elements);
    storing_thread_.assign(elements, kNobody);
    for_each_stored_element(trace,
                            [&](std::size_t segment, std::uint32_t lane, std::size_t element) {
                                std::uint64_t& by = storing_thread_[element];
                                const std::uint64_t thread = thread_of_launch(trace, segment, lane);
                                by = by == kNobody || by == thread ? thread : kSeveral;
                            });
}

void ProductState::store(std::size_t element, float value) {
    values_[element] = value;
    if (storing_thread_[element] != kSeveral) return;
    std::vector<float>& stored = candidates_[element];
    const auto same = [value](float other) { return same_value(value, other); };
    if (std::ranges::none_of(stored, same)) stored.push_back(value);
}

SharedState::Content ProductState::load(std::uint64_t thread, std::size_t element) const {
    const std::uint64_t by = storing_thread_[element];
    return {values_[element], by == kNobody || by == thread};
}

bool ProductState::may_end_as(std::size_t element, float value) const {
    if (storing_thread_[element] != kSeveral) return same_value(values_[element], value);
    return std::ranges::any_of(candidates_.at(element),
                               [value](float other) { return same_value(value, other); });
}

}  // namespace tilereel
