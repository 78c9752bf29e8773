#pragma once
// Parses a GIF while it is written, to check whether it is complete.
// Source: CompuServe, Graphics Interchange Format, version 89a, sections 17 to 27.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tilereel {

class GifCheck {
  public:
    void take(std::span<const std::byte> bytes);
    // Whether the GIF has its trailer and all blocks before it were complete.
    [[nodiscard]] bool whole() const { return state_ == State::kEnd; }
    [[nodiscard]] int images() const { return images_; }
    [[nodiscard]] int hundredths() const { return hundredths_; }  // sum of all delays, in 1/100 s

  private:
    // The meaning of the bytes that are collected next.
    enum class State : std::uint8_t {
        kHeader,      // signature and logical screen descriptor: 13 bytes
        kTable,       // colour table, skipped
        kBlock,       // 1 byte: the kind of the next block
        kLabel,       // 1 byte: the kind of an extension
        kLength,      // 1 byte: length of the next sub-block; 0: no more
        kControl,     // a graphic control extension's sub-block: 4 bytes
        kSkipped,     // any other sub-block
        kDescriptor,  // image descriptor: 9 bytes
        kCodeSize,    // 1 byte before the sub-blocks of an image
        kEnd,
        kBroken
    };
    void go(State state, std::size_t bytes);  // collects so many bytes with this meaning next
    void step();                              // all of them were collected
    void after_colours(std::uint8_t flags, State next);
    [[nodiscard]] std::uint8_t byte(std::size_t at) const { return kept_[at]; }

    State state_ = State::kHeader, after_table_ = State::kBlock;
    std::size_t wanted_ = 13, got_ = 0;
    std::array<std::uint8_t, 16> kept_{};  // the first bytes of the current part
    bool control_ = false;                 // the last label was that of a graphic control extension
    int images_ = 0, hundredths_ = 0;
};

}  // namespace tilereel
