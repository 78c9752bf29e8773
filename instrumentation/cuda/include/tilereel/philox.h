#pragma once
// Philox 4x32-10, a counter-based random number generator. J. K. Salmon and others, "Parallel
// Random Numbers: As Easy as 1, 2, 3", SC 2011.
#include <cmath>
#include <cstdint>

namespace tilereel::runtime {

struct Philox {
    std::uint32_t counter[4], key[2];

    void operator()(std::uint32_t (&out)[4]) const {
        std::uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
        std::uint32_t k[2] = {key[0], key[1]};
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0],
                                b = std::uint64_t{0xCD9E8D57u} * c[2];
            const std::uint32_t next[4] = {std::uint32_t(b >> 32) ^ c[1] ^ k[0], std::uint32_t(b),
                                           std::uint32_t(a >> 32) ^ c[3] ^ k[1], std::uint32_t(a)};
            for (int i = 0; i < 4; ++i) c[i] = next[i];
            k[0] += 0x9E3779B9u;
            k[1] += 0xBB67AE85u;
        }
        for (int i = 0; i < 4; ++i) out[i] = c[i];
    }
};

// One sequence of a seed: 2^64 blocks of four 32-bit words.
struct RandomSequence {
    std::uint64_t seed, sequence, position;  // position: of the next word
    std::uint32_t words[4];                  // of the block that `position` lies in

    void start(std::uint64_t of_seed, std::uint64_t of_sequence, std::uint64_t offset) {
        seed = of_seed;
        sequence = of_sequence;
        position = offset;
        fill();
    }
    std::uint32_t next() {
        const std::uint32_t word = words[position % 4];
        if (++position % 4 == 0) fill();
        return word;
    }
    // In (0, 1].
    float next_float() { return float(next()) * 2.3283064e-10f + 1.1641532e-10f; }
    double next_double() {
        const std::uint64_t high = next();
        return double(high << 21 ^ next() >> 11) * 0x1p-53 + 0x1p-54;
    }
    // Standard normal, by Box and Muller.
    float next_normal() {
        const float radius = std::sqrt(-2.0f * std::log(next_float()));
        return radius * std::sin(6.2831853f * next_float());
    }
    double next_normal_double() {
        const double radius = std::sqrt(-2.0 * std::log(next_double()));
        return radius * std::sin(6.283185307179586 * next_double());
    }

  private:
    void fill() {
        const std::uint64_t block = position / 4;
        Philox{{std::uint32_t(block), std::uint32_t(block >> 32), std::uint32_t(sequence),
                std::uint32_t(sequence >> 32)},
               {std::uint32_t(seed), std::uint32_t(seed >> 32)}}(words);
    }
};

}  // namespace tilereel::runtime
