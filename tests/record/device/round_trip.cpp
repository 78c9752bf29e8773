#include "tests/record/device/round_trip.h"

#include <gtest/gtest.h>

#include "instrumentation/trace/trace_check.h"

namespace tilereel::testing {

Trace recorded(std::string_view kernel, const KernelParameters& parameters,
               std::uint32_t interval) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    request.workers = 1;
    request.accumulator_interval = interval;
    Result<Trace> trace = record_with_emulator(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

void expect_round_trip(const Trace& trace) {
    const auto back = [&](const std::vector<WarpRecords>& warps, const std::string& how) {
        const Result<Trace> converted = convert(trace, warps);
        ASSERT_TRUE(converted) << how << ": " << converted.error().message;
        EXPECT_EQ(difference_but_for_time(trace, *converted), "") << how;
        EXPECT_EQ(converted->records.clock.size(), converted->records.size()) << how;
    };
    back(as_device_records(trace, Convergence::kTogether), "together");
    for (const std::uint32_t group : {1u, 5u, 16u})
        back(as_device_records(trace, Convergence::kInGroups, 1, group), "in groups");
    for (std::uint32_t seed = 1; seed <= 4; ++seed)
        back(as_device_records(trace, Convergence::kScattered, seed),
             "scattered by " + std::to_string(seed));
}

void expect_sound_wherever_cut(const Trace& trace, std::uint32_t most_room) {
    for (const auto convergence : {Convergence::kTogether, Convergence::kScattered}) {
        const auto warps = as_device_records(trace, convergence);
        for (std::uint32_t room = 0; room < most_room; ++room) {
            Result<Trace> converted = convert(trace, warps, 1, 1, room);
            ASSERT_TRUE(converted) << room << ": " << converted.error().message;
            const Status sound = check_trace(*converted);
            EXPECT_TRUE(sound) << room << ": " << sound.error().message;
        }
    }
}

}  // namespace tilereel::testing
