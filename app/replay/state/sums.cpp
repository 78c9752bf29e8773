#include "app/replay/state/sums.h"

#include <cmath>
#include <optional>
#include <unordered_map>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

struct StoredElement {
    Element at;
    float value = 0.0f;  // as last stored
};

// The elements of C that a thread stored, and the final values of its accumulators.
struct ThreadSums {
    std::vector<StoredElement> stored;                     // in order of the first store
    std::unordered_map<std::uint64_t, std::size_t> place;  // of an element in `stored`
    std::vector<std::optional<float>> final;               // by accumulator
    std::vector<std::uint32_t> adds;                       // by accumulator: its multiply-adds

    void store(Element at, float value) {
        const auto [known, is_new] =
            place.try_emplace(std::uint64_t{at.row} << 32 | at.column, stored.size());
        if (is_new)
            stored.push_back({at, value});
        else
            stored[known->second].value = value;
    }
    void add(std::uint32_t accumulator, std::optional<float> value) {
        if (accumulator >= adds.size()) {
            adds.resize(accumulator + std::size_t{1});
            final.resize(adds.size());
        }
        ++adds[accumulator];
        if (value) final[accumulator] = value;
    }
    // The numbers of the accumulators that are sums over K, ascending. One with fewer than
    // half the multiply-adds of another is not: alpha * sum + beta * C is a multiply-add, too.
    [[nodiscard]] std::vector<std::uint32_t> used_accumulators() const {
        std::vector<std::uint32_t> numbers;
        const std::uint32_t most = adds.empty() ? 0 : std::ranges::max(adds);
        for (std::uint32_t i = 0; i < adds.size(); ++i)
            if (adds[i] > 0 && 2 * adds[i] >= most) numbers.push_back(i);
        return numbers;
    }
};

// Calls store(record, thread, element, value) for each store to C and add(record, thread,
// accumulator, value) for each multiply-add of a block, in each thread's program order.
template <class Store, class Add>
void visit_sums(const Trace& trace, const BlockRecords& records, Store&& store, Add&& add) {
    const Segments& segments = trace.segments;
    for (std::size_t segment = records.segments.first; segment < records.segments.last; ++segment)
        for (const std::uint64_t record : records_of(segments, segment)) {
            const Site& site = site_at(trace, record);
            const bool stores =
                site.operation == Operation::kStore && site.array == matrices_of(trace).c;
            if (!stores && site.operation != Operation::kMultiplyAdd) continue;
            const LaneOffsets lanes = lane_offsets(trace, record);
            const std::uint32_t first = std::uint32_t{segments.warp[segment]} * kWarpSize;
            const auto words = words_of_record(trace, records, record);
            if (stores) {
                const Array& c = trace.arrays[site.array];
                const KeptNumbers numbers(words, c.type, site.width_bytes);
                for_each_element(lanes, c, site.width_bytes,
                                 [&](std::uint32_t lane, std::uint32_t value, Element at) {
                                     const double number =
                                         numbers.at(lane_index(lanes, lane), value).value_or(0);
                                     store(record, first + lane, at, static_cast<float>(number));
                                 });
                continue;
            }
            const KeptNumbers numbers(words, type_of_sum(trace, site), site.width_bytes);
            for_each_word(lanes, 1,
                          [&](std::uint32_t lane, std::uint32_t, std::uint32_t accumulator) {
                              std::optional<float> value;
                              if (const auto number = numbers.at(lane_index(lanes, lane), 0))
                                  value = static_cast<float>(*number);
                              add(record, first + lane, accumulator, value);
                          });
        }
}

// Pairs the accumulators of a thread with the elements that it stored.
class Matcher {
  public:
    explicit Matcher(const ThreadSums& sums)
        : sums_(sums),
          used_(sums.used_accumulators()),
          accumulator_of_(sums.stored.size(), kNoElement) {}

    // Per stored element: its accumulator, or kNoElement.
    [[nodiscard]] const std::vector<std::uint32_t>& match() {
        const bool same_count = used_.size() == sums_.stored.size();
        if (same_count && in_order_agrees()) return match_in_order();
        const bool all_found = match_by_value();
        return same_count && !all_found ? match_in_order() : accumulator_of_;
    }

  private:
    [[nodiscard]] bool agrees(std::uint32_t accumulator, const StoredElement& stored) const {
        if (!sums_.final[accumulator].has_value()) return false;
        const float final = *sums_.final[accumulator];
        return final == stored.value || (std::isnan(final) && std::isnan(stored.value));
    }
    [[nodiscard]] bool in_order_agrees() const {
        for (std::size_t i = 0; i < sums_.stored.size(); ++i)
            if (!agrees(used_[i], sums_.stored[i])) return false;
        return true;
    }
    const std::vector<std::uint32_t>& match_in_order() {
        accumulator_of_ = used_;
        return accumulator_of_;
    }
    bool match_by_value() {
        std::vector<std::uint32_t> left = used_;
        bool all = true;
        for (std::size_t i = 0; i < sums_.stored.size(); ++i) {
            const auto found = std::ranges::find_if(left, [&](std::uint32_t accumulator) {
                return agrees(accumulator, sums_.stored[i]);
            });
            all = all && found != left.end();
            if (found == left.end()) continue;
            accumulator_of_[i] = *found;
            left.erase(found);
        }
        return all;
    }

    const ThreadSums& sums_;
    std::vector<std::uint32_t> used_;
    std::vector<std::uint32_t> accumulator_of_;
};

// Writes the element of C of each accumulator into `element`.
void name_elements(const SumMap& map, const ThreadSums& sums, std::span<std::uint32_t> element) {
    Matcher matcher(sums);
    const std::vector<std::uint32_t>& accumulators = matcher.match();
    for (std::size_t i = 0; i < sums.stored.size(); ++i)
        if (accumulators[i] < element.size())
            element[accumulators[i]] = map.index(sums.stored[i].at);
}

// The rounds of the threads that have fewer accumulators than elements.
class RoundFinder {
  public:
    RoundFinder(const Trace& trace, const BlockRecords& records, SumMap& map)
        : trace_(trace), records_(records), map_(map), open_(map.rounds.size()) {}

    void run(const std::vector<bool>& has_rounds) {
        visit_sums(
            trace_, records_,
            [&](std::uint64_t record, std::uint32_t thread, Element at, float value) {
                if (thread >= open_.size() || !has_rounds[thread]) return;
                open_[thread].sums.store(at, value);
                open_[thread].end = record + 1;
            },
            [&](std::uint64_t, std::uint32_t thread, std::uint32_t accumulator,
                std::optional<float> value) {
                if (thread >= open_.size() || !has_rounds[thread] ||
                    accumulator >= map_.accumulators)
                    return;
                if (!open_[thread].sums.stored.empty()) close(thread);
                open_[thread].sums.add(accumulator, value);
            });
        for (std::uint32_t thread = 0; thread < open_.size(); ++thread)
            if (!open_[thread].sums.stored.empty()) close(thread);
    }

  private:
    struct Open {
        ThreadSums sums;
        std::uint64_t end = 0;
    };
    void close(std::uint32_t thread) {
        SumMap::Round round{open_[thread].end,
                            std::vector<std::uint32_t>(map_.accumulators, kNoElement)};
        name_elements(map_, open_[thread].sums, round.element);
        map_.rounds[thread].push_back(std::move(round));
        open_[thread] = {};
    }

    const Trace& trace_;
    const BlockRecords& records_;
    SumMap& map_;
    std::vector<Open> open_;  // by thread
};

}  // namespace

SumMap map_sums(const Trace& trace, const BlockRecords& records) {
    SumMap map;
    map.accumulators = std::max(trace.accumulators, 1u);
    std::vector<ThreadSums> threads(std::size_t{trace.launch.warps()} * kWarpSize);
    visit_sums(
        trace, records,
        [&](std::uint64_t, std::uint32_t thread, Element at, float value) {
            include(map.c_rect, at);
            if (thread < threads.size()) threads[thread].store(at, value);
        },
        [&](std::uint64_t, std::uint32_t thread, std::uint32_t accumulator,
            std::optional<float> value) {
            if (thread < threads.size() && accumulator < map.accumulators)
                threads[thread].add(accumulator, value);
        });
    map.element.assign(threads.size() * map.accumulators, kNoElement);
    std::vector<bool> has_rounds(threads.size());
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
        const ThreadSums& sums = threads[thread];
        has_rounds[thread] = sums.stored.size() > sums.used_accumulators().size();
        if (!has_rounds[thread])
            name_elements(
                map, sums,
                std::span(map.element).subspan(thread * map.accumulators, map.accumulators));
    }
    if (std::ranges::find(has_rounds, true) == has_rounds.end()) return map;
    map.rounds.resize(threads.size());
    RoundFinder(trace, records, map).run(has_rounds);
    return map;
}

}  // namespace tilereel
