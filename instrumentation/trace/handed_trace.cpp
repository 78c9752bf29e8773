#include "instrumentation/trace/handed_trace.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "instrumentation/base/bytes_text.h"
#include "instrumentation/base/reserve_column.h"
#include "instrumentation/trace/trace_file_columns.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMark = 0x74696c657265656c;  // the last word of a complete trace
constexpr std::uint64_t kAlignment = 8;              // of each column

std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Writes each column as its size in bytes, then its bytes, then zeros up to the alignment.
class Writer {
  public:
    explicit Writer(int descriptor) : descriptor_(descriptor) {}
    template <class T>
    void put(std::vector<T>& column) {
        const std::uint64_t bytes = column.size() * sizeof(T);
        write_bytes(&bytes, sizeof bytes);
        write_bytes(column.data(), bytes);
        constexpr char kNothing[kAlignment] = {};
        write_bytes(kNothing, aligned(bytes) - bytes);
        column = {};
    }
    void put_mark() { write_bytes(&kMark, sizeof kMark); }
    [[nodiscard]] Status status() const { return error_ ? Status(*error_) : Status(Done{}); }

  private:
    void write_bytes(const void* data, std::uint64_t bytes) {
        const char* from = static_cast<const char*>(data);
        while (!error_ && bytes > 0) {
            const ssize_t written = write(descriptor_, from, bytes);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) {
                error_ = failed("the recording cannot be handed over: " +
                                std::string(std::strerror(errno)));
                return;
            }
            from += written;
            bytes -= static_cast<std::uint64_t>(written);
        }
    }
    int descriptor_;
    std::optional<Error> error_;
};

// Reads the columns in pieces, and frees their pages after that.
class Reader {
  public:
    Reader(int descriptor, std::uint64_t bytes)
        : descriptor_(descriptor), bytes_(bytes), piece_(kPiece / sizeof(std::max_align_t)) {}
    template <class T>
    void take(std::vector<T>& column) {
        static_assert(kPiece % sizeof(T) == 0);
        std::uint64_t left = 0;
        if (!read_bytes(&left, sizeof left)) return;
        if (left > bytes_ - at_ || aligned(left) > bytes_ - at_ || left % sizeof(T) != 0) {
            failed_ = true;
            return;
        }
        const std::uint64_t end = at_ + aligned(left);
        reserve_column(column, left / sizeof(T));
        populate_column(column, left / sizeof(T));
        while (left > 0) {
            const std::uint64_t bytes = std::min(left, kPiece);
            if (!read_bytes(piece_.data(), bytes)) return;
            const auto* const values = reinterpret_cast<const T*>(piece_.data());
            column.insert(column.end(), values, values + bytes / sizeof(T));
            left -= bytes;
            free_behind();
        }
        at_ = end;
    }
    [[nodiscard]] bool ends_with_mark() {
        std::uint64_t mark = 0;
        return read_bytes(&mark, sizeof mark) && at_ == bytes_ && mark == kMark;
    }
    [[nodiscard]] bool has_failed() const { return failed_; }

  private:
    static constexpr std::uint64_t kPiece = std::uint64_t{128} << 10;  // fits in a core's cache
    bool read_bytes(void* to, std::uint64_t bytes) {
        failed_ = failed_ || bytes > bytes_ - at_;
        for (char* at = static_cast<char*>(to); !failed_ && bytes > 0;) {
            const ssize_t got = pread(descriptor_, at, bytes, static_cast<off_t>(at_));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) {
                failed_ = true;
                break;
            }
            at += got;
            at_ += static_cast<std::uint64_t>(got);
            bytes -= static_cast<std::uint64_t>(got);
        }
        return !failed_;
    }
    void free_behind() {
        constexpr std::uint64_t kPages = std::uint64_t{1} << 20;
        const std::uint64_t end = at_ / kPages * kPages;
        if (end == freed_) return;
        static_cast<void>(fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                    static_cast<off_t>(freed_), static_cast<off_t>(end - freed_)));
        freed_ = end;
    }
    int descriptor_;
    std::uint64_t bytes_, at_ = 0, freed_ = 0;
    std::vector<std::max_align_t> piece_;
    bool failed_ = false;
};

Error not_whole() { return failed("the recording was not handed over whole; record it again"); }

}  // namespace

Result<MemoryFile> MemoryFile::make() {
    const int descriptor = memfd_create("tilereel trace", MFD_CLOEXEC);
    if (descriptor < 0)
        return failed("the system gives no memory to share: " + std::string(std::strerror(errno)));
    return MemoryFile(descriptor);
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MemoryFile::~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
}

Status hand_over(Trace trace, int descriptor) {
    FileTables tables = tables_of(trace);
    std::vector<std::uint8_t> meta = meta_of(trace);
    Writer writer(descriptor);
    writer.put(meta);
    visit_columns(trace, tables, kTraceFormatVersion,
                  [&](const std::string&, auto& column, unsigned) { writer.put(column); });
    writer.put_mark();
    return writer.status();
}

Result<Trace> take_over(int descriptor, std::uint64_t memory_bytes) {
    struct stat facts {};
    if (fstat(descriptor, &facts) != 0 || facts.st_size <= 0) return not_whole();
    const auto bytes = static_cast<std::uint64_t>(facts.st_size);
    if (bytes > memory_bytes)
        return failed("the recording takes " + bytes_text(bytes) + ", the limit is " +
                      bytes_text(memory_bytes) + "; record a smaller product or raise the limit");
    Reader reader(descriptor, bytes);
    std::vector<std::uint8_t> meta;
    reader.take(meta);
    if (reader.has_failed()) return not_whole();
    Trace trace;
    const Result<int> version = restore_meta(meta, trace);
    if (!version) return not_whole();
    FileTables tables;
    tables.more_sources.resize(trace.more_sources.size());
    visit_columns(trace, tables, *version,
                  [&](const std::string&, auto& column, unsigned) { reader.take(column); });
    if (!reader.ends_with_mark()) return not_whole();
    if (const Status restored = restore_tables(tables, *version, trace); !restored)
        return restored.error();
    return trace;
}

}  // namespace tilereel
