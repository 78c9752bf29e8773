// A whole recording on a GPU that is host memory: the passes, the limits, every error.
#include "instrumentation/record/device/gpu_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/record/device/recorder.h"
#include "instrumentation/trace/trace_check.h"
#include "tests/record/device/converted.h"
#include "tests/record/device/fake_gpu.h"

namespace tilereel::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RecordRequest request_of(std::string_view kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    request.workers = 2;
    return request;
}

std::string message_of(const Result<Trace>& trace) {
    return trace ? std::string("recorded") : trace.error().message;
}

TEST(GpuRecorder, GivesTheEmulatorsTraceWithClocksAndMultiprocessors) {
    for (const auto convergence : {Convergence::kTogether, Convergence::kScattered}) {
        FakeGpu gpu;
        gpu.convergence = convergence;
        const RecordRequest request = request_of("10_tiled_any_size", {33, 20, 17, 8, 1});
        const Result<Trace> emulated = record_with_emulator(request);
        GpuTimes times;
        const Result<Trace> trace = record_with_gpu(request, gpu, nullptr, &times);
        ASSERT_TRUE(trace) << trace.error().message;
        EXPECT_EQ(difference_but_for_time(*emulated, *trace), "");
        EXPECT_TRUE(trace->complete);
        EXPECT_EQ(trace->recorded_by.recorder, "gpu");
        EXPECT_EQ(trace->recorded_by.device, "Fake 9000");
        EXPECT_EQ(trace->recorded_by.driver, "123.45");
        EXPECT_EQ(trace->records.clock.size(), trace->records.size());
        ASSERT_EQ(trace->multiprocessors.size(), trace->launch.blocks());
        for (std::uint32_t block = 0; block < trace->launch.blocks(); ++block)
            EXPECT_EQ(trace->multiprocessors[block], block % 132);
        EXPECT_TRUE(check_trace(*trace));
        EXPECT_GE(times.records, trace->records.size());
        EXPECT_GT(times.convert_ms, 0);
        EXPECT_EQ(gpu.live_allocations(), 0u);
    }
}

TEST(GpuRecorder, KernelsWithSharedMemoryDeclaredAtLaunch) {
    for (const auto& [kernel, parameters] : std::vector<std::pair<const char*, KernelParameters>>{
             {"06_single_block", {9, 13, 7, 16, 1}}, {"11_tiled_dynamic", {16, 24, 8, 8, 2}}}) {
        FakeGpu gpu;
        const RecordRequest request = request_of(kernel, parameters);
        const Result<Trace> emulated = record_with_emulator(request);
        const Result<Trace> trace = record_with_gpu(request, gpu);
        ASSERT_TRUE(trace) << trace.error().message;
        EXPECT_EQ(difference_but_for_time(*emulated, *trace), "");
    }
}

TEST(GpuRecorder, MatricesOfTheCallersOwn) {
    FakeGpu gpu;
    RecordRequest request = request_of("09_tiled", {8, 8, 8, 8});
    request.inputs = random_inputs(8, 8, 8, 77);
    const Result<Trace> trace = record_with_gpu(request, gpu);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->a, request.inputs.a);
    EXPECT_EQ(trace->launch.seed, 0u);
}

TEST(GpuRecorder, LanesThatPartMoreInTheSecondPassGetMoreRoom) {
    FakeGpu gpu;
    gpu.convergence = Convergence::kScattered;  // otherwise in each pass
    const RecordRequest request = request_of("09_tiled", {16, 16, 16, 16});
    const Result<Trace> trace = record_with_gpu(request, gpu);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_TRUE(trace->complete);
    EXPECT_GT(gpu.runs, 2);
}

TEST(GpuRecorder, WhatNeverFitsIsLeftOutAndSaidSo) {
    FakeGpu gpu;
    gpu.parts_more_each_pass = true;  // each pass has twice as many records as the one before
    const RecordRequest request = request_of("09_tiled", {16, 16, 16, 16});
    const Result<Trace> trace = record_with_gpu(request, gpu);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_FALSE(trace->complete);
    EXPECT_EQ(gpu.runs, 4);
    EXPECT_TRUE(check_trace(*trace));
    const Result<Trace> whole = record_with_emulator(request);
    EXPECT_LT(trace->records.size(), whole->records.size());
    EXPECT_GT(trace->records.size(), 0u);
}

TEST(GpuRecorder, AGpuWithLittleMemoryRecordsTheFirstBlocks) {
    const RecordRequest request = request_of("09_tiled", {64, 64, 16, 16});
    const Result<Trace> whole = record_with_emulator(request);
    FakeGpu gpu;
    constexpr std::uint64_t kKeptFree = 64 << 20;
    gpu.memory_bytes = kKeptFree + whole->records.size() * 144 / 3;
    const Result<Trace> trace = record_with_gpu(request, gpu);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_FALSE(trace->complete);
    EXPECT_LE(gpu.most_bytes, gpu.memory_bytes);
    const std::uint32_t last = trace->segments.block.back();
    EXPECT_GT(last, 0u);
    EXPECT_LT(last, 15u);
    EXPECT_NE(trace->multiprocessors[last], Trace::kNotRecorded);
    EXPECT_EQ(trace->multiprocessors[last + 1], Trace::kNotRecorded);
    EXPECT_TRUE(check_trace(*trace));
    // Those blocks are whole: the emulator's first segments.
    EXPECT_TRUE(std::equal(trace->segments.record_begin.begin(), trace->segments.record_begin.end(),
                           whole->segments.record_begin.begin()));
    EXPECT_EQ(trace->c, whole->c);
}

TEST(GpuRecorder, AGpuWithoutRoomForABlockIsASentence) {
    FakeGpu gpu;
    gpu.memory_bytes = 1 << 20;
    EXPECT_THAT(message_of(record_with_gpu(request_of("09_tiled", {64, 64, 64, 16}), gpu)),
                HasSubstr("too little free memory"));
}

TEST(GpuRecorder, FaultsOfTheKernelAreSentences) {
    FakeGpu gpu;
    gpu.faults = {.count = 1, .line = 22, .array = 1, .misaligned = 0, .index = -4, .limit = 64};
    EXPECT_EQ(message_of(record_with_gpu(request_of("09_tiled", {8, 8, 8, 8}), gpu)),
              "index -4 is outside 0..63 of B on line 22; correct the kernel");
    gpu.faults = {.count = 9, .line = 7, .array = 4, .misaligned = 1, .index = 12, .limit = 16};
    EXPECT_EQ(message_of(record_with_gpu(request_of("09_tiled", {8, 8, 8, 8}), gpu)),
              "byte 12 is not a multiple of 16 in shared array 2 on line 7 (9 such accesses); "
              "correct the kernel");
}

TEST(GpuRecorder, AWrongProductIsRecordedAndCounted) {
    FakeGpu gpu;
    gpu.wrong_product = true;
    const Result<Trace> trace = record_with_gpu(request_of("09_tiled", {8, 8, 8, 8}), gpu);
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_TRUE(trace->wrong_elements.has_value());
    EXPECT_GT(*trace->wrong_elements, 0u);
}

// Whichever call to the GPU fails first, its sentence comes out, and nothing is left allocated.
TEST(GpuRecorder, EveryCallThatFailsIsReported) {
    const RecordRequest request = request_of("09_tiled", {16, 16, 16, 8});
    FakeGpu sound;
    ASSERT_TRUE(record_with_gpu(request, sound));
    ASSERT_GT(sound.calls, 30);
    for (int call = 1; call <= sound.calls; ++call) {
        FakeGpu gpu;
        gpu.fails_at_call = call;
        EXPECT_EQ(message_of(record_with_gpu(request, gpu)), "the GPU was lost") << call;
        EXPECT_EQ(gpu.live_allocations(), 0u) << call;
    }
}

TEST(GpuRecorder, RefusesWhatWouldNotFitBeforeAnythingRuns) {
    FakeGpu gpu;
    RecordRequest request = request_of("09_tiled", {512, 512, 512, 16});
    request.memory_limit_bytes = 1 << 20;
    EXPECT_THAT(message_of(record_with_gpu(request, gpu)), HasSubstr("the limit is 1024 KiB"));
    EXPECT_EQ(gpu.calls, 0);
}

TEST(GpuRecorder, WrongCallsAreRefusedBeforeAnythingRuns) {
    FakeGpu gpu;
    const auto refused = [&](const RecordRequest& request) {
        const Result<Trace> trace = record_with_gpu(request, gpu);
        EXPECT_FALSE(trace);
        EXPECT_EQ(trace.error().kind, ErrorKind::kWrongCall);
        return trace.error().message;
    };
    EXPECT_THAT(refused(request_of("none", {})), HasSubstr("no kernel"));
    EXPECT_THAT(refused(request_of("09_tiled", {60, 64, 64, 16})), HasSubstr("use 64"));
    EXPECT_THAT(refused(request_of("02_naive", {1 << 20, 2, 1, 2})), HasSubstr("65535"));
    RecordRequest without_barrier = request_of("09_tiled", {});
    without_barrier.removed_barrier =
        static_cast<std::uint32_t>(find_kernel("09_tiled")->barriers[0].line);
    EXPECT_THAT(refused(without_barrier), HasSubstr("emulator"));
    EXPECT_EQ(gpu.calls, 0);
}

TEST(GpuRecorder, BoxesNeedACopyEngine) {
    const RecordRequest request = request_of("20_champion", {33, 17, 19, 16});
    FakeGpu gpu;
    gpu.capability = 89;
    const Result<Trace> refused = record_with_gpu(request, gpu);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::kWrongCall);
    EXPECT_EQ(refused.error().message,
              "20_champion needs a GPU of compute capability 9.0, this one has 8.9; record it with "
              "the emulator");
    EXPECT_EQ(gpu.calls, 0);
    gpu.capability = 90;
    const Result<Trace> emulated = record_with_emulator(request);
    const Result<Trace> trace = record_with_gpu(request, gpu);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(difference_but_for_time(*emulated, *trace), "");
    EXPECT_TRUE(check_trace(*trace));
}

TEST(GpuRecorder, CancellingStopsBetweenThePasses) {
    FakeGpu gpu;
    RecordProgress progress;
    gpu.during_run = [&] { progress.cancel = true; };
    EXPECT_EQ(message_of(record_with_gpu(request_of("09_tiled", {16, 16, 16, 8}), gpu, &progress)),
              "cancelled");
    EXPECT_EQ(gpu.runs, 1);
}

TEST(GpuRecorder, ProgressCountsBlocks) {
    FakeGpu gpu;
    RecordProgress progress;
    ASSERT_TRUE(record_with_gpu(request_of("09_tiled", {32, 32, 16, 16}), gpu, &progress));
    EXPECT_EQ(progress.blocks.load(), 4u);
    EXPECT_EQ(progress.blocks_done.load(), 4u);
}

// On a machine without a GPU; where there is one, tests/hardware holds it to the emulator.
TEST(Recorder, WithoutAGpuAutoTakesTheEmulatorAndSaysWhy) {
    if (open_gpu()) GTEST_SKIP() << "there is a GPU";
    for (RecordRequest request :
         {request_of("09_tiled", {8, 8, 8, 8}), request_of("20_champion", {16, 16, 8, 16})}) {
        request.recorder = Recorder::kGpu;
        const Result<Trace> refused = record(request);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, HasSubstr("emulator"));
        EXPECT_THAT(refused.error().message, Not(HasSubstr("\n")));
        request.recorder = Recorder::kAuto;
        std::string why;
        const Result<Trace> trace = record(request, nullptr, &why);
        ASSERT_TRUE(trace) << trace.error().message;
        EXPECT_EQ(trace->recorded_by.recorder, "emulator");
        EXPECT_EQ(why, refused.error().message);
    }
}

}  // namespace
}  // namespace tilereel::testing
