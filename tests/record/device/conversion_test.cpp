// Device records back into the trace they were made of, however the lanes ran.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/record/device/round_trip.h"
#include "tests/record/emulate.h"

namespace tilereel::testing {
namespace {

using ::testing::HasSubstr;

struct Case {
    const char* kernel;
    KernelParameters parameters;
};

// Every kernel: whole warps, less than a warp, several warps, edges that do not divide.
TEST(DeviceConversion, EveryKernelComesBackAsTheEmulatorRecordedIt) {
    const std::vector<Case> cases = {{"01_naive_by_column", {16, 16, 5, 16}},
                                     {"01_naive_by_column", {19, 7, 9, 8}},
                                     {"02_naive", {8, 8, 8, 2}},
                                     {"02_naive", {21, 37, 6, 16}},
                                     {"03_guide_simple", {16, 32, 16, 16}},
                                     {"03_guide_simple", {8, 4, 4, 4}},
                                     {"04_guide_a_shared", {32, 16, 16, 16, 1}},
                                     {"04_guide_a_shared", {6, 4, 2, 2}},
                                     {"05_guide_ab_shared", {32, 32, 32, 32, 1}},
                                     {"05_guide_ab_shared", {8, 8, 4, 4, 2}},
                                     {"06_single_block", {9, 13, 7, 16}},
                                     {"06_single_block", {32, 32, 8, 16, 1}},
                                     {"07_tiled_b_uncoalesced", {32, 16, 48, 16}},
                                     {"07_tiled_b_uncoalesced", {4, 6, 8, 2, 1}},
                                     {"08_tiled_b_transposed", {32, 32, 64, 32, 1}},
                                     {"08_tiled_b_transposed", {16, 8, 24, 8}},
                                     {"09_tiled", {48, 32, 32, 16}},
                                     {"09_tiled", {8, 4, 12, 4, 2}},
                                     {"10_tiled_any_size", {33, 17, 19, 16}},
                                     {"10_tiled_any_size", {5, 9, 7, 4, 1}},
                                     {"10_tiled_any_size", {40, 33, 31, 32}},
                                     {"11_tiled_dynamic", {32, 48, 16, 16, 1}},
                                     {"11_tiled_dynamic", {8, 8, 16, 8}},
                                     {"12_outer_product", {16, 64, 32, 16}},
                                     {"13_outer_product_unrolled", {32, 64, 16, 16, 1}},
                                     {"14_outer_product_prefetch", {16, 128, 48, 16}},
                                     {"15_register_tile", {16, 32, 16, 16}},
                                     {"15_register_tile", {128, 128, 16, 128}},
                                     {"16_vectorized", {8, 16, 16, 8, 4}},
                                     {"16_vectorized", {64, 64, 8, 64}},
                                     {"17_swizzled", {32, 64, 16, 32}},
                                     {"18_warp_tiled", {64, 32, 16, 32}},
                                     {"18_warp_tiled", {128, 128, 16, 128}},
                                     {"19_async_pipeline", {16, 8, 40, 8}},
                                     {"19_async_pipeline", {32, 64, 24, 32}},
                                     {"20_champion", {16, 32, 40, 16}},
                                     {"20_champion", {33, 17, 19, 16}},
                                     {"20_champion", {40, 36, 1, 32}},
                                     {"20_champion", {70, 90, 40, 256}}};
    std::set<std::string_view> seen;
    for (const Case& each : cases) {
        SCOPED_TRACE(each.kernel);
        expect_round_trip(recorded(each.kernel, each.parameters));
        seen.insert(each.kernel);
    }
    for (const KernelInfo& kernel : catalog())
        EXPECT_TRUE(kernel.on_cpu || seen.contains(kernel.id)) << kernel.id;
}

TEST(DeviceConversion, KeepsTheSumsThatTheEmulatorKeeps) {
    for (const std::uint32_t interval : {2u, 3u, 16u, 1000u}) {
        const KernelParameters parameters{20, 18, 21, 8, 1};
        const Trace all = recorded("10_tiled_any_size", parameters);
        const Trace some = recorded("10_tiled_any_size", parameters, interval);
        for (const auto convergence : {Convergence::kTogether, Convergence::kScattered}) {
            const Result<Trace> converted =
                convert(all, as_device_records(all, convergence), interval);
            ASSERT_TRUE(converted);
            EXPECT_EQ(difference_but_for_time(some, *converted), "") << interval;
        }
    }
}

TEST(DeviceConversion, IsTheSameForAnyNumberOfWorkers) {
    const Trace trace = recorded("09_tiled", {64, 64, 16, 16});
    const auto warps = as_device_records(trace, Convergence::kScattered);
    const Result<Trace> one = convert(trace, warps, 1, 1), three = convert(trace, warps, 1, 3);
    ASSERT_TRUE(one && three);
    EXPECT_EQ(difference_but_for_time(*one, *three), "");
    EXPECT_EQ(one->records.clock, three->records.clock);
}

__global__ void wide(Global<const float> A, Global<const float> B, Global<float> C, Shape) {
    SHARED(float4, s, 40);
    const unsigned i = threadIdx.x;
    s[i] = as<const float4>(A)[i];
    __syncthreads();
    as<float4>(C)[i] = s[39 - i];
    float2 pair{1, 2};
    if (i % 3 == 0) pair = as<const float2>(B)[i + 1];
    as<float2>(C + 256)[i] = pair;
}

TEST(DeviceConversion, AccessesOfEightAndSixteenBytes) {
    const Result<Trace> trace = emulate_kernel<wide>({.block = {40, 1, 1}});
    ASSERT_TRUE(trace) << trace.error().message;
    expect_round_trip(*trace);
}

__global__ void lanes_part(Global<const float> A, Global<const float> B, Global<float> C, Shape) {
    SHARED(float, s, 70);
    const unsigned i = threadIdx.x;
    if (i == 69) return;  // never comes to a barrier
    Accumulator<float> sum, other;
    for (unsigned k = 0; k < i * 7 % 5; ++k) {
        sum += A[k] * B[i];
        if ((i ^ k) % 2 == 0) other += A[i + k] * B[k];
    }
    s[i] = sum;
    __syncwarp();
    if (i % 4 == 1)
        s[i] = other;
    else if (i % 4 == 2)
        C[i] = B[i];
    __syncthreads();
    if (i > 40) return;  // within a warp
    if (i % 2 == 0) C[100 + i] = s[i + 1];
    __syncthreads();
    C[i] = s[i];
}

TEST(DeviceConversion, LanesThatPartLoopUnequallyAndLeaveEarly) {
    for (const std::uint32_t threads : {5u, 32u, 41u, 70u}) {
        const Result<Trace> trace = emulate_kernel<lanes_part>({.block = {threads, 1, 1}});
        ASSERT_TRUE(trace) << trace.error().message;
        expect_round_trip(*trace);
    }
}

// Some lanes wait for the warp, others for the block, on lines of their own.
__global__ void mixed_barriers(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    const unsigned i = threadIdx.x;
    float x = A[i];
    if (i < 8) {
        __syncwarp();
        x = A[i + 1];
        __syncwarp();
        C[i + 32] = x;
        __syncthreads();
    } else if (i < 16) {
        __syncwarp();
        C[i + 32] = x;
        __syncthreads();
    } else {
        __syncthreads();
    }
    C[i] = x;
}

TEST(DeviceConversion, LanesAtDifferentBarriers) {
    const Result<Trace> trace = emulate_kernel<mixed_barriers>({.block = {48, 1, 1}});
    ASSERT_TRUE(trace) << trace.error().message;
    expect_round_trip(*trace);
}

__global__ void does_nothing(Global<const float>, Global<const float>, Global<float>, Shape) {}

TEST(DeviceConversion, AKernelThatRecordsNothing) {
    const Result<Trace> trace = emulate_kernel<does_nothing>();
    ASSERT_TRUE(trace);
    expect_round_trip(*trace);
}

TEST(DeviceConversion, ClocksAreThoseOfTheRecords) {
    const Trace trace = recorded("09_tiled", {8, 8, 8, 8});
    const auto warps = as_device_records(trace, Convergence::kTogether);
    const Result<Trace> converted = convert(trace, warps);
    ASSERT_TRUE(converted);
    std::multiset<std::uint64_t> expected,
        found(converted->records.clock.begin(), converted->records.clock.end());
    for (const WarpRecords& warp : warps)
        for (const device::DeviceRecord& record : warp.records)
            if (device::site_operation(record.site) != device::DeviceOperation::kStoredWord)
                expected.insert(record.clock);
    EXPECT_EQ(found, expected);
    for (std::size_t i = 0; i < converted->segments.size(); ++i)
        EXPECT_TRUE(std::is_sorted(
            converted->records.clock.begin() + std::ptrdiff_t(converted->segments.record_begin[i]),
            converted->records.clock.begin() +
                std::ptrdiff_t(converted->segments.record_begin[i + 1])));
}

TEST(DeviceConversion, AClockIsThatOfTheFirstLaneThere) {
    const Trace trace = recorded("02_naive", {1, 8, 3, 8});  // 8 lanes, all do the same
    auto warps = as_device_records(trace, Convergence::kInGroups, 1, 2);
    const Result<Trace> converted = convert(trace, warps);
    ASSERT_TRUE(converted);
    EXPECT_EQ(converted->records.clock.at(0), warps.at(0).records.at(0).clock);
    EXPECT_EQ(converted->records.clock.at(1), warps.at(0).records.at(4).clock);
}

TEST(DeviceConversion, CutOffAnywhereItStaysSound) {
    expect_sound_wherever_cut(recorded("10_tiled_any_size", {9, 9, 9, 8}), 130);
}

TEST(DeviceConversion, RecordsThatMakeNoSenseAreASentence) {
    const Trace trace = recorded("09_tiled", {8, 8, 8, 8});
    const auto damaged = [&](auto&& damage) {
        auto warps = as_device_records(trace, Convergence::kTogether);
        damage(warps[0]);
        const Result<Trace> converted = convert(trace, warps);
        return converted ? std::string("converted") : converted.error().message;
    };
    using device::DeviceOperation;
    EXPECT_EQ(damaged([](WarpRecords&) {}), "converted");
    EXPECT_THAT(damaged([](WarpRecords& w) { w.records[0].site = 0; }), HasSubstr("no sense"));
    EXPECT_THAT(damaged([](WarpRecords& w) { w.records[0].site |= 7; }), HasSubstr("no sense"));
    EXPECT_THAT(damaged([](WarpRecords& w) { w.records[0].site |= 0xff00; }),
                HasSubstr("no sense"));
    EXPECT_THAT(damaged([](WarpRecords& w) {
                    w.records[0].site = device::pack_site(20, 0, 4, DeviceOperation::kStoredWord);
                }),
                HasSubstr("no sense"));
    EXPECT_THAT(damaged([](WarpRecords& w) {
                    for (auto& record : w.records) record.mask = 0;
                }),
                HasSubstr("no sense"));
}

}  // namespace
}  // namespace tilereel::testing
