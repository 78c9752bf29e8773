// A trace that goes from one process to another through shared memory, piece by piece.
#include "instrumentation/trace/file/handed_trace.h"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "tests/trace/same_trace.h"
#include "tests/trace/sample_trace.h"

namespace tilereel::tests::handed_trace_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;

// A receiver, and a sender that tells it of each piece.
class HandedTrace : public ::testing::Test {
  protected:
    explicit HandedTrace(std::uint64_t memory_bytes = kEnough)
        : receiver_(TraceReceiver::make(memory_bytes)) {}
    TraceSender sender() {
        Result<TraceSender> opened = TraceSender::open(receiver_->descriptor(), [this] {
            ++pieces_;
            if (takes_) receiver_.value().take();
        });
        check(opened.has_value());
        return std::move(opened).value();
    }
    Result<Trace> taken() { return receiver_.value().finish(); }

    Result<TraceReceiver> receiver_;
    int pieces_ = 0;     // sent
    bool takes_ = true;  // the receiver takes each piece as it comes
};

class SmallHandedTrace : public HandedTrace {
  protected:
    SmallHandedTrace() : HandedTrace(1000) {}
};

// Long columns, of which each has another width, and which do not fill whole pieces.
Trace long_trace() {
    Trace trace = sample_trace();
    for (std::uint32_t i = 0; i < 1'000'003; ++i) {
        trace.words.push_back(i * 2654435761u);
        trace.records.site.push_back(static_cast<std::uint16_t>(i % 7));
    }
    for (std::uint64_t i = 0; i < 70'001; ++i) trace.segments.record_begin.push_back(i << 20);
    return trace;
}

TEST_F(HandedTrace, ArrivesAsItWas) {
    sender().finish(sample_trace());
    const Result<Trace> trace = taken();
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(first_difference(*trace, sample_trace()), "");
}

TEST_F(HandedTrace, LongColumnsArriveAsTheyWere) {
    const Trace before = long_trace();
    sender().finish(before);
    EXPECT_GT(pieces_, int{SharedPieces::kPieces});
    const Result<Trace> trace = taken();
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->words, before.words);
    EXPECT_EQ(trace->records.site, before.records.site);
    EXPECT_EQ(trace->segments.record_begin, before.segments.record_begin);
}

// A third of its columns at a time, as the blocks of a launch are recorded.
TEST_F(HandedTrace, ArrivesInPartsAsItWas) {
    const Trace before = long_trace();
    TraceSender sender = this->sender();
    Trace part = before;
    const auto send_part = [&](std::size_t begin, std::size_t end) {
        const auto cut = [&](auto& to, const auto& from) {
            const auto at = [&](std::size_t third) {
                return from.begin() + static_cast<std::ptrdiff_t>(from.size() * third / 3);
            };
            to.assign(at(begin), at(end));
        };
        cut(part.words, before.words);
        cut(part.records.site, before.records.site);
        cut(part.segments.record_begin, before.segments.record_begin);
        sender.send_records(RecordColumns::of(part), 3);
        part.records = {};
        part.segments = {};
        part.words = {};
    };
    for (std::size_t third = 0; third < 3; ++third) send_part(third, third + 1);
    sender.finish(part);
    const Result<Trace> trace = taken();
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->words, before.words);
    EXPECT_EQ(trace->records.site, before.records.site);
    EXPECT_EQ(trace->records.base, before.records.base);
    EXPECT_EQ(trace->segments.record_begin, before.segments.record_begin);
    EXPECT_EQ(trace->sites.size(), before.sites.size());
}

// The sender waits when the shared memory is full, and goes on when a piece is released.
TEST_F(HandedTrace, TheSenderWaitsForTheReceiver) {
    takes_ = false;
    const Trace before = long_trace();
    std::atomic<bool> ended{false};
    std::jthread sending([&] {
        sender().finish(before);
        ended = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(ended);
    while (!ended) receiver_.value().take();
    sending.join();
    const Result<Trace> trace = taken();
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->words, before.words);
}

// The other process was stopped while it recorded.
TEST_F(HandedTrace, IsRefusedIfItIsNotWhole) {
    Trace part = long_trace();
    sender().send_records(RecordColumns::of(part), 1);
    const Result<Trace> trace = taken();
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message, HasSubstr("record it again"));
}

TEST_F(HandedTrace, IsRefusedIfNothingCame) {
    const Result<Trace> trace = taken();
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message, HasSubstr("record it again"));
}

// A damaged length of a section must not lead out of the piece.
TEST_F(HandedTrace, IsRefusedIfASectionIsLongerThanItsPiece) {
    takes_ = false;
    sender().finish(sample_trace());
    const off_t bytes = lseek(receiver_->descriptor(), 0, SEEK_END);
    const off_t section = bytes - off_t{SharedPieces::kPieces * SharedPieces::kPieceBytes} + 4;
    const std::uint32_t wrong = 0x7fffffff;
    ASSERT_EQ(pwrite(receiver_->descriptor(), &wrong, sizeof wrong, section), 4);
    const Result<Trace> trace = taken();
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message, HasSubstr("record it again"));
}

TEST_F(SmallHandedTrace, IsRefusedIfItIsLargerThanTheLimit) {
    sender().finish(long_trace());
    const Result<Trace> trace = taken();
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message, HasSubstr("the limit is 1000 bytes"));
}

TEST(SharedPieces, MemoryOfAnotherSizeIsRefused) {
    const int descriptor = memfd_create("test", MFD_CLOEXEC);
    ASSERT_GE(descriptor, 0);
    ASSERT_EQ(ftruncate(descriptor, 4096), 0);
    EXPECT_FALSE(SharedPieces::map(descriptor));
    close(descriptor);
    EXPECT_FALSE(SharedPieces::map(descriptor));
}

}  // namespace
}  // namespace tilereel::tests::handed_trace_test
