#pragma once
// The content of shared memory and of C while the records of a trace are visited in order. Content
// is unknown if two warps of a block access a word in one epoch, because their order is unknown.
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/thread_of_launch.h"
#include "instrumentation/trace/trace.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

// The shared memory of one block after another, word by word.
class SharedState {
  public:
    explicit SharedState(const Trace& trace);
    void begin_block() { ++block_; }
    // Notes all stores of the epoch's segments [first, last). Call it before visiting them.
    void begin_epoch(std::size_t first, std::size_t last);
    // Call it after the epoch: words that were stored in unknown order become unknown.
    void end_epoch();
    void store(std::uint32_t word, float value);
    struct Content {
        float value = 0;
        bool known = false;
    };
    [[nodiscard]] Content load(std::uint32_t word, std::uint16_t warp) const;

  private:
    struct Word {
        std::uint64_t block = 0;   // the last block that stores it; 0: none
        std::uint64_t epoch = 0;   // the last epoch that stores it; 0: none
        std::uint64_t record = 0;  // the last record of that epoch that stores it
        float value = 0;
        std::uint16_t warp = 0;  // the warp that stores it in that epoch
        bool copied = false;     // stored in that epoch by an asynchronous copy
        bool several = false;    // the order of the stores in that epoch is unknown
        bool known = false;
    };
    void announce(std::uint32_t at, const Site& site, std::uint64_t record, std::uint16_t warp);

    const Trace& trace_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> several_;  // words with Word::several in this epoch
    std::uint64_t block_ = 0, epochs_ = 0;
};

// The content of C during the whole launch.
class ProductState {
  public:
    explicit ProductState(const Trace& trace);
    void store(std::size_t element, float value);
    // Unknown if another thread stores the element anywhere in the launch.
    [[nodiscard]] SharedState::Content load(std::uint64_t thread, std::size_t element) const;
    // Whether the element may have this value after the launch.
    [[nodiscard]] bool may_end_as(std::size_t element, float value) const;

  private:
    static constexpr std::uint64_t kNobody = ~std::uint64_t{0}, kSeveral = kNobody - 1;
    std::vector<std::uint64_t> storing_thread_;  // by element, in the whole trace
    std::vector<float> values_;                  // at present
    // Values of elements that several threads store.
    std::unordered_map<std::size_t, std::vector<float>> candidates_;
};

// For each element of C: whether a record stores it.
[[nodiscard]] std::vector<bool> stored_elements(const Trace& trace);

// Calls visit(lane, word of the access, byte offset) for each 4-byte word that a record moves, in
// the order of its values.
template <class Visit>
void for_each_moved_word(const Trace& trace, std::uint64_t record, Visit&& visit) {
    dcheck(record < trace.records.size());
    const LaneOffsets lanes = lane_offsets(trace, record);
    const std::uint32_t words = site_at(trace, record).words();
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        for (std::uint32_t word = 0; word < words; ++word)
            visit(lane, word, lanes.bytes[lane] + 4 * word);
    }
}

}  // namespace tilereel
