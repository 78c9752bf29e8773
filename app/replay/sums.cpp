#include "app/replay/sums.h"

#include <cmath>
#include <optional>

namespace tilereel {
namespace {

struct StoredElement {
    Element at;
    float value = 0.0f;  // as last stored
};
struct ThreadSums {
    std::vector<StoredElement> stored;  // in order of the first store
    std::vector<std::uint32_t> used;    // accumulators that got a multiply-add, ascending
};

// What every thread of the block stored to C, and what its accumulators held in the end.
struct Gathered {
    CellRect c_rect;
    std::uint32_t accumulators = 1;
    std::vector<ThreadSums> threads;
    std::vector<std::optional<float>> final;  // [thread * accumulators + accumulator]
};

class Gatherer {
  public:
    Gatherer(const Trace& trace, const BlockRecords& records) : trace_(trace), records_(records) {
        result_.accumulators = std::max(trace.accumulators, 1u);
        result_.threads.resize(std::size_t{trace.launch.warps()} * kWarpSize);
        result_.final.resize(result_.threads.size() * result_.accumulators);
        used_.resize(result_.final.size());
    }

    Gathered run() {
        const Segments& segments = trace_.segments;
        for (std::size_t segment = records_.segments.first; segment < records_.segments.last;
             ++segment)
            for (std::uint64_t record = segments.record_begin[segment];
                 record < segments.record_begin[segment + 1]; ++record)
                read(record, std::uint32_t{segments.warp[segment]} * kWarpSize);
        for (std::size_t at = 0; at < used_.size(); ++at)
            if (used_[at])
                result_.threads[at / result_.accumulators].used.push_back(
                    static_cast<std::uint32_t>(at % result_.accumulators));
        return std::move(result_);
    }

  private:
    void read(std::uint64_t record, std::uint32_t first_thread) {
        const Site& site = trace_.sites[site_of(trace_, record)];
        if (site.operation == Operation::kStore && site.array == kArrayC)
            read_store(record, words_of(site), first_thread);
        else if (site.operation == Operation::kMultiplyAdd)
            read_multiply_add(record, first_thread);
    }

    void read_store(std::uint64_t record, std::uint32_t words, std::uint32_t first_thread) {
        const std::span<const float> values = values_of(trace_, records_, record);
        std::size_t next = 0;
        for_each_word(lane_offsets(trace_, record), words,
                      [&](std::uint32_t lane, std::uint32_t, std::uint32_t offset) {
                          const float value = next < values.size() ? values[next++] : 0.0f;
                          const Element at = element_at(trace_.arrays[kArrayC], offset);
                          include(result_.c_rect, at);
                          if (first_thread + lane >= result_.threads.size()) return;
                          std::vector<StoredElement>& stored =
                              result_.threads[first_thread + lane].stored;
                          const auto known = std::ranges::find(stored, at, &StoredElement::at);
                          if (known == stored.end())
                              stored.push_back({at, value});
                          else
                              known->value = value;
                      });
    }

    void read_multiply_add(std::uint64_t record, std::uint32_t first_thread) {
        const std::span<const float> values = values_of(trace_, records_, record);
        std::size_t next = 0;
        for_each_word(lane_offsets(trace_, record), 1,
                      [&](std::uint32_t lane, std::uint32_t, std::uint32_t accumulator) {
                          const std::size_t at =
                              std::size_t{first_thread + lane} * result_.accumulators + accumulator;
                          if (accumulator >= result_.accumulators || at >= used_.size()) return;
                          used_[at] = true;
                          if (next < values.size()) result_.final[at] = values[next++];
                      });
    }

    const Trace& trace_;
    const BlockRecords& records_;
    Gathered result_;
    std::vector<bool> used_;
};

// Pairs the accumulators of one thread with the elements it stored.
class Matcher {
  public:
    Matcher(const Gathered& gathered, std::size_t thread)
        : sums_(gathered.threads[thread]),
          final_(std::span(gathered.final)
                     .subspan(thread * gathered.accumulators, gathered.accumulators)),
          accumulator_of_(sums_.stored.size(), kNoElement) {}

    // Per stored element: its accumulator, or kNoElement.
    [[nodiscard]] const std::vector<std::uint32_t>& match() {
        const bool same_count = sums_.used.size() == sums_.stored.size();
        if (same_count && in_order_agrees()) return match_in_order();
        const bool all_found = match_by_value();
        return same_count && !all_found ? match_in_order() : accumulator_of_;
    }

  private:
    [[nodiscard]] bool agrees(std::uint32_t accumulator, const StoredElement& stored) const {
        if (!final_[accumulator].has_value()) return false;
        const float final = *final_[accumulator];
        return final == stored.value || (std::isnan(final) && std::isnan(stored.value));
    }
    [[nodiscard]] bool in_order_agrees() const {
        for (std::size_t i = 0; i < sums_.stored.size(); ++i)
            if (!agrees(sums_.used[i], sums_.stored[i])) return false;
        return true;
    }
    const std::vector<std::uint32_t>& match_in_order() {
        accumulator_of_ = sums_.used;
        return accumulator_of_;
    }
    bool match_by_value() {
        std::vector<std::uint32_t> left = sums_.used;
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
    std::span<const std::optional<float>> final_;
    std::vector<std::uint32_t> accumulator_of_;
};

}  // namespace

SumMap map_sums(const Trace& trace, const BlockRecords& records) {
    const Gathered gathered = Gatherer(trace, records).run();
    SumMap map;
    map.c_rect = gathered.c_rect;
    map.accumulators = gathered.accumulators;
    map.element.assign(gathered.final.size(), kNoElement);
    for (std::size_t thread = 0; thread < gathered.threads.size(); ++thread) {
        const std::vector<StoredElement>& stored = gathered.threads[thread].stored;
        if (stored.empty()) continue;
        Matcher matcher(gathered, thread);
        const std::vector<std::uint32_t>& accumulators = matcher.match();
        for (std::size_t i = 0; i < stored.size(); ++i)
            if (accumulators[i] != kNoElement)
                map.element[thread * map.accumulators + accumulators[i]] = map.index(stored[i].at);
    }
    return map;
}

}  // namespace tilereel
