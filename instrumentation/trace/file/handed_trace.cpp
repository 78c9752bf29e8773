#include "instrumentation/trace/file/handed_trace.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "instrumentation/base/format/bytes_text.h"
#include "instrumentation/base/reserve_column.h"
#include "instrumentation/trace/file/trace_file_columns.h"

namespace tilereel {
namespace {

// A piece of shared memory holds sections: each is this header, then elements of one column, then
// padding to kAlignment.
struct Section {
    std::uint32_t column = 0;
    std::uint32_t bytes = 0;
    std::uint64_t expected = 0;  // estimated bytes of the whole column
};
constexpr std::size_t kAlignment = 8;
static_assert(sizeof(Section) % kAlignment == 0);

// The columns that are sent while they grow. A column's number is its position in this list, which
// is that of RecordColumns.
template <class Visit>
void visit_growing(Trace& trace, Visit&& visit) {
    std::uint32_t number = 0;
    visit(number++, trace.records.site);
    visit(number++, trace.records.pattern);
    visit(number++, trace.records.base);
    visit(number++, trace.records.clock);
    visit(number++, trace.segments.block);
    visit(number++, trace.segments.epoch);
    visit(number++, trace.segments.warp);
    visit(number++, trace.segments.record_begin);
    visit(number++, trace.segments.value_begin);
    visit(number++, trace.words);
}
template <class Visit>
void visit_growing(const RecordColumns& columns, Visit&& visit) {
    std::uint32_t number = 0;
    visit(number++, columns.site);
    visit(number++, columns.pattern);
    visit(number++, columns.base);
    visit(number++, columns.clock);
    visit(number++, columns.block);
    visit(number++, columns.epoch);
    visit(number++, columns.warp);
    visit(number++, columns.record_begin);
    visit(number++, columns.value_begin);
    visit(number++, columns.words);
}
constexpr std::uint32_t kRest =
    100;  // the other parts of the trace, each column as its size in bytes and its bytes
constexpr std::uint32_t kEnd = 101;  // the trace is complete

std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Reads what TraceSender::finish() sent, column by column.
class ColumnReader {
  public:
    explicit ColumnReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}
    template <class T>
    void take(std::vector<T>& column) {
        std::uint64_t bytes = 0;
        if (left_.size() < sizeof bytes) return fail();
        std::memcpy(&bytes, left_.data(), sizeof bytes);
        left_ = left_.subspan(sizeof bytes);
        if (bytes > left_.size() || bytes % sizeof(T) != 0) return fail();
        column.resize(bytes / sizeof(T));
        if (bytes > 0) std::memcpy(column.data(), left_.data(), bytes);
        left_ = left_.subspan(bytes);
    }
    [[nodiscard]] bool has_failed() const { return has_failed_; }
    [[nodiscard]] bool is_at_end() const { return !has_failed_ && left_.empty(); }

  private:
    void fail() {
        has_failed_ = true;
        left_ = {};
    }
    std::span<const std::uint8_t> left_;
    bool has_failed_ = false;
};

template <class Column>
std::uint64_t bytes_of(const Column& column) {
    return column.size() * sizeof(typename Column::value_type);
}

Error incomplete() {
    return failed("the recording arrived incomplete from the recording process; record it again");
}

}  // namespace

Result<TraceSender> TraceSender::open(int descriptor, std::function<void()> notify) {
    SharedPieces pieces = TRY(SharedPieces::map(descriptor));
    return TraceSender(std::move(pieces), std::move(notify));
}

void TraceSender::send_piece() {
    pieces_.send(filled_);
    piece_ = nullptr;
    filled_ = 0;
    notify_();
}

void TraceSender::put(std::uint32_t column, const void* data, std::uint64_t bytes,
                      std::uint64_t expected) {
    const auto* from = static_cast<const std::byte*>(data);
    do {
        if (SharedPieces::kPieceBytes - filled_ <= sizeof(Section)) send_piece();
        if (piece_ == nullptr) piece_ = pieces_.next();
        const std::uint64_t room = SharedPieces::kPieceBytes - filled_ - sizeof(Section);
        const std::uint64_t count = std::min(bytes, room);
        const Section section{
            .column = column, .bytes = static_cast<std::uint32_t>(count), .expected = expected};
        std::memcpy(piece_ + filled_, &section, sizeof section);
        if (count > 0) std::memcpy(piece_ + filled_ + sizeof section, from, count);
        filled_ += sizeof section + aligned(count);
        from += count;
        bytes -= count;
    } while (bytes > 0);
}

void TraceSender::send_records(const RecordColumns& columns, double times) {
    visit_growing(columns, [&](std::uint32_t number, const auto& column) {
        const std::uint64_t bytes = column.size_bytes();
        const double expected = static_cast<double>(bytes) * times;
        if (bytes > 0) put(number, column.data(), bytes, static_cast<std::uint64_t>(expected));
    });
}

void TraceSender::finish(Trace trace) {
    send_records(RecordColumns::of(trace), 1);
    trace.records = {};
    trace.segments = {};
    trace.words = {};
    const FileTables tables = tables_of(trace);
    const std::vector<std::uint8_t> meta = meta_of(trace);
    std::uint64_t expected = 0;
    const auto visit_rest = [&](auto&& visit) {
        visit(meta);
        visit_columns(std::as_const(trace), tables,
                      [&](const std::string&, const auto& column, unsigned) { visit(column); });
    };
    visit_rest([&](const auto& column) { expected += sizeof expected + bytes_of(column); });
    visit_rest([&](const auto& column) {
        const std::uint64_t bytes = bytes_of(column);
        put(kRest, &bytes, sizeof bytes, expected);
        if (bytes > 0) put(kRest, column.data(), bytes, expected);
    });
    put(kEnd, nullptr, 0, 0);
    send_piece();
}

Result<TraceReceiver> TraceReceiver::make(std::uint64_t memory_bytes) {
    SharedPieces pieces = TRY(SharedPieces::make());
    return TraceReceiver(std::move(pieces), memory_bytes);
}

void TraceReceiver::take() {
    while (const std::optional<std::span<const std::byte>> piece = pieces_.received()) {
        try {
            take_piece(*piece);
        } catch (const std::bad_alloc&) {
            is_out_of_memory_ = true;
            give_up();
        }
        pieces_.release();
    }
}

// Drops what was received. The sender continues, so later pieces are released without being kept.
void TraceReceiver::give_up() {
    trace_ = {};
    rest_ = {};
}

void TraceReceiver::take_piece(std::span<const std::byte> piece) {
    while (!piece.empty() && !is_broken_) {
        Section section;
        is_broken_ = is_complete_ || piece.size() < sizeof section;
        if (is_broken_) break;
        std::memcpy(&section, piece.data(), sizeof section);
        piece = piece.subspan(sizeof section);
        is_broken_ = piece.size() < aligned(section.bytes);
        if (is_broken_) break;
        bytes_ += section.bytes;
        if (bytes_ > memory_bytes_) give_up();
        if (section.column == kEnd)
            is_complete_ = true;
        else if (bytes_ <= memory_bytes_ && !is_out_of_memory_)
            is_broken_ = !append(section.column, piece.first(section.bytes), section.expected);
        piece = piece.subspan(aligned(section.bytes));
    }
    if (is_broken_) give_up();
}

bool TraceReceiver::append(std::uint32_t number, std::span<const std::byte> data,
                           std::uint64_t expected) {
    bool fits = false;
    const auto add = [&](auto& column, std::size_t& populated) {
        using T = std::remove_reference_t<decltype(column[0])>;
        fits = data.size() % sizeof(T) == 0;
        if (!fits) return;
        const std::size_t count = data.size() / sizeof(T);
        if (column.empty()) {
            reserve_column(column, std::min(expected, memory_bytes_) / sizeof(T));
            populated = 0;
        }
        constexpr std::size_t kMoreElements = (std::size_t{1} << 20) / sizeof(T);
        if (const std::size_t size = column.size() + count; size > populated) {
            populated = std::min(size + kMoreElements, column.capacity());
            if (size <= populated) populate_column(column, populated - column.size());
        }
        const auto* const from = reinterpret_cast<const T*>(data.data());
        column.insert(column.end(), from, from + count);
    };
    if (number == kRest) add(rest_, populated_.back());
    visit_growing(trace_, [&](std::uint32_t its_number, auto& column) {
        if (number == its_number) add(column, populated_[number]);
    });
    return fits;
}

Result<Trace> TraceReceiver::finish() {
    take();
    if (is_out_of_memory_)
        return failed("the computer has run out of memory; record a smaller product");
    if (bytes_ > memory_bytes_)
        return failed("the recording takes " + bytes_text(bytes_) + ", the limit is " +
                      bytes_text(memory_bytes_) + "; record a smaller product or raise the limit");
    if (!is_complete_ || is_broken_) return incomplete();
    ColumnReader reader(rest_);
    std::vector<std::uint8_t> meta;
    reader.take(meta);
    if (reader.has_failed()) return incomplete();
    Trace trace;
    if (!restore_meta(meta, trace)) return incomplete();
    FileTables tables;
    tables.more_sources.resize(trace.more_sources.size());
    visit_columns(trace, tables,
                  [&](const std::string&, auto& column, unsigned) { reader.take(column); });
    if (!reader.is_at_end()) return incomplete();
    TRY(restore_tables(tables, trace));
    trace.records = std::move(trace_.records);
    trace.segments = std::move(trace_.segments);
    trace.words = std::move(trace_.words);
    return trace;
}

}  // namespace tilereel
