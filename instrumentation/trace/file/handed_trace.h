#pragma once
// Transfers a trace from one process of Tilereel to another while it is recorded: the raw columns,
// without checksums. The sender keeps none of what it has sent. Traces from other sources are files
// (trace_file.h).
//
//   the program: Batch  --put()-->  SharedPieces, mapped by both  --append()-->  Trace  of Tilereel
//
// So a record is copied twice: from the columns in which the recorder collects it to a piece, and
// from there to the trace. A piece is small enough to stay in the caches of a core.
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/file/shared_pieces.h"
#include "instrumentation/trace/record_columns.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

class TraceSender {
  public:
    // `descriptor`: TraceReceiver::descriptor(). `notify` makes the receiver call take(). If the
    // shared memory is full, the sender waits until the receiver has done so.
    static Result<TraceSender> open(int descriptor, std::function<void()> notify);
    // Sends the next records, segments and words. `times`: an estimate of the length of these
    // columns in the whole trace, divided by their present length.
    void send_records(const RecordColumns& columns, double times);
    // Sends the last of those columns, and all other parts of the trace.
    void finish(Trace trace);

  private:
    TraceSender(SharedPieces pieces, std::function<void()> notify)
        : pieces_(std::move(pieces)), notify_(std::move(notify)) {}
    void put(std::uint32_t column, const void* data, std::uint64_t bytes, std::uint64_t expected);
    void send_piece();

    SharedPieces pieces_;
    std::function<void()> notify_;
    std::byte* piece_ = nullptr;  // the piece that is being filled; null: none
    std::size_t filled_ = 0;      // bytes of that piece
};

class TraceReceiver {
  public:
    // kFailed if the system provides no memory. A trace that exceeds `memory_bytes` is refused.
    static Result<TraceReceiver> make(std::uint64_t memory_bytes);
    [[nodiscard]] int descriptor() const { return pieces_.descriptor(); }
    // Appends the pieces that have arrived.
    void take();
    // Takes the last pieces and returns the trace. Checks that every column is complete, but not
    // its content. kFailed: the sender did not finish, the trace exceeds the limit, or memory has
    // run out.
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
    Trace trace_;                     // only its growing columns are filled
    std::vector<std::uint8_t> rest_;  // the other parts
    // For each growing column, and last for rest_: the number of elements whose pages are
    // populated.
    std::array<std::size_t, 11> populated_{};
    bool is_complete_ = false, is_broken_ = false, is_out_of_memory_ = false;
};

}  // namespace tilereel
