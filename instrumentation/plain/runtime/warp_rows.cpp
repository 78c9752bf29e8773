#include "instrumentation/plain/runtime/warp_rows.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace tilereel::plain {

constinit Row nothing_expected;
thread_local constinit Running running [[gnu::tls_model("initial-exec")]];

WarpRows::WarpRows() { rows_.emplace_back(); }

void WarpRows::begin_turn(bool apart, bool assignments) {
    led_ = 0;
    skips_assignments_ = !assignments;
    apart_ = strayed_ = apart;
    for (Lane& lane : lanes_) {
        lane.agreed = 0;
        lane.strays.clear();
        lane.words.clear();
    }
}

void WarpRows::add(const Row& row, const std::uint32_t* words) {
    if (strays_) {
        stray(row, words);
        return;
    }
    const std::uint32_t here = at();
    if (here >= led_) {  // nobody has been here; what the warp before did is no guide any more
        truncate(here);
        append(row, words);
        return;
    }
    const Row& expected = rows_[here];
    if (expected.site == row.site && expected.array == row.array && expected.words == row.words &&
        (row.array != nullptr || expected.base == row.base)) {
        std::uint32_t* const column = words_.get() + expected.first_word * kLanes + lane_;
        for (std::uint32_t i = 0; i < row.words; ++i) column[i * kLanes] = words[i];
        latest_ = {column, kLanes};
        ++running.next;
        running.word = column + row.words * kLanes;
        return;
    }
    lanes_[lane_].agreed = here;
    strays_ = strayed_ = true;
    stray(row, words);
}

void WarpRows::append(const Row& row, const std::uint32_t* words) {
    const std::uint32_t first = rows_.back().first_word;
    reserve_words(first + row.words + 1);
    rows_.back() = row;
    rows_.back().first_word = first;
    Row sentinel;
    sentinel.first_word = first + row.words;
    rows_.push_back(sentinel);
    std::uint32_t* column = words_.get() + first * kLanes + lane_;
    latest_ = {column, kLanes};
    for (std::uint32_t i = 0; i < row.words; ++i) column[i * kLanes] = words[i];
    running.next = rows_.data() + rows_.size() - 1;
    running.word = column + row.words * kLanes;
    led_ = std::max(led_, at());
}

void WarpRows::stray(const Row& row, const std::uint32_t* words) {
    Lane& lane = lanes_[lane_];
    lane.strays.push_back({row, static_cast<std::uint32_t>(lane.words.size())});
    lane.words.insert(lane.words.end(), words, words + row.words);
    latest_ = {lane.words.data() + lane.words.size() - row.words, 1};
    running = {.skips_assignments = skips_assignments_};
}

void WarpRows::truncate(std::uint32_t rows) {
    const std::uint32_t first = rows_[rows].first_word;
    rows_.resize(rows + 1);
    rows_.back() = {};
    rows_.back().first_word = first;
}

void WarpRows::reserve_words(std::uint32_t rows) {
    if (rows <= word_capacity_) return;
    const std::uint32_t grown = std::max(rows, word_capacity_ * 2 + 256);
    void* memory = std::aligned_alloc(64, std::size_t{grown} * kLanes * sizeof(std::uint32_t));
    if (memory == nullptr) throw std::bad_alloc();
    if (words_)
        std::memcpy(memory, words_.get(),
                    std::size_t{word_capacity_} * kLanes * sizeof(std::uint32_t));
    words_.reset(static_cast<std::uint32_t*>(memory));
    word_capacity_ = grown;
}

const std::vector<WarpEvent>& WarpRows::finish() {
    events_.clear();
    if (strayed_) {
        align();
        return events_;
    }
    // Each lane did a beginning of the common sequence; nearly always all of it, or nothing.
    std::uint32_t all = 0;
    bool even = true;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (lanes_[lane].agreed == led_)
            all |= 1u << lane;
        else
            even = even && lanes_[lane].agreed == 0;
    }
    if (even) {
        for (std::uint32_t row = 0; row < led_; ++row)
            events_.push_back({&rows_[row], all, words_.get() + rows_[row].first_word * kLanes});
        return events_;
    }
    std::array<std::uint32_t, kLanes> order{};
    std::uint32_t mask = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        order[lane] = lane;
        if (lanes_[lane].agreed > 0) mask |= 1u << lane;
    }
    std::ranges::sort(order, {}, [&](unsigned lane) { return lanes_[lane].agreed; });
    std::size_t next = 0;
    for (std::uint32_t row = 0; row < led_; ++row) {
        for (; next < kLanes && lanes_[order[next]].agreed <= row; ++next)
            mask &= ~(1u << order[next]);
        events_.push_back({&rows_[row], mask, words_.get() + rows_[row].first_word * kLanes});
    }
    return events_;
}

namespace {

// A lane's next event.
struct Head {
    std::uint32_t row = 0, stray = 0;
    const Row* event = nullptr;
    Standing standing;
};

bool same_event(const Row& a, const Row& b) {
    return a.site == b.site && a.array == b.array && (a.array != nullptr || a.base == b.base);
}

}  // namespace

// Merges the lanes' sequences: among the lanes that are furthest behind, those whose next event is
// the same do it together.
void WarpRows::align() {
    std::array<Head, kLanes> heads;
    const auto find = [&](unsigned lane) {
        Head& head = heads[lane];
        const Lane& state = lanes_[lane];
        head.event = head.row < state.agreed            ? &rows_[head.row]
                     : head.stray < state.strays.size() ? &state.strays[head.stray].row
                                                        : nullptr;
        if (head.event == nullptr) return;
        if (head.event->site->kind == SiteKind::kEnter && head.event->base != 0)
            head.standing.leave();
        else
            head.standing.go_to(head.event->site);
    };
    for (unsigned lane = 0; lane < kLanes; ++lane) find(lane);
    aligned_words_.clear();
    aligned_at_.clear();
    for (;;) {
        int first = -1;
        for (int lane = 0; lane < int(kLanes); ++lane)
            if (heads[lane].event != nullptr &&
                (first < 0 || heads[lane].standing < heads[first].standing))
                first = lane;
        if (first < 0) break;
        const Head leader = heads[first];
        std::uint32_t mask = 0;
        const std::uint32_t words = leader.event->words;
        const std::size_t begin = aligned_words_.size();
        aligned_words_.resize(begin + std::size_t{words} * kLanes);
        for (unsigned lane = unsigned(first); lane < kLanes; ++lane) {
            Head& head = heads[lane];
            if (head.event == nullptr || !same_event(*head.event, *leader.event) ||
                !(head.standing == leader.standing))
                continue;
            mask |= 1u << lane;
            const Lane& state = lanes_[lane];
            const bool common = head.row < state.agreed;
            for (std::uint32_t i = 0; i < words; ++i)
                aligned_words_[begin + i * kLanes + lane] =
                    common ? words_[(rows_[head.row].first_word + i) * kLanes + lane]
                           : state.words[state.strays[head.stray].first_word + i];
            ++(common ? head.row : head.stray);
            find(lane);
        }
        events_.push_back({leader.event, mask, nullptr});
        aligned_at_.push_back(static_cast<std::uint32_t>(begin));
    }
    for (std::size_t i = 0; i < events_.size(); ++i)
        events_[i].words = aligned_words_.data() + aligned_at_[i];
}

}  // namespace tilereel::plain
