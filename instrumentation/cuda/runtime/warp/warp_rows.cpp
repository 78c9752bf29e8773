#include "instrumentation/cuda/runtime/warp/warp_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "instrumentation/base/no_memory.h"

namespace tilereel::runtime {

constinit ExpectedEvent nothing_expected;
constinit __thread Running running __attribute__((tls_model("initial-exec")));
constinit __thread OwnStacks own_stacks __attribute__((tls_model("initial-exec")));

namespace {

constexpr std::uint32_t kNoRow = 0xffffffff;

// Whether a row of an earlier time slice can be used for this event: the array has not moved.
bool is_repeated(const Row& before, const Row& now) {
    return is_same(before, now) && before.base == now.base && before.limit == now.limit;
}

}  // namespace

// If the last event leaves a function, the place is that function's call, unless it was called
// before the time slice.
LastPlace last_place(const std::vector<WarpEvent>& events, std::uint32_t all) {
    std::size_t open = 0;
    for (std::size_t i = events.size(); i-- > 0;) {
        const WarpEvent& event = events[i];
        if ((all & ~event.mask) != 0) return {};
        if (event.row->site->kind != SiteKind::kEnter) {
            if (open == 0) return {event.row->site, false};
        } else if (event.row->base != 0) {
            ++open;
        } else if (open == 0 || --open == 0) {
            return {event.row->site, i + 1 != events.size()};
        }
    }
    return {};
}

WarpRows::WarpRows() {
    rows_.emplace_back();
    expected_.emplace_back();
    reserve_words(1);
}

void WarpRows::begin_slice(bool lockstep, bool assignments, std::uint64_t most_rows,
                           const LastPlace& before) {
    most_rows_ = most_rows;
    before_ = before;
    executed_rows_ = 0;
    skips_assignments_ = !assignments;
    lockstep_ = lockstep;
    position_row_ = kNoRow;
    passed_rows_.fill(0);
    for (std::uint32_t left = divergent_ | skipping_; left != 0; left &= left - 1) {
        Lane& lane = lanes_[static_cast<unsigned>(std::countr_zero(left))];
        lane.skipped.clear();
        lane.divergent.clear();
        lane.words.clear();
    }
    divergent_ = skipping_ = 0;
}

// Called if the first event of a time slice is not the first row of the current sequence. Switches
// to a former sequence that begins with `row`. If there is none, empties the sequence and returns
// false.
bool WarpRows::switch_to_former(const Row& row) {
    constexpr std::size_t kMost = 8;
    for (Sequence& former : former_)
        if (is_repeated(former.rows.front(), row)) {
            swap_with(former);
            reserve_words(rows_.back().first_word + 1);
            return true;
        }
    if (rows_.size() > 1) {
        if (former_.size() < kMost) {
            swap_with(former_.emplace_back());
        } else {
            swap_with(former_[next_former_]);
            next_former_ = (next_former_ + 1) % kMost;
        }
    }
    slice_.words = nullptr;
    rows_.assign(1, Row());
    expected_.assign(1, ExpectedEvent());
    return false;
}

void WarpRows::add(const Row& row, const std::uint32_t* words) {
    if (diverged_) {
        add_divergent(row, words);
        return;
    }
    const std::uint32_t here = at();
    if (here >= executed_rows_) {  // no lane has been here in this time slice
        if (is_repeated(rows_[here], row) || (here == 0 && switch_to_former(row))) {
            execute_row(here, words);
        } else {  // the rows of the previous warp do not fit any more
            truncate(here);
            append(row, words);
        }
        return;
    }
    if (is_same(rows_[here], row)) {
        execute_row(here, words);
        return;
    }
    if (const std::uint32_t ahead = row_ahead(row); ahead != here) {
        lanes_[lane_].skipped.push_back({here, ahead});
        skipping_ |= 1u << lane_;
        execute_row(ahead, words);
        return;
    }
    passed_rows_[lane_] = here;
    diverged_ = true;
    add_divergent(row, words);
}

void WarpRows::execute_row(std::uint32_t number, const std::uint32_t* words) {
    const Row& row = rows_[number];
    std::uint32_t* const column = words_.get() + row.first_word * kLanes + lane_;
    for (std::uint32_t i = 0; i < row.words; ++i) column[i * kLanes] = words[i];
    latest_ = {column, kLanes};
    running.next = expected_.data() + number + 1;
    running.word = column + row.words * kLanes;
}

// The position of each lane when the time slice begins.
ProgramPosition WarpRows::start() const {
    ProgramPosition position;
    if (before_.site != nullptr) position.go_to(before_.site);
    if (before_.returned) position.leave();
    return position;
}

// The row further on that matches the event, if the lane skips rows of a branch that other lanes
// took; else the lane's current row.
std::uint32_t WarpRows::row_ahead(const Row& row) {
    constexpr std::uint32_t kFar = 64;
    const std::uint32_t here = at();
    if (here < position_row_) position_ = start(), position_row_ = 0;
    for (; position_row_ < here; ++position_row_) advance(position_, rows_[position_row_]);
    ProgramPosition mine = position_, others = position_;
    advance(mine, row);
    for (std::uint32_t ahead = here; ahead < std::min(executed_rows_, here + kFar); ++ahead) {
        advance(others, rows_[ahead]);
        if (others > mine) break;
        if (others == mine && is_same(rows_[ahead], row)) return ahead;
    }
    return here;
}

void WarpRows::append(const Row& row, const std::uint32_t* words) {
    const std::uint32_t first = rows_.back().first_word;
    slice_.words = nullptr;
    reserve_words(first + row.words + 1);
    rows_.back() = row;
    rows_.back().first_word = first;
    Row sentinel;
    sentinel.first_word = first + row.words;
    rows_.push_back(sentinel);
    expected_.back() = row;
    expected_.emplace_back();
    std::uint32_t* column = words_.get() + first * kLanes + lane_;
    latest_ = {column, kLanes};
    for (std::uint32_t i = 0; i < row.words; ++i) column[i * kLanes] = words[i];
    running.next = expected_.data() + expected_.size() - 1;
    running.word = column + row.words * kLanes;
    executed_rows_ = std::max(executed_rows_, at());
}

void WarpRows::add_divergent(const Row& row, const std::uint32_t* words) {
    Lane& lane = lanes_[lane_];
    divergent_ |= 1u << lane_;
    lane.divergent.push_back({row, static_cast<std::uint32_t>(lane.words.size())});
    lane.words.insert(lane.words.end(), words, words + row.words);
    latest_ = {lane.words.data() + lane.words.size() - row.words, 1};
    running = {.skips_assignments = skips_assignments_};
}

void WarpRows::truncate(std::uint32_t rows) {
    const std::uint32_t first = rows_[rows].first_word;
    slice_.words = nullptr;
    rows_.resize(rows + 1);
    rows_.back() = {};
    rows_.back().first_word = first;
    expected_.resize(rows + 1);
    expected_.back() = {};
}

void WarpRows::reserve_words(std::uint32_t rows) {
    if (rows <= word_capacity_) return;
    const std::uint32_t grown = std::max(rows, word_capacity_ * 2 + 256);
    void* memory = std::aligned_alloc(64, std::size_t{grown} * kLanes * sizeof(std::uint32_t));
    if (memory == nullptr) refuse_memory();
    if (words_)
        std::memcpy(memory, words_.get(),
                    std::size_t{word_capacity_} * kLanes * sizeof(std::uint32_t));
    words_.reset(static_cast<std::uint32_t*>(memory));
    word_capacity_ = grown;
}

const std::vector<WarpEvent>& WarpRows::finish() {
    if (lockstep_ || divergent_ != 0) {
        slice_.words = nullptr;
        slice_.events.clear();
        align();
        sum_up();
        return slice_.events;
    }
    // Each lane executed a prefix of the common sequence: nearly always all of it, or nothing.
    std::uint32_t all = 0, some = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        all |= std::uint32_t{passed_rows_[lane] == executed_rows_} << lane;
        some |= std::uint32_t{passed_rows_[lane] != 0} << lane;
    }
    const bool together = executed_rows_ == 0 || all == some;
    if (together && skipping_ == 0 && slice_.words == words_.get() &&
        slice_.rows == executed_rows_ && slice_.mask == all)
        return slice_.events;
    slice_.events.clear();
    slice_.events.reserve(executed_rows_);
    slice_.words = together && skipping_ == 0 ? words_.get() : nullptr;
    slice_.rows = executed_rows_;
    slice_.mask = all;
    if (together)
        for (std::uint32_t row = 0; row < executed_rows_; ++row) add_event(row, all);
    else
        add_prefixes(some);
    leave_out_skipped();
    sum_up();
    return slice_.events;
}

// Adds the events if each lane of `mask` executed a prefix of the sequence, of any length.
void WarpRows::add_prefixes(std::uint32_t mask) {
    std::array<std::uint32_t, kLanes> order{};
    for (unsigned lane = 0; lane < kLanes; ++lane) order[lane] = lane;
    std::ranges::sort(order, {}, [&](unsigned lane) { return passed_rows_[lane]; });
    std::size_t next = 0;
    for (std::uint32_t row = 0; row < executed_rows_; ++row) {
        for (; next < kLanes && passed_rows_[order[next]] <= row; ++next)
            mask &= ~(1u << order[next]);
        add_event(row, mask);
    }
}

void WarpRows::sum_up() {
    slice_.totals = {};
    for (const WarpEvent& event : slice_.events) {
        slice_.totals.loads &= event.row->loads;
        slice_.totals.accesses +=
            static_cast<std::uint64_t>(std::popcount(event.mask)) * event.row->accesses;
    }
}

void WarpRows::leave_out_skipped() {
    for (std::uint32_t left = skipping_; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        for (const auto& [begin, end] : lanes_[lane].skipped)
            for (std::uint32_t row = begin; row < end; ++row)
                slice_.events[row].mask &= ~(1u << lane);
    }
}

}  // namespace tilereel::runtime
