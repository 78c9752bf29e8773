// Merges the events of lanes that have left the common sequence to warp-wide events: among the
// lanes that are furthest behind, those with the same next event do it together.
#include <bit>

#include "instrumentation/cuda/runtime/warp/warp_rows.h"

namespace tilereel::runtime {

class WarpRows::Alignment {
  public:
    explicit Alignment(WarpRows& rows) : rows_(rows) {}
    void run() {
        rows_.aligned_words_.clear();
        rows_.aligned_at_.clear();
        const ProgramPosition start = rows_.start();
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            heads_[lane].position = start;
            find_next(lane);
        }
        while (add_next()) {
        }
        for (std::size_t i = 0; i < rows_.slice_.events.size(); ++i)
            rows_.slice_.events[i].words = rows_.aligned_words_.data() + rows_.aligned_at_[i];
    }

  private:
    // A lane's next event. `row`: in the common sequence; `divergent`: in Lane::divergent.
    struct Head {
        std::uint32_t row = 0, divergent = 0;
        std::uint32_t skips = 0;  // number of ranges in Lane::skipped that the lane has passed
        const Row* event = nullptr;
        ProgramPosition position;
    };
    const Row* next_of(unsigned lane);
    const Row* next_of_all(std::uint32_t mask);
    void find_next(unsigned lane) {
        Head& head = heads_[lane];
        head.event = next_of(lane);
        if (head.event != nullptr) advance(head.position, *head.event);
    }
    bool add_next();
    void add(const Row* event, std::uint32_t mask);

    WarpRows& rows_;
    std::array<Head, kLanes> heads_;
};

const Row* WarpRows::Alignment::next_of(unsigned lane) {
    Head& head = heads_[lane];
    const Lane& state = rows_.lanes_[lane];
    while (head.skips < state.skipped.size() && state.skipped[head.skips].begin == head.row)
        head.row = state.skipped[head.skips++].end;
    return head.row < rows_.passed_rows_[lane]       ? &rows_.rows_[head.row]
           : head.divergent < state.divergent.size() ? &state.divergent[head.divergent].row
                                                     : nullptr;
}

// The next event of all lanes of the mask; null if they differ.
const Row* WarpRows::Alignment::next_of_all(std::uint32_t mask) {
    const Row* const next = next_of(static_cast<unsigned>(std::countr_zero(mask)));
    if (next == nullptr) return nullptr;
    for (std::uint32_t left = mask & (mask - 1); left != 0; left &= left - 1) {
        const Row* const other = next_of(static_cast<unsigned>(std::countr_zero(left)));
        if (other == nullptr || !is_same(*other, *next)) return nullptr;
    }
    return next;
}

void WarpRows::Alignment::add(const Row* event, std::uint32_t mask) {
    std::vector<std::uint32_t>& words = rows_.aligned_words_;
    const std::size_t begin = words.size();
    words.resize(begin + std::size_t{event->words} * kLanes);
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        Head& head = heads_[lane];
        const Lane& state = rows_.lanes_[lane];
        const bool common = head.row < rows_.passed_rows_[lane];
        const std::uint32_t* const from =
            common ? rows_.words_.get() + rows_.rows_[head.row].first_word * kLanes + lane
                   : state.words.data() + state.divergent[head.divergent].first_word;
        for (std::uint32_t i = 0; i < event->words; ++i)
            words[begin + i * kLanes + lane] = from[common ? i * kLanes : i];
        ++(common ? head.row : head.divergent);
    }
    rows_.slice_.events.push_back({.row = event, .mask = mask});
    rows_.aligned_at_.push_back(static_cast<std::uint32_t>(begin));
}

// Returns false if no lane has an event left.
bool WarpRows::Alignment::add_next() {
    int first = -1;
    std::uint32_t left = 0, mask = 0;
    for (int lane = 0; lane < int(kLanes); ++lane) {
        if (heads_[lane].event == nullptr) continue;
        left |= 1u << lane;
        if (first < 0 || heads_[lane].position < heads_[first].position) first = lane;
    }
    if (first < 0) return false;
    const Row* const event = heads_[first].event;
    ProgramPosition& position = heads_[first].position;
    for (unsigned lane = unsigned(first); lane < kLanes; ++lane)
        if ((left >> lane & 1) != 0 && is_same(*heads_[lane].event, *event) &&
            heads_[lane].position == position)
            mask |= 1u << lane;
    add(event, mask);
    // While all lanes do the same, they have the same position.
    if (mask == left) {
        while (const Row* const next = next_of_all(mask)) {
            advance(position, *next);
            add(next, mask);
        }
        for (unsigned lane = unsigned(first) + 1; lane < kLanes; ++lane)
            if ((mask >> lane & 1) != 0) heads_[lane].position = position;
    }
    for (; mask != 0; mask &= mask - 1) find_next(static_cast<unsigned>(std::countr_zero(mask)));
    return true;
}

void WarpRows::align() { Alignment(*this).run(); }

}  // namespace tilereel::runtime
