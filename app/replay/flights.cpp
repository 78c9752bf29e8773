#include "app/replay/flights.h"

#include <deque>

namespace tilereel {
namespace {

// One 4-byte word that the lanes of a request moved.
struct WarpWord {
    std::uint32_t step = 0;
    std::uint32_t epoch = 0;
    std::uint32_t mask = 0;  // lanes not paired yet
    std::array<std::uint32_t, kWarpSize> offset{};
    std::array<std::uint32_t, kWarpSize> bits{};    // of the value: -0 and NaN are values too
    std::array<std::uint32_t, kWarpSize> stored{};  // stores: Flight::stored_word
};

// The lanes of `loaded` that hold what the same lane of `stored` holds, both unpaired.
std::uint32_t agreeing(const WarpWord& loaded, const WarpWord& stored) {
    std::uint32_t agree = 0;
    for (std::uint32_t mask = loaded.mask & stored.mask; mask != 0; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        if (loaded.bits[lane] == stored.bits[lane]) agree |= 1u << lane;
    }
    return agree;
}

class FlightFinder {
  public:
    FlightFinder(const Trace& trace, const BlockRecords& records, const Schedule& schedule)
        : trace_(trace), records_(records), schedule_(schedule) {}

    // Steps of one warp come in its program order, whatever the other warps do between them.
    std::vector<Flight> run() {
        if (!stores_to_shared()) return {};
        for (std::uint32_t index = 0; index < schedule_.steps.size(); ++index) {
            const Step& step = schedule_.steps[index];
            const Site& site = trace_.sites[step.site];
            const bool shared = trace_.arrays[site.array].space == Space::kShared;
            if (step.warp >= loaded_.size()) loaded_.resize(step.warp + std::size_t{1});
            if (!shared && site.operation == Operation::kLoad)
                for (const WarpWord& word : words_moved(index)) loaded_[step.warp].push_back(word);
            if (!shared || site.operation != Operation::kStore) continue;
            for (WarpWord& word : words_moved(index)) {
                words_stored_ += static_cast<std::uint32_t>(std::popcount(word.mask));
                pair(loaded_[step.warp], word);
            }
        }
        std::ranges::stable_sort(flights_, {}, &Flight::depart);
        return std::move(flights_);
    }

  private:
    [[nodiscard]] bool stores_to_shared() const {
        return std::ranges::any_of(trace_.sites, [&](const Site& site) {
            return site.operation == Operation::kStore && accesses(trace_, site) &&
                   trace_.arrays[site.array].space == Space::kShared;
        });
    }

    std::vector<WarpWord> words_moved(std::uint32_t index) const {
        const Step& step = schedule_.steps[index];
        const Site& site = trace_.sites[step.site];
        const std::span<const float> values = values_of(trace_, records_, step.record);
        std::vector<WarpWord> words(words_of(site));
        std::size_t next = 0;
        std::uint32_t stored = words_stored_;
        for_each_word(lane_offsets(trace_, step.record), words_of(site),
                      [&](std::uint32_t lane, std::uint32_t word, std::uint32_t offset) {
                          words[word].stored[lane] = stored++;
                          const bool kept = next < values.size();
                          const float value =
                              kept ? values[next++] : input_value(trace_, site.array, offset);
                          words[word].step = index;
                          words[word].epoch = step.epoch;
                          words[word].mask |= 1u << lane;
                          words[word].offset[lane] = offset;
                          words[word].bits[lane] = std::bit_cast<std::uint32_t>(value);
                      });
        return words;
    }

    // Loads of this epoch are asked before those left over from the one before.
    void pair(std::deque<WarpWord>& loaded, WarpWord& stored) {
        while (!loaded.empty() && loaded.front().epoch + 1 < stored.epoch) loaded.pop_front();
        const auto first_of_epoch = std::ranges::find_if(
            loaded, [&](const WarpWord& word) { return word.epoch == stored.epoch; });
        const std::array<std::pair<decltype(loaded.begin()), decltype(loaded.begin())>, 2> parts{
            {{first_of_epoch, loaded.end()}, {loaded.begin(), first_of_epoch}}};
        bool whole = false;
        for (const auto& [first, last] : parts)
            for (auto word = first; word != last; ++word) {
                const std::uint32_t agree = agreeing(*word, stored);
                if (agree == 0 || agree != word->mask) continue;
                add(*word, stored, agree);
                whole = true;
            }
        if (!whole)
            for (const auto& [first, last] : parts)
                for (auto word = first; word != last; ++word)
                    add(*word, stored, agreeing(*word, stored));
        std::erase_if(loaded, [](const WarpWord& word) { return word.mask == 0; });
    }

    void add(WarpWord& loaded, WarpWord& stored, std::uint32_t lanes) {
        loaded.mask &= ~lanes;
        stored.mask &= ~lanes;
        for (std::uint32_t mask = lanes; mask != 0; mask &= mask - 1) {
            const int lane = std::countr_zero(mask);
            Flight flight;
            flight.load_step = loaded.step;
            flight.store_step = stored.step;
            flight.stored_word = stored.stored[lane];
            flight.depart = schedule_.steps[loaded.step].begin;
            flight.land = schedule_.steps[stored.step].end();
            flight.from = trace_.sites[schedule_.steps[loaded.step].site].array;
            flight.to = trace_.sites[schedule_.steps[stored.step].site].array;
            const Element from = element_at(trace_.arrays[flight.from], loaded.offset[lane]);
            const Element to = element_at(trace_.arrays[flight.to], stored.offset[lane]);
            flight.from_row = from.row;
            flight.from_column = from.column;
            flight.to_row = to.row;
            flight.to_column = to.column;
            flight.lane = static_cast<std::uint8_t>(lane);
            flight.value = std::bit_cast<float>(loaded.bits[lane]);
            flights_.push_back(flight);
        }
    }

    const Trace& trace_;
    const BlockRecords& records_;
    const Schedule& schedule_;
    std::vector<std::deque<WarpWord>> loaded_;  // per warp, oldest first
    std::uint32_t words_stored_ = 0;            // to shared memory, by the steps so far
    std::vector<Flight> flights_;
};

}  // namespace

float input_value(const Trace& trace, ArrayId array, std::uint32_t offset) {
    const std::vector<float>* input = array == kArrayA   ? &trace.a
                                      : array == kArrayB ? &trace.b
                                                         : nullptr;
    if (input == nullptr || offset / 4 >= input->size())
        return std::numeric_limits<float>::quiet_NaN();
    return (*input)[offset / 4];
}

std::vector<Flight> find_flights(const Trace& trace, const BlockRecords& records,
                                 const Schedule& schedule) {
    return FlightFinder(trace, records, schedule).run();
}

}  // namespace tilereel
