#pragma once
// Compares two traces of one kernel that were made independently, such as by the CPU and by a GPU.
// Line numbers may differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>
#include <tuple>
#include <vector>

#include "instrumentation/trace/trace.h"
#include "tests/trace/matrix_values.h"

namespace tilereel {

// A record with all its properties. Lines are counted from the first one with a record.
struct Event {
    std::size_t line = 0;
    Operation operation = Operation::kLoad;
    ArrayId array = kNoArray;
    std::uint32_t width_bytes = 0, mask = 0;
    std::array<std::uint32_t, kWarpSize> bytes{};
    std::vector<std::uint32_t> words{};
    bool operator==(const Event&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Event& event) {
        out << "line " << event.line << " operation " << static_cast<int>(event.operation)
            << " array " << event.array << " width " << event.width_bytes << " lanes " << std::hex
            << event.mask << std::dec;
        for (const std::uint32_t offset : event.bytes) out << " " << offset;
        out << ", " << event.words.size() << " words";
        for (const std::uint32_t word : event.words) out << " " << word;
        return out;
    }
};

inline std::vector<Event> events_of(const Trace& trace) {
    std::set<std::uint32_t> lines;
    for (const tilereel::Site& site : trace.sites) lines.insert(site.line);
    std::map<std::uint32_t, std::size_t> number;
    for (const std::uint32_t line : lines) number.emplace(line, number.size());
    std::vector<Event> events;
    std::size_t word = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const tilereel::Site& site = site_at(trace, i);
        const LaneOffsets lanes = lane_offsets(trace, i);
        Event& event = events.emplace_back(Event{.line = number.at(site.line),
                                                 .operation = site.operation,
                                                 .array = site.array,
                                                 .width_bytes = site.width_bytes,
                                                 .mask = lanes.mask,
                                                 .bytes = lanes.bytes});
        const std::size_t count = has_values(trace, i) ? value_count(trace, i) : 0;
        for (std::size_t k = 0; k < count; ++k) event.words.push_back(trace.words[word + k]);
        word += count;
    }
    return events;
}

// The events, with the records of each TMA copy merged, so that it does not matter into which
// pieces a recorder split it. The event before the copy gets three words for each element, in the
// order of shared memory: its offset there, its value, and 1 + its index in the matrix (0: none).
inline std::vector<Event> with_whole_boxes(const Trace& trace) {
    std::vector<Event> events;
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> box;
    std::vector<std::uint32_t> from;  // byte offsets of the load before the store
    ArrayId matrix = kNoArray;
    for (const Event& event : events_of(trace)) {
        if (event.operation == Operation::kCopyLoad) {
            from.assign(event.bytes.begin(), event.bytes.end());
            matrix = event.array;
            continue;
        }
        if (event.operation == Operation::kCopyStore) {
            const std::uint32_t each = event.width_bytes / 4;
            std::size_t word = 0;
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
                if ((event.mask >> lane & 1) == 0) continue;
                for (std::uint32_t i = 0; i < each; ++i) {
                    std::uint32_t element = 0;
                    if (!from.empty()) {
                        const Array& array = trace.arrays[matrix];
                        const ElementPlace place = array.place_of(from[lane] / 4 + i);
                        element = place.row * array.columns + place.column + 1;
                    }
                    box.emplace_back(event.bytes[lane] + 4 * i, event.words[word++], element);
                }
            }
            from.clear();
            continue;
        }
        if (!box.empty()) {
            std::ranges::sort(box);
            for (const auto& [to, value, element] : box)
                for (const std::uint32_t each : {to, value, element})
                    events.back().words.push_back(each);
            box.clear();
        }
        events.push_back(event);
    }
    return events;
}

// nvcc may reorder the loads of one statement. Therefore consecutive loads of a line are sorted.
inline std::vector<Event> with_sorted_loads(std::vector<Event> events) {
    const auto is_load = [](const Event& event) { return event.operation == Operation::kLoad; };
    for (std::size_t begin = 0; begin < events.size();) {
        std::size_t end = begin + 1;
        while (is_load(events[begin]) && end < events.size() && is_load(events[end]) &&
               events[end].line == events[begin].line && events[end].mask == events[begin].mask)
            ++end;
        std::stable_sort(events.begin() + static_cast<std::ptrdiff_t>(begin),
                         events.begin() + static_cast<std::ptrdiff_t>(end),
                         [](const Event& one, const Event& other) {
                             return std::tuple(one.array, one.bytes) <
                                    std::tuple(other.array, other.bytes);
                         });
        begin = end;
    }
    return events;
}

// Removes the values of multiply-adds.
inline void leave_out_sums(std::vector<Event>& events) {
    for (Event& event : events)
        if (event.operation == Operation::kMultiplyAdd) event.words.clear();
}

// Splits runs of stores to one global array into lanes, sorted by address: if lanes diverge at the
// edge of a matrix, the recorders may join them differently afterwards.
inline std::vector<Event> with_stores_by_lane(const std::vector<Event>& events, ArrayId matrix) {
    std::vector<Event> result;
    std::vector<Event> run;
    const auto put_run = [&] {
        std::ranges::sort(run, {},
                          [](const Event& one) { return std::tuple(one.bytes, one.words); });
        result.insert(result.end(), run.begin(), run.end());
        run.clear();
    };
    for (const Event& event : events) {
        if (event.operation != Operation::kStore || event.array != matrix) {
            put_run();
            result.push_back(event);
            continue;
        }
        auto word = event.words.begin();
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
            if ((event.mask >> lane & 1) == 0) continue;
            Event& one = run.emplace_back(event);
            one.mask = 1u << lane;
            one.bytes = {event.bytes[lane]};
            one.words.assign(word, word + event.width_bytes / 4);
            word += event.width_bytes / 4;
        }
    }
    put_run();
    return result;
}

// The part of a ladder kernel's trace that a GPU and the CPU record equally. For a kernel with TMA
// copies, sums are left out if only some are kept: the CPU also keeps the last sums before each
// wait for a phase.
inline std::vector<Event> comparable_events(const Trace& trace) {
    const bool boxes = std::ranges::any_of(trace.sites, [](const tilereel::Site& site) {
        return site.operation == Operation::kStartBulkCopy;
    });
    if (!boxes) return with_sorted_loads(events_of(trace));
    constexpr ArrayId kProduct = 2;
    std::vector<Event> events =
        with_sorted_loads(with_stores_by_lane(with_whole_boxes(trace), kProduct));
    if (trace.accumulator_interval != 1) leave_out_sums(events);
    return events;
}

inline void expect_same_events(const std::vector<Event>& ours, const std::vector<Event>& theirs) {
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
        ASSERT_EQ(ours[i], theirs[i]) << "event " << i;
    EXPECT_EQ(ours.size(), theirs.size());
}

inline void expect_same_launch(const Trace& ours, const Trace& theirs) {
    EXPECT_EQ(ours.launch.grid, theirs.launch.grid);
    EXPECT_EQ(ours.launch.block, theirs.launch.block);
    for (const MatrixRole which : {MatrixRole::kA, MatrixRole::kB, MatrixRole::kC})
        EXPECT_EQ(values_of(ours, which), values_of(theirs, which));
    EXPECT_EQ(ours.segments.block, theirs.segments.block);
    EXPECT_EQ(ours.segments.epoch, theirs.segments.epoch);
    EXPECT_EQ(ours.segments.warp, theirs.segments.warp);
    EXPECT_EQ(ours.accumulators, theirs.accumulators);
    ASSERT_EQ(ours.arrays.size(), theirs.arrays.size());
    for (std::size_t i = 0; i < ours.arrays.size(); ++i) {
        const Array &a = ours.arrays[i], &b = theirs.arrays[i];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.space, b.space) << a.name;
        EXPECT_EQ(a.rows, b.rows) << a.name;
        EXPECT_EQ(a.columns, b.columns) << a.name;
        EXPECT_EQ(a.base_bytes, b.base_bytes) << a.name;
        EXPECT_EQ(a.outer_extents, b.outer_extents) << a.name;
    }
}

}  // namespace tilereel
