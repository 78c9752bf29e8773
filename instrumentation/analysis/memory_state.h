#pragma once
// What shared memory and C hold while the records of a trace are gone through in order, and which
// of it is certain: where two warps of a block touch a word in one epoch, nobody knows who came
// first.
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// The shared memory of one block after another, word by word.
class SharedState {
  public:
    explicit SharedState(const Trace& trace);
    void begin_block() { ++block_; }
    // Tells what the epoch's segments [first, last) will store, before any of them is gone through.
    void begin_epoch(std::size_t first, std::size_t last);
    // After it: words that were stored in unknown order are unknown from then on.
    void end_epoch();
    void store(std::uint32_t word, float value);
    struct Content {
        float value = 0;
        bool known = false;
    };
    [[nodiscard]] Content load(std::uint32_t word, std::uint16_t warp) const;

  private:
    struct Word {
        std::uint64_t block = 0;   // in which it is stored; 0: in none
        std::uint64_t epoch = 0;   // likewise
        std::uint64_t record = 0;  // of that epoch, the last that stores it
        float value = 0;
        std::uint16_t warp = 0;  // that stores it in that epoch
        bool copied = false;     // in that epoch, by an asynchronous copy
        bool several = false;    // stores in that epoch have no certain order
        bool known = false;
    };
    void announce(std::uint32_t at, const Site& site, std::uint64_t record, std::uint16_t warp);

    const Trace& trace_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> several_;  // words, in this epoch
    std::uint64_t block_ = 0, epochs_ = 0;
};

// C over the whole launch.
class ProductState {
  public:
    explicit ProductState(const Trace& trace);
    void store(std::size_t element, float value);
    // Unknown where another thread stores the element, too, in whichever order.
    [[nodiscard]] SharedState::Content load(std::uint64_t thread, std::size_t element) const;
    // Whether C may hold this in the end.
    [[nodiscard]] bool may_end_as(std::size_t element, float value) const;

  private:
    static constexpr std::uint64_t kNobody = ~std::uint64_t{0}, kSeveral = kNobody - 1;
    std::vector<std::uint64_t> storing_thread_;  // by element, over the whole trace
    std::vector<float> values_;                  // now
    std::unordered_map<std::size_t, std::vector<float>> candidates_;  // of contested elements
};

// By element of C: whether some record stores it.
[[nodiscard]] std::vector<bool> stored_elements(const Trace& trace);

// A thread of the whole launch.
[[nodiscard]] inline std::uint64_t thread_of_launch(const Trace& trace, std::size_t segment,
                                                    std::uint32_t lane) {
    constexpr std::uint64_t kMostThreads = 1024;
    return trace.segments.block[segment] * kMostThreads +
           trace.segments.warp[segment] * std::uint64_t{kWarpSize} + lane;
}

// Calls visit(lane, word of the access, byte offset) for each 4-byte word that a record moves, in
// the order of its values.
template <class Visit>
void for_each_moved_word(const Trace& trace, std::uint64_t record, Visit&& visit) {
    const LaneOffsets lanes = lane_offsets(trace, record);
    const std::uint32_t words = trace.sites[site_of(trace, record)].words();
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        for (std::uint32_t word = 0; word < words; ++word)
            visit(lane, word, lanes.bytes[lane] + 4 * word);
    }
}

}  // namespace tilereel
