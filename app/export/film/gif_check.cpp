#include "app/export/film/gif_check.h"

#include <cstring>

namespace tilereel {

void GifCheck::go(State state, std::size_t bytes) {
    state_ = state;
    wanted_ = bytes;
    got_ = 0;
}

void GifCheck::take(std::span<const std::byte> bytes) {
    for (const std::byte each : bytes) {
        if (state_ == State::kEnd) go(State::kBroken, 1);  // no byte may follow the trailer
        if (state_ == State::kBroken) return;
        if (got_ < kept_.size()) kept_[got_] = static_cast<std::uint8_t>(each);
        if (++got_ == wanted_) step();
    }
}

// Next comes a colour table of three bytes for each colour, if the flags say so.
void GifCheck::after_colours(std::uint8_t flags, State next) {
    after_table_ = next;
    if ((flags & 0x80) != 0)
        go(State::kTable, std::size_t{3} << ((flags & 7) + 1));
    else
        go(next, 1);
}

void GifCheck::step() {
    switch (state_) {
        case State::kHeader:
            if (std::memcmp(kept_.data(), "GIF89a", 6) != 0) return go(State::kBroken, 1);
            return after_colours(byte(10), State::kBlock);
        case State::kTable:
            return go(after_table_, 1);
        case State::kBlock:
            if (byte(0) == 0x21) return go(State::kLabel, 1);
            if (byte(0) == 0x2c) return go(State::kDescriptor, 9);
            return go(byte(0) == 0x3b ? State::kEnd : State::kBroken, 1);
        case State::kLabel:
            control_ = byte(0) == 0xf9;
            return go(State::kLength, 1);
        case State::kLength:
            if (byte(0) == 0) return go(State::kBlock, 1);
            return go(control_ && byte(0) == 4 ? State::kControl : State::kSkipped, byte(0));
        case State::kControl:
            hundredths_ += byte(1) + 256 * byte(2);
            return go(State::kLength, 1);
        case State::kDescriptor:
            ++images_;
            control_ = false;
            return after_colours(byte(8), State::kCodeSize);
        case State::kSkipped:
        case State::kCodeSize:
            return go(State::kLength, 1);
        case State::kEnd:
        case State::kBroken:
            return;
    }
}

}  // namespace tilereel
