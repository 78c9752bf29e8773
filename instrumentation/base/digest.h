#pragma once
// A digest of bytes, as fast as memory: it tells that they have changed, not who changed them.
// Four independent sums of 8 bytes each; a step mixes a word into its sum by a product with an odd
// number and by a shift, so that every bit counts. Not for secrets: whoever wants to can find other
// bytes with the same digest.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace tilereel {

class Digest {
  public:
    // The digest depends on where one piece ends and the next begins.
    void add(std::span<const std::byte> bytes) {
        const std::size_t whole = bytes.size() / kStep * kStep;
        for (std::size_t at = 0; at < whole; at += kStep) mix(bytes.data() + at);
        std::array<std::byte, kStep> rest{};
        if (whole < bytes.size())
            std::memcpy(rest.data(), bytes.data() + whole, bytes.size() - whole);
        mix(rest.data());
        const std::array<std::uint64_t, kLanes> sizes{bytes.size()};
        mix(reinterpret_cast<const std::byte*>(sizes.data()));
    }
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }

    static constexpr std::size_t kLanes = 4;
    [[nodiscard]] const std::array<std::uint64_t, kLanes>& sums() const { return sums_; }

  private:
    static constexpr std::size_t kStep = kLanes * sizeof(std::uint64_t);
    void mix(const std::byte* step) {
        constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio, odd
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            std::uint64_t word = 0;
            std::memcpy(&word, step + lane * sizeof word, sizeof word);
            sums_[lane] = (sums_[lane] ^ word) * kFactor;
            sums_[lane] ^= sums_[lane] >> 29;
        }
    }
    std::array<std::uint64_t, kLanes> sums_{1, 2, 3, 4};
};

}  // namespace tilereel
