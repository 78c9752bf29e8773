#pragma once

namespace tilereel {

// C(M,N) = A(M,K) B(K,N), row-major float32, in blocks made from TILE, shared rows padded by PAD.
struct KernelParameters {
    int m = 64, n = 64, k = 64;
    int tile = 16;
    int pad = 0;
    bool operator==(const KernelParameters&) const = default;
};
inline constexpr int kLargestExtent = 1 << 20;  // of M, N or K in any request

}  // namespace tilereel
