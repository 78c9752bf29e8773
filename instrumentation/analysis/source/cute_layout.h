#pragma once
// Layouts of arrays as CuTe writes them: shape:stride, such as (8,32):(32,1), with a swizzle before
// it if there is one: Swizzle<3,3,3> o (64,64):(64,1).
//
// Why: a layout says where element (row, column) of a tile lies, and NVIDIA's tensor-core kernels
// describe their shared memory by nothing else. It is a function from coordinates to offsets:
//
//     (8,32):(32,1)               row r, column c     ->  32 r + c
//     ((8,2),64):((64,512),1)     row 8 s + r         ->  64 r + 512 s + c
//     coordinate i, one number    the first mode counts fastest: r = i % 8, c = i / 8
//
// Source: CUTLASS documentation, "CuTe Layouts" and "CuTe Layout Algebra".
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

// CuTe's Swizzle<B,M,S>: bits [M + S, M + S + B) of an offset are XORed into its bits [M, M + B).
// With S < 0 it is the other way round: bits [M, M + B) are XORed into [M - S, M - S + B).
struct CuteSwizzle {
    int bits = 0, base = 0, shift = 0;  // B, M, S; B of 0: no swizzle
    [[nodiscard]] std::int64_t operator()(std::int64_t offset) const;
    bool operator==(const CuteSwizzle&) const = default;
};
// "Swizzle<3,3,3>"
[[nodiscard]] std::string swizzle_text(const CuteSwizzle& swizzle);

class CuteLayout {
  public:
    // A mode is a leaf or a tuple; the leaves of a tuple count one after another.
    struct Leaf {
        std::int64_t shape = 1, stride = 0;
        bool operator==(const Leaf&) const = default;
    };
    using Mode = std::vector<Leaf>;

    // "(8,32):(32,1)", also with nested tuples and with numbers as CuTe prints them (_8). Without
    // strides the first mode is contiguous, as in CuTe. kWrongCall with a sentence that says what
    // is wrong and where; `wrong_at`: as IndexExpression::parse().
    static Result<CuteLayout> parse(std::string_view text, std::size_t* wrong_at = nullptr);

    [[nodiscard]] const std::vector<Mode>& modes() const { return modes_; }
    [[nodiscard]] std::int64_t size() const;
    [[nodiscard]] std::int64_t size(std::size_t mode) const;
    // The offset of a coordinate with a number for each mode, or of one number for all modes.
    [[nodiscard]] std::int64_t offset(std::span<const std::int64_t> coordinate) const;
    [[nodiscard]] std::int64_t offset(std::int64_t index) const;

  private:
    std::vector<Mode> modes_;
};

// Whether a text is meant as a layout: it has a colon or a comma, and no "?".
[[nodiscard]] bool looks_like_layout(std::string_view text);

}  // namespace tilereel
