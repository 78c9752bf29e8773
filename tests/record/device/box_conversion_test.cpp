// Boxes of the copy engine and barriers in shared memory, from device records into a trace.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/dialect/boxes_emulated.h"
#include "tests/record/device/round_trip.h"
#include "tests/record/emulate.h"

namespace tilereel::testing {
namespace {

using ::testing::HasSubstr;

// A row of lanes that speak of different phases is a record for each phase, all at one time.
void lanes_arrive_at_two_barriers(Global<const float>, Global<const float>, Global<float> C,
                                  Shape) {
    const MBarrier barriers(2);
    const int i = threadIdx.x;
    if (i == 0) barriers[0].init(16), barriers[1].init(16);
    __syncthreads();
    barriers[i % 2].arrive();
    barriers[1 - i % 2].wait(0);
    C[i] = 1.0f;
}

TEST(BoxConversion, LanesThatSpeakOfDifferentPhases) {
    const Result<Trace> trace = emulate_kernel<lanes_arrive_at_two_barriers>({.in_order = true});
    ASSERT_TRUE(trace) << trace.error().message;
    expect_round_trip(*trace);
    const auto warps = as_device_records(*trace, Convergence::kTogether);
    const Result<Trace> converted = convert(*trace, warps);
    ASSERT_TRUE(converted);
    std::vector<std::uint64_t> arrivals;
    for (std::size_t i = 0; i < converted->records.size(); ++i)
        if (converted->sites[site_of(*converted, i)].operation == Operation::kArrive)
            arrivals.push_back(converted->records.clock[i]);
    EXPECT_EQ(arrivals.size(), 2u);
}

// The pieces of a box come when their thread wrote them, one after another.
TEST(BoxConversion, PiecesOfBoxesKeepTheirClocks) {
    const Trace trace = recorded("20_champion", {16, 16, 8, 16});
    const auto warps = as_device_records(trace, Convergence::kTogether);
    const Result<Trace> converted = convert(trace, warps);
    ASSERT_TRUE(converted);
    std::vector<std::uint64_t> written, kept;
    for (const device::DeviceRecord& record : warps.at(0).records) {
        const device::DeviceOperation operation = device::site_operation(record.site);
        if (device::is_of_engine(operation) && operation != device::DeviceOperation::kBoxWord)
            written.push_back(record.clock);
    }
    for (std::size_t i = 0; i < converted->records.size(); ++i)
        if (is_of_engine(*converted, converted->sites[site_of(*converted, i)]))
            kept.push_back(converted->records.clock[i]);
    EXPECT_EQ(written.size(), 4u);  // 16 x 8 and 8 x 16: 32 pieces each, read and written
    EXPECT_EQ(kept, written);
}

// Makes 6 barriers, then asks for boxes: 2 x 3 stages of pieces of 16 and of 4 bytes, and zeros.
TEST(BoxConversion, CutOffAnywhereItStaysSound) {
    expect_sound_wherever_cut(recorded("20_champion", {9, 9, 20, 16}), 130);
}

TEST(BoxConversion, BoxesThatMakeNoSenseAreASentence) {
    using device::DeviceOperation;
    using device::site_operation;
    const Trace trace = recorded("20_champion", {16, 16, 8, 16});
    const auto first_of = [](WarpRecords& warp, DeviceOperation operation) {
        return std::ranges::find_if(warp.records, [&](const device::DeviceRecord& record) {
            return site_operation(record.site) == operation;
        });
    };
    const auto damaged = [&](auto&& damage) {
        auto warps = as_device_records(trace, Convergence::kTogether);
        damage(warps[0]);
        const Result<Trace> converted = convert(trace, warps);
        return converted ? std::string("converted") : converted.error().message;
    };
    EXPECT_EQ(damaged([](WarpRecords&) {}), "converted");
    for (const auto operation :
         {DeviceOperation::kBoxLoad, DeviceOperation::kBoxStore, DeviceOperation::kBoxWord}) {
        EXPECT_THAT(damaged([&](WarpRecords& w) { first_of(w, operation)->mask = 0; }),
                    HasSubstr("no sense"));
        EXPECT_THAT(damaged([&](WarpRecords& w) {
                        first_of(w, operation)->site =
                            device::pack_site(1, 0, 16, DeviceOperation::kLoad);
                    }),
                    HasSubstr("no sense"));
    }
    // Pieces of nobody's box.
    EXPECT_THAT(damaged([&](WarpRecords& w) {
                    first_of(w, DeviceOperation::kStartBox)->site =
                        device::pack_site(1, 0, 0, DeviceOperation::kArrive);
                }),
                HasSubstr("no sense"));
}

}  // namespace
}  // namespace tilereel::testing
