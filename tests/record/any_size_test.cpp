// 10_tiled_any_size at every M, N and K from 1 to 40. record_with_emulator() fails on a wrong
// product. In parts, by M, so that they can run side by side.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "instrumentation/base/sanitizers.h"
#include "instrumentation/record/record.h"

namespace tilereel {
namespace {

#if defined(NDEBUG) && !TILEREEL_THREAD_SANITIZER && !TILEREEL_ADDRESS_SANITIZER
constexpr int kEvery = 1;
#else
constexpr int kEvery = 37;  // triples that are tried
#endif

// Which TILE a triple gets: neighbours differ, and those that take long come up less often.
KernelParameters parameters_of(int m, int n, int k) {
    auto mixed = static_cast<std::uint32_t>((m * 41 + n) * 41 + k) * 2654435761u;
    mixed = (mixed ^ mixed >> 15) % 128;
    const int tile = mixed < 1 ? 32 : mixed < 4 ? 16 : mixed < 10 ? 2 : mixed < 30 ? 8 : 4;
    return {.m = m, .n = n, .k = k, .tile = tile, .pad = (m + n + k) % 3};
}

class AnySize : public ::testing::TestWithParam<int> {};

TEST_P(AnySize, EveryTripleIsRight) {
    constexpr int kParts = 8, kLargest = 40;
    for (int m = GetParam() + 1; m <= kLargest; m += kParts)
        for (int n = 1; n <= kLargest; ++n)
            for (int k = 1; k <= kLargest; ++k) {
                if ((m * 1600 + n * 40 + k) % kEvery != 0) continue;
                RecordRequest request;
                request.kernel = "10_tiled_any_size";
                request.parameters = parameters_of(m, n, k);
                request.workers = 1;
                request.accumulator_interval = 1 << 20;  // partial sums are not looked at
                const Result<Trace> trace = record_with_emulator(request);
                ASSERT_TRUE(trace) << m << 'x' << n << 'x' << k << " TILE "
                                   << request.parameters.tile << ": " << trace.error().message;
            }
}
INSTANTIATE_TEST_SUITE_P(EveryExtentTo40, AnySize, ::testing::Range(0, 8));

// Each TILE meets each extent as M, as N and as K.
TEST(AnySizeTiles, MeetEveryExtent) {
    std::array<std::set<std::pair<int, int>>, 3> met;
    for (int m = 1; m <= 40; ++m)
        for (int n = 1; n <= 40; ++n)
            for (int k = 1; k <= 40; ++k) {
                const int tile = parameters_of(m, n, k).tile;
                met[0].emplace(tile, m);
                met[1].emplace(tile, n);
                met[2].emplace(tile, k);
            }
    for (const auto& pairs : met) EXPECT_EQ(pairs.size(), 5u * 40);
}

}  // namespace
}  // namespace tilereel
