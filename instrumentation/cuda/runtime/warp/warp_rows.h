#pragma once
// Collects the events of the lanes of one warp in one time slice (from one stop to the next) and
// merges them to warp-wide events.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "instrumentation/cuda/runtime/running.h"
#include "instrumentation/cuda/runtime/warp/program_position.h"

namespace tilereel::runtime {

// An event of a lane that diverged from the common sequence.
struct DivergentEvent {
    Row row;
    std::uint32_t first_word = 0;  // index in Lane::words
};

// A warp-wide event: the lanes of `mask` did `row` together.
struct WarpEvent {
    const Row* row = nullptr;
    std::uint32_t mask = 0;
    mutable std::uint32_t sink_mark = 0;  // for use by the BlockSink; 0 when it first gets the list
    const std::uint32_t* words = nullptr;  // row->words x kLanes words
};

// Moves the position of a lane that executes the row.
inline void advance(ProgramPosition& position, const Row& event) {
    if (event.site->kind == SiteKind::kEnter && event.base != 0)
        position.leave();
    else
        position.go_to(event.site);
}
inline bool is_same(const Row& a, const Row& b) {
    return a.site == b.site && a.array == b.array && a.words == b.words &&
           (a.array != nullptr || a.base == b.base);
}

// Where all lanes of a warp were together last. `site`: null if that is not known. `returned`: it
// is the call of a function that has returned.
struct LastPlace {
    const Site* site = nullptr;
    bool returned = false;
};

// Where the lanes of `all` were together after these events of a time slice.
LastPlace last_place(const std::vector<WarpEvent>& events, std::uint32_t all);

class WarpRows {
  public:
    WarpRows();
    // `lockstep`: the lanes run in true lockstep, so no lane is expected to repeat the events of
    // another one. `assignments`: assignments to locals are events, too. `most_rows`: see
    // is_full(). `before`: what all lanes did last: a lane that goes on to the next trip of a loop
    // is then ahead of one that has something left to do in this trip.
    void begin_slice(bool lockstep, bool assignments, std::uint64_t most_rows = ~std::uint64_t{0},
                     const LastPlace& before = {});
    // Whether the running lane has as many events as a time slice may have.
    [[nodiscard]] bool is_full() const {
        return (diverged_ ? lanes_[lane_].divergent.size() : at()) >= most_rows_;
    }
    void begin_lane(unsigned lane) {
        lane_ = lane;
        diverged_ = lockstep_ || (divergent_ >> lane & 1u) != 0;
        running.idle = false;
        running.skips_assignments = skips_assignments_;
        const std::uint32_t next = passed_rows_[lane];
        running.next = diverged_ ? &nothing_expected : expected_.data() + next;
        running.word = words_.get() + rows_[next].first_word * kLanes + lane;
    }
    // Leaves running.next stale: the caller calls begin_lane() or sets running = {} next.
    void end_lane() {
        if (diverged_) return;
        const std::uint32_t done = at();
        passed_rows_[lane_] = done;
        if (done > executed_rows_) executed_rows_ = done;
    }
    // Adds an event that the fast path did not expect. `row`: first_word is not set.
    void add(const Row& row, const std::uint32_t* words);
    // The words of the lane's latest event. The stride between them is kLanes or 1.
    struct EventWords {
        std::uint32_t* first = nullptr;
        std::uint32_t stride = kLanes;
    };
    [[nodiscard]] EventWords latest() const { return latest_; }
    void note_latest(std::uint32_t* first) { latest_ = {first, kLanes}; }
    // The site of the running lane's last event; null if it has diverged or has no event.
    [[nodiscard]] const Site* last_site() const {
        return diverged_ || running.next == nullptr || running.next == &nothing_expected ||
                       at() == 0
                   ? nullptr
                   : (running.next - 1)->site;
    }
    // The time slice's events in order; valid until the next time slice begins.
    const std::vector<WarpEvent>& finish();
    // Of the events of finish(): whether all accesses are loads, and the accesses of all lanes.
    struct Totals {
        bool loads = true;
        std::uint64_t accesses = 0;
    };
    [[nodiscard]] const Totals& totals() const { return slice_.totals; }
    [[nodiscard]] std::uint64_t events() const { return rows_.size(); }

  private:
    struct Lane {
        struct Range {
            std::uint32_t begin = 0, end = 0;
        };
        std::vector<Range> skipped;  // rows that the lane passed but did not execute
        std::vector<DivergentEvent> divergent;
        std::vector<std::uint32_t> words;  // of the divergent events
    };
    bool switch_to_former(const Row& row);
    void append(const Row& row, const std::uint32_t* words);
    void execute_row(std::uint32_t row, const std::uint32_t* words);
    [[nodiscard]] std::uint32_t row_ahead(const Row& row);
    [[nodiscard]] ProgramPosition start() const;
    void add_prefixes(std::uint32_t mask);
    void leave_out_skipped();
    void add_divergent(const Row& row, const std::uint32_t* words);
    void reserve_words(std::uint32_t rows);
    void truncate(std::uint32_t rows);
    [[nodiscard]] std::uint32_t at() const {
        return static_cast<std::uint32_t>(running.next - expected_.data());
    }
    class Alignment;  // warp_rows_align.cpp
    void align();

    // The rows of the common sequence, and for each the event that hooks expect. The last one is a
    // sentinel.
    std::vector<Row> rows_;
    std::vector<ExpectedEvent> expected_;
    // The events of the last time slice with this sequence. The next time slice uses them again if
    // its lanes, its rows and the address of its words are the same, as is nearly always so.
    struct Slice {
        std::vector<WarpEvent> events;
        Totals totals;
        std::uint32_t rows = 0, mask = 0;
        const std::uint32_t* words = nullptr;  // null: events cannot be used again
    };
    void add_event(std::uint32_t row, std::uint32_t mask) {
        slice_.events.push_back({.row = &rows_[row],
                                 .mask = mask,
                                 .words = words_.get() + rows_[row].first_word * kLanes});
    }
    void sum_up();
    Slice slice_;
    // Sequences of earlier time slices. Loops repeat them.
    struct Sequence {
        std::vector<Row> rows;
        std::vector<ExpectedEvent> expected;
        Slice slice;
    };
    void swap_with(Sequence& other) {
        rows_.swap(other.rows);
        expected_.swap(other.expected);
        std::swap(slice_, other.slice);
    }
    std::vector<Sequence> former_;
    std::uint32_t next_former_ = 0;  // index of the sequence that is replaced next
    std::unique_ptr<std::uint32_t[], void (*)(void*)> words_{nullptr, std::free};
    std::uint32_t word_capacity_ = 0;
    // The number of rows that some lane has executed in this time slice.
    std::uint32_t executed_rows_ = 0;
    // For each lane the number of rows of the common sequence that it has executed or skipped.
    alignas(64) std::array<std::uint32_t, kLanes> passed_rows_{};
    std::uint32_t divergent_ = 0, skipping_ = 0;  // lanes with divergent events, with skipped rows
    bool lockstep_ = false, skips_assignments_ = false;  // of the time slice
    LastPlace before_;
    bool diverged_ = false;  // of the running lane
    unsigned lane_ = 0;
    EventWords latest_;
    // The position of a lane that has executed the common sequence up to row position_row_. It is
    // not known if position_row_ is larger than the number of any row.
    ProgramPosition position_;
    std::uint32_t position_row_ = 0;
    std::uint64_t most_rows_ = ~std::uint64_t{0};
    std::array<Lane, kLanes> lanes_;
    std::vector<std::uint32_t> aligned_words_;
    std::vector<std::uint32_t> aligned_at_;  // for each event: the index of its first word
};

}  // namespace tilereel::runtime
