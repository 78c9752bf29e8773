#pragma once
// Pixels of a picture file: RGBA, 8 bits for each channel, top row first.
#include <cstdint>
#include <vector>

namespace tilereel {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // height x width x 4 bytes
    [[nodiscard]] const std::uint8_t* at(int x, int y) const {
        return &rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)) *
                     4];
    }
};

// Reads the lower left width x height pixels of the framebuffer that is bound for reading.
[[nodiscard]] Image read_framebuffer(int width, int height);

}  // namespace tilereel
