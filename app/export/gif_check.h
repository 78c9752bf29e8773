#pragma once
// Follows a GIF as it is written, to know whether it is whole.
// Source: CompuServe, Graphics Interchange Format, version 89a, sections 17 to 27.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tilereel {

class GifCheck {
  public:
    void take(std::span<const std::byte> bytes);
    // It ended in its trailer, and every block before that was as long as it said.
    [[nodiscard]] bool whole() const { return state_ == State::kEnd; }
    [[nodiscard]] int images() const { return images_; }
    [[nodiscard]] int hundredths() const { return hundredths_; }  // of a second: all delays

  private:
    // What the bytes that are collected next are.
    enum class State : std::uint8_t {
        kHeader,      // signature and screen: 13 bytes
        kTable,       // colours, skipped
        kBlock,       // 1 byte says which block comes
        kLabel,       // 1 byte says which extension
        kLength,      // 1 byte: of the next sub-block; 0 ends them
        kControl,     // a graphic control extension's sub-block: 4 bytes
        kSkipped,     // any other sub-block
        kDescriptor,  // of an image: 9 bytes
        kCodeSize,    // 1 byte before an image's sub-blocks
        kEnd,
        kBroken
    };
    void go(State state, std::size_t bytes);
    void step();
    void after_colours(std::uint8_t flags, State next);
    [[nodiscard]] std::uint8_t byte(std::size_t at) const { return kept_[at]; }

    State state_ = State::kHeader, after_table_ = State::kBlock;
    std::size_t wanted_ = 13, got_ = 0;
    std::array<std::uint8_t, 16> kept_{};  // the first bytes of what is collected
    bool control_ = false;
    int images_ = 0, hundredths_ = 0;
};

}  // namespace tilereel
