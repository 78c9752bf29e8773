// Blocks recorded by several workers at once: the trace is that of one worker.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "instrumentation/record/record_blocks.h"

namespace tilereel::recording_test {
namespace {

constexpr std::uint32_t kBlocks = 60;

// Block b has b % 5 records at clocks 100 b and on, with a pattern of its own, and a store's values
// in each. Some blocks take longer than those after them.
class MadeUp final : public BlockRecorder {
  public:
    Status begin_batch(Batch& batch, std::uint32_t, std::uint32_t) override {
        batch_ = &batch;
        site_ = batch.add_site(
            {.line = 7, .array = 0, .operation = Operation::kStore, .width_bytes = 4});
        return Done{};
    }
    Status run(std::uint32_t block) override {
        if (block % 7 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        batch_->begin_segment(block, 0, 0);
        for (std::uint32_t i = 0; i < block % 5; ++i) {
            LaneWords offsets{}, values{};
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
                offsets[lane] = 4 * block * (lane + 1);
                values[lane] = 1000 * block + i;
            }
            batch_->add_access(site_, offsets.data(), 0xffffffff);
            batch_->keep_clock(100 * block + i);
            batch_->add_values(values.data(), 0xffffffff, 1);
        }
        batch_->end_segment();
        return Done{};
    }

  private:
    Batch* batch_ = nullptr;
    SiteId site_ = 0;
};

Trace recorded_by(unsigned workers) {
    Trace trace;
    const BlockRange range{.first = 0, .blocks = kBlocks, .batch_blocks = 2, .workers = workers};
    const Status recorded = record_blocks(
        range, [] { return std::make_unique<MadeUp>(); }, trace, nullptr);
    EXPECT_TRUE(recorded);
    return trace;
}

TEST(Recording, BlocksComeInOrderHoweverManyWorkersThereAre) {
    for (const unsigned workers : {1u, 2u, 5u, 16u}) {
        SCOPED_TRACE(workers);
        const Trace trace = recorded_by(workers);
        ASSERT_EQ(trace.segments.size(), kBlocks);  // also those without a record
        ASSERT_EQ(trace.records.size(), kBlocks / 5 * (0 + 1 + 2 + 3 + 4));
        ASSERT_EQ(trace.sites.size(), 1u);
        EXPECT_EQ(trace.patterns.size(), kBlocks - kBlocks / 5);
        std::size_t record = 0;
        for (std::uint32_t block = 0; block < kBlocks; ++block) {
            EXPECT_EQ(trace.segments.block[block], block);
            EXPECT_EQ(trace.segments.record_begin[block], record);
            EXPECT_EQ(trace.segments.value_begin[block], record * kWarpSize);
            for (std::uint32_t i = 0; i < block % 5; ++i, ++record) {
                EXPECT_EQ(trace.records.clock[record], 100 * block + i);
                EXPECT_EQ(trace.records.base[record], 4 * block);
                EXPECT_EQ(trace.patterns[trace.records.pattern[record]].delta_bytes[0],
                          static_cast<std::int32_t>(4 * block));
                EXPECT_EQ(trace.words[record * kWarpSize + 31], 1000 * block + i);
            }
        }
        EXPECT_EQ(trace.segments.record_begin[kBlocks], record);
        EXPECT_EQ(trace.segments.value_begin[kBlocks], record * kWarpSize);
    }
}

// A batch that fails ends the recording, and its error is reported.
TEST(Recording, ReportsTheErrorOfTheFirstFailingBatch) {
    class Failing final : public BlockRecorder {
      public:
        Status begin_batch(Batch&, std::uint32_t, std::uint32_t) override { return Done{}; }
        Status run(std::uint32_t block) override {
            if (block % 10 != 9) return Done{};
            return failed("block " + std::to_string(block));
        }
    };
    for (const unsigned workers : {1u, 4u}) {
        Trace trace;
        const Status recorded = record_blocks(
            {.first = 0, .blocks = kBlocks, .batch_blocks = 1, .workers = workers},
            [] { return std::make_unique<Failing>(); }, trace, nullptr);
        ASSERT_FALSE(recorded);
        EXPECT_EQ(recorded.error().message, "block 9");
    }
}

}  // namespace
}  // namespace tilereel::recording_test
