#include "instrumentation/record/warp_events.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tilereel {
namespace {

using dialect::EventKind;
using dialect::kValueWord;
using dialect::running;

}  // namespace

void WarpEvents::Sequence::reserve(std::size_t rows) {
    if (rows <= capacity_rows) return;
    const std::size_t grown = std::max(rows, capacity_rows * 2 + 64);
    void* memory = std::aligned_alloc(64, grown * sizeof(LaneWords));
    if (memory == nullptr) throw std::bad_alloc();
    if (words) std::memcpy(memory, words.get(), capacity_rows * sizeof(LaneWords));
    words = {static_cast<std::uint32_t*>(memory), std::free};
    capacity_rows = grown;
}

// Keeps a kNothingExpected behind the last key, so that no lane runs past it.
void WarpEvents::Sequence::append(EventKey key, SiteId site) {
    const std::size_t count = dialect::words_of(key);
    const std::size_t rows = keys.size() - 1;
    reserve(rows + count);
    keys[rows] = key;
    sites.push(site);
    for (std::size_t i = 1; i < count; ++i) {
        keys.push(kValueWord);
        sites.push(site);
    }
    keys.push(kNothingExpected);
}

void WarpEvents::Sequence::truncate(std::size_t rows) {
    keys.truncate(rows);
    keys.push(kNothingExpected);
    sites.truncate(rows);
    masks.truncate(std::min(masks.size(), rows));
}

void WarpEvents::begin_batch(Batch& batch) {
    batch_ = &batch;
    lead_.truncate(0);
    aligned_.truncate(0);
}

void WarpEvents::begin_turn() {
    has_leader_ = false;
    lead_rows_ = 0;
    agreed_rows_.fill(0);
    for (std::vector<std::uint32_t>& strayed : strayed_) strayed.clear();
}

void WarpEvents::begin_lane(unsigned lane) {
    lane_ = lane;
    mode_ = has_leader_ ? Mode::kFollow : Mode::kGuess;
    running.key = running.keys = lead_.keys.data();
    running.column = lead_.words.get() + lane;
}

std::size_t WarpEvents::row_of_running_lane() const {
    return static_cast<std::size_t>(running.key - lead_.keys.data());
}

void WarpEvents::end_lane() {
    if (mode_ == Mode::kStray) return;
    const std::size_t rows = row_of_running_lane();
    agreed_rows_[lane_] = rows;
    if (mode_ == Mode::kFollow || rows == 0) return;
    has_leader_ = true;
    lead_rows_ = rows;
    if (rows < lead_.keys.size() - 1) lead_.truncate(rows);
}

void WarpEvents::add_unexpected(EventKey key, const std::uint32_t* words) {
    const std::size_t count = dialect::words_of(key);
    if (mode_ == Mode::kFollow) {
        agreed_rows_[lane_] = row_of_running_lane();
        mode_ = Mode::kStray;
        running.key = &kNothingExpected;
    }
    if (mode_ == Mode::kStray) {
        strayed_[lane_].push_back(key);
        strayed_[lane_].insert(strayed_[lane_].end(), words, words + count);
        return;
    }
    const std::size_t row = row_of_running_lane();
    if (mode_ == Mode::kGuess) lead_.truncate(row);
    mode_ = Mode::kLead;
    lead_.append(key, batch_->site_of_event(key));
    for (std::size_t i = 0; i < count; ++i) lead_.row(row + i)[lane_] = words[i];
    running.keys = lead_.keys.data();  // all may have moved
    running.key = running.keys + row + count;
    running.column = lead_.words.get() + lane_;
}

EventRows WarpEvents::rows() {
    std::uint32_t took_part = 0;
    bool together = true;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        const bool strayed = !strayed_[lane].empty();
        if (agreed_rows_[lane] == 0 && !strayed) continue;
        took_part |= 1u << lane;
        together = together && !strayed && agreed_rows_[lane] == lead_rows_;
    }
    if (together)
        return {.keys = lead_.keys.view().first(lead_rows_),
                .sites = lead_.sites.view().first(lead_rows_),
                .masks = {},
                .mask = took_part,
                .words = lead_.words.get()};
    align_lanes();
    return {.keys = aligned_.keys.view().first(aligned_.keys.size() - 1),
            .sites = aligned_.sites.view(),
            .masks = aligned_.masks.view(),
            .mask = took_part,
            .words = aligned_.words.get()};
}

// The next event of one lane, and where it stands in the order in which lanes reconverge.
class WarpEvents::Head {
  public:
    Head(WarpEvents& events, unsigned lane) : events_(events), lane_(lane) { find(); }
    [[nodiscard]] std::uint64_t standing() const { return standing_; }  // kEnd: no more events
    [[nodiscard]] EventKey key() const { return ConvergenceOrder::key_of(standing_); }
    [[nodiscard]] std::uint32_t word(std::size_t i) const {
        return row_ < events_.agreed_rows_[lane_] ? events_.lead_.row(row_ + i)[lane_]
                                                  : events_.strayed_[lane_][stray_ + 1 + i];
    }
    void advance() {
        const std::size_t words = dialect::words_of(key());
        if (row_ < events_.agreed_rows_[lane_])
            row_ += words;
        else
            stray_ += 1 + words;
        find();
    }

  private:
    void find() {
        if (row_ < events_.agreed_rows_[lane_])
            standing_ = order_.stand(events_.lead_.keys[row_]);
        else if (stray_ < events_.strayed_[lane_].size())
            standing_ = order_.stand(events_.strayed_[lane_][stray_]);
        else
            standing_ = ConvergenceOrder::kEnd;
    }

    WarpEvents& events_;
    unsigned lane_;
    std::size_t row_ = 0, stray_ = 0;
    ConvergenceOrder order_;
    std::uint64_t standing_ = ConvergenceOrder::kEnd;
};

void WarpEvents::align_lanes() {
    aligned_.truncate(0);
    std::vector<Head> heads;
    std::array<std::uint64_t, kWarpSize> standing;
    heads.reserve(kWarpSize);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        heads.emplace_back(*this, lane);
        standing[lane] = heads[lane].standing();
    }
    for (;;) {
        const std::uint64_t first = *std::ranges::min_element(standing);
        if (first == ConvergenceOrder::kEnd) return;
        const EventKey key = ConvergenceOrder::key_of(first);
        const std::size_t row = aligned_.keys.size() - 1;
        aligned_.append(key, batch_->site_of_event(key));
        std::uint32_t mask = 0;
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            if (standing[lane] != first) continue;
            mask |= 1u << lane;
            for (std::size_t i = 0; i < dialect::words_of(key); ++i)
                aligned_.row(row + i)[lane] = heads[lane].word(i);
            heads[lane].advance();
            standing[lane] = heads[lane].standing();
        }
        for (std::size_t i = 0; i < dialect::words_of(key); ++i) aligned_.masks.push(mask);
    }
}

std::uint64_t WarpEvents::bytes() const {
    return (lead_.capacity_rows + aligned_.capacity_rows) * sizeof(LaneWords);
}

}  // namespace tilereel
