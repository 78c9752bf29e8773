#pragma once
// Transfers a trace from one process of Tilereel to another while it is recorded: the raw columns,
// without checksums. The sender keeps none of what it has sent. Traces from other sources are files
// (trace_file.h).
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/shared_pieces.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

class TraceSender {
  public:
    // `descriptor`: TraceReceiver::descriptor(). `tell` lets the receiver know that it shall call
    // take(); the sender waits for it when the shared memory is full.
    static Result<TraceSender> open(int descriptor, std::function<void()> tell);
    // Sends the records, segments and words, and empties these columns. `times`: the whole trace
    // has about so many times as many; a hint.
    void send_records(Trace& trace, double times);
    // Sends what is left in those columns, and all other parts of the trace.
    void finish(Trace trace);

  private:
    TraceSender(SharedPieces pieces, std::function<void()> tell)
        : pieces_(std::move(pieces)), tell_(std::move(tell)) {}
    void put(std::uint32_t column, const void* data, std::uint64_t bytes, std::uint64_t expected);
    void send_piece();

    SharedPieces pieces_;
    std::function<void()> tell_;
    std::byte* piece_ = nullptr;  // the one that is being filled; null: none
    std::size_t filled_ = 0;
};

class TraceReceiver {
  public:
    // kFailed if the system provides no memory. A trace that exceeds `memory_bytes` is refused.
    static Result<TraceReceiver> make(std::uint64_t memory_bytes);
    [[nodiscard]] int descriptor() const { return pieces_.descriptor(); }
    // Takes what has arrived.
    void take();
    // The trace after all has been taken. Checks that every column is complete, but not its
    // content. kFailed: the sender did not finish, the trace exceeds the limit, or memory has run
    // out.
    Result<Trace> finish();

  private:
    TraceReceiver(SharedPieces pieces, std::uint64_t memory_bytes)
        : pieces_(std::move(pieces)), memory_bytes_(memory_bytes) {}
    void take_piece(std::span<const std::byte> piece);
    [[nodiscard]] bool append(std::uint32_t column, std::span<const std::byte> data,
                              std::uint64_t expected);
    void give_up();

    SharedPieces pieces_;
    std::uint64_t memory_bytes_;
    std::uint64_t bytes_ = 0;         // received so far
    Trace trace_;                     // of it the columns that grow
    std::vector<std::uint8_t> rest_;  // the other parts
    // Elements of each column, at last of the rest, whose memory is present.
    std::array<std::size_t, 11> populated_{};
    bool is_complete_ = false, is_broken_ = false, is_out_of_memory_ = false;
};

}  // namespace tilereel
