#pragma once
// The block as a state machine: its state after any number of requests, and the transition to the
// next one.
#include "app/replay/schedule/lifetimes.h"
#include "app/replay/state/state.h"
#include "app/replay/state/sums.h"

namespace tilereel {

struct SharedWord {
    static constexpr std::uint32_t kNeverWritten = 0xffffffff;
    std::uint32_t bits = 0;
    std::uint32_t stored = kNeverWritten;  // index into Lifetimes::words
    std::uint32_t copies_under_way = 0;    // number of pending asynchronous copies to it
    std::uint32_t bytes_written = 0;       // one bit for each byte
};

// The state that changes from request to request. A keyframe is a copy of it.
struct BlockState {
    std::uint32_t step = 0;          // the running step; earlier ones have ended
    std::uint32_t epochs_begun = 0;  // of Schedule::epochs
    std::uint32_t arrived = 0;       // warps at the barrier
    std::uint32_t words_stored = 0;  // to shared memory
    std::vector<SharedWord> words;   // the block's shared memory
    std::vector<WarpState> warps;
    std::vector<PartialSum> sums;  // row-major over SumMap::c_rect
};

class Machine {
  public:
    // The arguments must outlive the machine.
    Machine(const Trace& trace, const BlockRecords& records, const Schedule& schedule,
            const SumMap& sums);

    // The state in which the first step runs.
    [[nodiscard]] BlockState start() const;
    // The state before the first step.
    [[nodiscard]] BlockState before_first() const;
    // Ends the running step and begins the next one.
    void advance(BlockState& state) const;

  private:
    void begin_epochs(BlockState& state) const;
    void begin_epoch(BlockState& state, const EpochSpan& epoch) const;
    void begin_step(BlockState& state) const;
    void store(BlockState& state, std::uint64_t record) const;
    void store_sums(BlockState& state, std::uint64_t record) const;
    void stop_at_wait(BlockState& state, std::uint64_t record, std::uint16_t warp) const;
    void begin_copy(BlockState& state, std::uint64_t record) const;
    void multiply_add(BlockState& state, std::uint64_t record, std::uint16_t warp) const;
    void finish_segment(BlockState& state, std::size_t segment) const;

    const Trace& trace_;
    const BlockRecords& records_;
    const Schedule& schedule_;
    const SumMap& sums_;
    // By warp: its last segment with records; kNeverRan (machine.cpp) if it has none.
    std::vector<std::size_t> last_segment_;
    std::size_t shared_words_ = 0;
};

}  // namespace tilereel
