#include "instrumentation/record/ordered_warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tilereel {

using dialect::EventKind;
using dialect::words_of;

void OrderedWarp::begin_epoch() {
    log_.clear();
    begin_turn();
}

void OrderedWarp::begin_turn() {
    for (Lane& lane : lanes_) {
        lane.expected.truncate(0);
        lane.next = 0;
        lane.order.start_over();
    }
    standing_.fill(kEnd);
}

void OrderedWarp::expect(unsigned lane, EventKey key, const std::uint32_t* words) {
    Lane& own = lanes_[lane];
    const std::size_t count = words_of(key);
    std::uint32_t* const event = own.expected.extend(1 + count);
    event[0] = key;
    std::memcpy(event + 1, words, count * sizeof(std::uint32_t));
    if (standing_[lane] == kEnd) standing_[lane] = own.order.stand(key);
}

OrderedWarp::Next OrderedWarp::next() const {
    const std::uint64_t first = *std::ranges::min_element(standing_);
    if (first == kEnd) return {};
    Next event{.key = ConvergenceOrder::key_of(first)};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        event.lanes |= static_cast<std::uint32_t>(standing_[lane] == first) << lane;
    return event;
}

void OrderedWarp::take(const Next& event) {
    const std::size_t count = words_of(event.key);
    std::uint32_t* words = log_.add(event.key, event.lanes);
    const auto lanes = static_cast<std::size_t>(std::popcount(event.lanes));
    for (std::uint32_t left = event.lanes; left != 0; left &= left - 1) {
        const auto number = static_cast<std::size_t>(std::countr_zero(left));
        Lane& lane = lanes_[number];
        for (std::size_t i = 0; i < count; ++i) words[i * lanes] = lane.expected[lane.next + 1 + i];
        ++words;
        lane.next += 1 + count;
        const bool more = lane.next < lane.expected.size();
        standing_[number] = more ? lane.order.stand(lane.expected[lane.next]) : kEnd;
        if (more) continue;
        lane.expected.truncate(0);
        lane.next = 0;
    }
}

void OrderedWarp::do_multiply_adds() {
    for (Next event = next();
         event.lanes != 0 && dialect::kind_of(event.key) == EventKind::kMultiplyAdd; event = next())
        take(event);
}

std::uint32_t OrderedWarp::take_access() {
    do_multiply_adds();
    const Next event = next();
    if (event.lanes != 0) take(event);
    return event.lanes;
}

bool OrderedWarp::take_access_of(unsigned lane) {
    while (standing_[lane] != kEnd) {
        const EventKey key = ConvergenceOrder::key_of(standing_[lane]);
        take({.key = key, .lanes = 1u << lane});
        if (dialect::kind_of(key) != EventKind::kMultiplyAdd) return true;
    }
    return false;
}

void OrderedWarp::add_barrier(EventKey key, std::uint32_t lanes) { log_.add(key, lanes); }

}  // namespace tilereel
