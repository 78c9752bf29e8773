#include "instrumentation/trace/handed_trace.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "instrumentation/base/bytes_text.h"
#include "instrumentation/base/reserve_column.h"
#include "instrumentation/trace/trace_file_columns.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMark = 0x74696c657265656c;  // the last word: the trace is complete
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

class Reader {
  public:
    Reader(const char* begin, std::uint64_t bytes) : begin_(begin), bytes_(bytes) {}
    template <class T>
    void take(std::vector<T>& column) {
        std::uint64_t bytes = 0;
        if (bytes_ - at_ < sizeof bytes) return fail();
        std::memcpy(&bytes, begin_ + at_, sizeof bytes);
        at_ += sizeof bytes;
        if (bytes > bytes_ - at_ || aligned(bytes) > bytes_ - at_ || bytes % sizeof(T) != 0)
            return fail();
        const T* const values = reinterpret_cast<const T*>(begin_ + at_);
        reserve_column(column, bytes / sizeof(T));
        column.assign(values, values + bytes / sizeof(T));
        at_ += aligned(bytes);
        free_behind();
    }
    [[nodiscard]] bool ends_with_mark() const {
        std::uint64_t mark = 0;
        if (failed_ || bytes_ - at_ != sizeof mark) return false;
        std::memcpy(&mark, begin_ + at_, sizeof mark);
        return mark == kMark;
    }
    [[nodiscard]] bool has_failed() const { return failed_; }

  private:
    void fail() {
        failed_ = true;
        at_ = bytes_;
    }
    // Frees whole pages that have been read.
    void free_behind() {
        constexpr std::uint64_t kPages = std::uint64_t{1} << 20;
        const std::uint64_t end = at_ / kPages * kPages;
        if (end == freed_) return;
        static_cast<void>(madvise(const_cast<char*>(begin_) + freed_, end - freed_, MADV_REMOVE));
        freed_ = end;
    }
    const char* begin_;
    std::uint64_t bytes_, at_ = 0, freed_ = 0;
    bool failed_ = false;
};

// Maps the whole file into memory; the destructor unmaps it.
class Mapping {
  public:
    Mapping(int descriptor, std::uint64_t bytes)
        : bytes_(bytes),
          address_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                        descriptor, 0)) {}
    ~Mapping() {
        if (address_ != MAP_FAILED) munmap(address_, bytes_);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    [[nodiscard]] const char* begin() const {
        return address_ == MAP_FAILED ? nullptr : static_cast<const char*>(address_);
    }

  private:
    std::uint64_t bytes_;
    void* address_;
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
    const Mapping mapping(descriptor, bytes);
    if (mapping.begin() == nullptr) return not_whole();
    Reader reader(mapping.begin(), bytes);
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
