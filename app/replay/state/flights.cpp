#include "app/replay/state/flights.h"

#include <unordered_map>

#include "app/replay/state/element_text.h"
#include "instrumentation/analysis/phases/copied_loads.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

// One 4-byte word of each lane of a request: its value and its offset.
struct MovedWord {
    std::uint32_t step = 0;
    WarpWord word;
    std::array<std::uint32_t, kWarpSize> offset{};
    std::array<std::uint32_t, kWarpSize> stored{};  // stores: Flight::stored_word
};

class FlightFinder {
  public:
    FlightFinder(const Trace& trace, const BlockRecords& records, const Schedule& schedule,
                 const LoadedWords& loaded)
        : trace_(trace), records_(records), schedule_(schedule), in_memory_(loaded) {}

    std::vector<Flight> run() {
        if (!stores_to_shared()) return {};
        find();
        // Then stores of a constant 0 were taken for copies: the search is repeated without them.
        if (sites_.contradicted()) {
            loaded_.clear();
            copied_.clear();
            flights_.clear();
            words_stored_ = 0;
            sites_known_ = true;
            find();
        }
        std::ranges::stable_sort(flights_, {}, &Flight::depart);
        return std::move(flights_);
    }

  private:
    // The steps of each warp are in its program order.
    void find() {
        for (std::uint32_t index = 0; index < schedule_.steps.size(); ++index) {
            const Step& step = schedule_.steps[index];
            const Site& site = trace_.sites[step.site];
            const bool shared = trace_.arrays[site.array].space == Space::kShared;
            const bool global = trace_.arrays[site.array].space == Space::kGlobal;
            if (step.warp >= copied_.size()) copied_.resize(step.warp + std::size_t{1});
            if (global && site.operation == Operation::kLoad)
                for (MovedWord& moved : words_moved(index)) {
                    moved.word.tag = static_cast<std::uint32_t>(loaded_.size());
                    copied_[step.warp].load(step.epoch, moved.word);
                    loaded_.push_back(moved);
                }
            if (site.operation == Operation::kCopyLoad) copies_[step.record] = index;
            if (site.operation == Operation::kCopyStore && brings_zeros(trace_, step.record))
                for (const MovedWord& zeros : words_moved(index))
                    words_stored_ += static_cast<std::uint32_t>(std::popcount(zeros.word.mask));
            else if (site.operation == Operation::kCopyStore)
                add_copy(index);
            if (shared && site.operation == Operation::kAtomic)
                words_stored_ += static_cast<std::uint32_t>(
                                     std::popcount(lane_offsets(trace_, step.record).mask)) *
                                 site.words();
            if (shared && site.operation == Operation::kStore)
                for (const MovedWord& stored : words_moved(index)) {
                    words_stored_ += static_cast<std::uint32_t>(std::popcount(stored.word.mask));
                    copied_[step.warp].store(
                        step.epoch, stored.word,
                        [&](std::uint32_t tag, std::uint32_t lane) {
                            add(loaded_[tag], stored, lane);
                        },
                        [&](std::uint32_t tag) {
                            return !sites_known_ ||
                                   sites_.may_copy(site_of_step(loaded_[tag].step), step.site);
                        });
                }
            if (is_multiplied(index)) copied_[step.warp].multiply_add();
        }
    }

    [[nodiscard]] SiteId site_of_step(std::uint32_t step) const {
        return schedule_.steps[step].site;
    }

    [[nodiscard]] bool stores_to_shared() const {
        return std::ranges::any_of(trace_.sites, [&](const Site& site) {
            return writes(site.operation) && accesses(trace_, site) &&
                   trace_.arrays[site.array].space == Space::kShared;
        });
    }

    // Whether the warp multiplies when this step is over.
    [[nodiscard]] bool is_multiplied(std::uint32_t index) const {
        for (std::uint64_t record = schedule_.deferred_begin[index];
             record < schedule_.deferred_end[index]; ++record)
            if (site_at(trace_, record).operation == Operation::kMultiplyAdd) return true;
        return false;
    }

    std::vector<MovedWord> words_moved(std::uint32_t index) const {
        const Step& step = schedule_.steps[index];
        const Site& site = trace_.sites[step.site];
        const std::span<const std::uint32_t> values =
            words_of_record(trace_, records_, step.record);
        std::vector<MovedWord> words(words_of(site));
        std::size_t next = 0;
        std::uint32_t stored = words_stored_;
        for_each_word(lane_offsets(trace_, step.record), words_of(site),
                      [&](std::uint32_t lane, std::uint32_t number, std::uint32_t offset) {
                          words[number].stored[lane] = stored++;
                          const bool kept = next < values.size();
                          const std::uint32_t value =
                              kept ? values[next++]
                                   : in_memory_.at(site, offset, index).value_or(kUnknownWord);
                          MovedWord& moved = words[number];
                          moved.step = index;
                          moved.word.mask |= 1u << lane;
                          moved.word.bits[lane] = value;
                          moved.offset[lane] = offset;
                      });
        return words;
    }

    // Adds the flights of a copy that arrives in this step; its record names their source.
    void add_copy(std::uint32_t index) {
        const std::uint64_t load = schedule_.steps[index].record - 1;
        const std::vector<MovedWord> loaded = words_moved(copies_.at(load));
        const std::vector<MovedWord> stored = words_moved(index);
        for (std::size_t word = 0; word < stored.size(); ++word) {
            words_stored_ += static_cast<std::uint32_t>(std::popcount(stored[word].word.mask));
            for (std::uint32_t left = stored[word].word.mask; left != 0; left &= left - 1)
                add(loaded[word], stored[word], static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    }

    // A word of several narrow values, such as a half2, is several cells: one flight each.
    void add(const MovedWord& loaded, const MovedWord& stored, std::uint32_t lane) {
        dcheck(lane < kWarpSize);
        const Site& site = trace_.sites[site_of_step(loaded.step)];
        const std::uint32_t moved = std::min<std::uint32_t>(site.width_bytes, 4);
        const std::uint32_t value = std::min(
            {value_bytes(trace_.arrays[site.array]),
             value_bytes(trace_.arrays[trace_.sites[site_of_step(stored.step)].array]), moved});
        for (std::uint32_t byte = 0; byte < moved; byte += value)
            add_value(loaded, stored, lane, byte);
        if (!sites_known_)
            sites_.note(site_of_step(loaded.step), site_of_step(stored.step),
                        loaded.word.bits[lane]);
    }

    // The value that begins at `byte` of the word.
    void add_value(const MovedWord& loaded, const MovedWord& stored, std::uint32_t lane,
                   std::uint32_t byte) {
        dcheck(lane < kWarpSize);
        Flight flight;
        flight.load_step = loaded.step;
        flight.store_step = stored.step;
        flight.stored_word = stored.stored[lane];
        flight.depart = schedule_.steps[loaded.step].begin;
        flight.land = schedule_.steps[stored.step].end();
        flight.from = trace_.sites[schedule_.steps[loaded.step].site].array;
        flight.to = trace_.sites[schedule_.steps[stored.step].site].array;
        flight.from_bytes = loaded.offset[lane] + byte;
        flight.to_bytes = stored.offset[lane] + byte;
        const Element from = element_at(trace_.arrays[flight.from], flight.from_bytes);
        const Element to = element_at(trace_.arrays[flight.to], flight.to_bytes);
        flight.from_row = from.row;
        flight.from_column = from.column;
        flight.to_row = to.row;
        flight.to_column = to.column;
        flight.lane = static_cast<std::uint8_t>(lane);
        flight.value = value_of(loaded, lane, byte);
        flights_.push_back(flight);
    }

    // A value wider than a word is taken from the array's content before the launch.
    [[nodiscard]] float value_of(const MovedWord& loaded, std::uint32_t lane,
                                 std::uint32_t byte) const {
        dcheck(lane < kWarpSize);
        const Array& array = trace_.arrays[trace_.sites[site_of_step(loaded.step)].array];
        const ElementType type = array.type_at(loaded.offset[lane] + byte);
        const std::uint32_t size = value_bytes(array);
        if (size <= 4) {
            const std::uint32_t bits = loaded.word.bits[lane] >> 8 * byte;
            return static_cast<float>(number_of(type, std::as_bytes(std::span(&bits, 1))));
        }
        const std::span<const std::byte> content = array.first_bytes;
        const std::size_t begin = loaded.offset[lane] / size * std::size_t{size};
        if (begin + size > content.size()) return std::numeric_limits<float>::quiet_NaN();
        return static_cast<float>(number_of(type, content.subspan(begin, size)));
    }

    const Trace& trace_;
    const BlockRecords& records_;
    const Schedule& schedule_;
    const LoadedWords& in_memory_;
    std::vector<MovedWord> loaded_;                            // by tag
    std::vector<CopiedLoads> copied_;                          // by warp
    std::unordered_map<std::uint64_t, std::uint32_t> copies_;  // begun: step by record
    std::uint32_t words_stored_ = 0;  // to shared memory, by the steps so far
    CopyingSites sites_;
    bool sites_known_ = false;
    std::vector<Flight> flights_;
};

}  // namespace

std::vector<Flight> find_flights(const Trace& trace, const BlockRecords& records,
                                 const Schedule& schedule, const LoadedWords& loaded) {
    return FlightFinder(trace, records, schedule, loaded).run();
}

}  // namespace tilereel
