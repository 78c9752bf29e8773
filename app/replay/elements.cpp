#include "app/replay/elements.h"

#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

BlockRecords records_of_block(const Trace& trace, std::uint32_t block) {
    BlockRecords result;
    result.segments = segments_of_block(trace, block);
    if (result.segments.first >= result.segments.last) return result;
    result.first = trace.segments.record_begin[result.segments.first];
    result.last = trace.segments.record_begin[result.segments.last];
    result.value_begin.reserve(result.last - result.first);
    for (std::size_t segment = result.segments.first; segment < result.segments.last; ++segment) {
        std::uint64_t value = trace.segments.value_begin[segment];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            result.value_begin.push_back(value);
            if (has_values(trace, record)) value += value_count(trace, record);
        }
    }
    return result;
}

std::span<const std::uint32_t> words_of_record(const Trace& trace, const BlockRecords& records,
                                               std::uint64_t record) {
    dcheck(record < trace.records.size());
    if (!has_values(trace, record)) return {};
    return std::span(trace.words)
        .subspan(records.value_begin[record - records.first], value_count(trace, record));
}

}  // namespace tilereel
