#pragma once
// The matrices of a race. Each element is a function of the seed and its index, so that GPU and CPU
// make the same matrices without copying them. For g++ and nvcc.
#include <cstdint>

#ifdef __CUDACC__
#define TILEREEL_BOTH __host__ __device__
#else
#define TILEREEL_BOTH
#endif

namespace tilereel {

// The mixing function of SplitMix64 (Steele, Lea and Flood 2014). race_value() applies it to an
// index, so that elements need not be computed in sequence.
TILEREEL_BOTH inline std::uint64_t scrambled(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [-1, 1), a multiple of 2^-23. All bits are random, because a GPU that multiplies zeros
// or small integers draws less power, and may clock higher, than with real data.
TILEREEL_BOTH inline float race_value(std::uint64_t seed, std::uint64_t index) {
    const std::uint64_t bits = scrambled((seed + index + 1) * 0x9e3779b97f4a7c15u);
    return static_cast<float>(static_cast<std::int32_t>(bits >> 40) - (1 << 23)) * 0x1p-23f;
}

// The seeds of A and B for race_value(), from the seed of a race.
TILEREEL_BOTH inline std::uint64_t seed_of_a(std::uint64_t seed) { return scrambled(2 * seed + 1); }
TILEREEL_BOTH inline std::uint64_t seed_of_b(std::uint64_t seed) { return scrambled(2 * seed + 2); }

}  // namespace tilereel
