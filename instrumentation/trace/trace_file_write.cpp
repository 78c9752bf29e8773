// Writing the trace file: .npy members, deflated, with fixed timestamps, so that the same trace
// gives the same bytes.
#include <algorithm>
#include <cerrno>
#include <deque>
#include <new>
#include <optional>
#include <span>

#include "instrumentation/base/replacing_file.h"
#include "instrumentation/trace/npy.h"
#include "instrumentation/trace/trace_check.h"
#include "instrumentation/trace/trace_file.h"
#include "instrumentation/trace/trace_file_columns.h"
#include "instrumentation/trace/zip_handles.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kFastDeflate = 1;  // of 1..9
constexpr std::uint16_t kDosMidnight = 0;
constexpr std::uint16_t kDosFirstOfJanuary1980 = 1u << 5 | 1u;  // the earliest date of a zip entry

// libzip writes the archive through this into a ReplacingFile. While an archive is made, libzip
// fails only for want of memory.
struct Sink {
    ReplacingFile file;
    std::optional<Error> error;  // the first

    // Called from C: throws nothing.
    std::int64_t write(const void* data, std::uint64_t bytes) noexcept {
        try {
            const Status written = file.write({static_cast<const std::byte*>(data), bytes});
            if (written) return static_cast<std::int64_t>(bytes);
            if (!error) error = written.error();
        } catch (const std::bad_alloc&) {  // for the sentence
        }
        return -1;
    }
    std::int64_t seek(void* data, std::uint64_t bytes) {
        const std::int64_t position =
            zip_source_seek_compute_offset(file.position(), file.size(), data, bytes, nullptr);
        if (position < 0) return -1;
        file.seek(static_cast<std::uint64_t>(position));
        return 0;
    }
};

std::int64_t describe_new_archive(void* data, std::uint64_t bytes) {
    if (bytes < sizeof(zip_stat_t)) return -1;
    auto* stat = static_cast<zip_stat_t*>(data);
    zip_stat_init(stat);
    stat->valid = ZIP_STAT_SIZE;
    stat->size = 0;
    return sizeof(zip_stat_t);
}

std::int64_t report_error(void* data, std::uint64_t bytes) {
    if (bytes < 2 * sizeof(int)) return -1;
    static_cast<int*>(data)[0] = ZIP_ER_WRITE;
    static_cast<int*>(data)[1] = EIO;
    return 2 * sizeof(int);
}

// zip_source_callback. The archive is new, so there is never anything to read.
zip_int64_t serve_sink(void* state, void* data, zip_uint64_t bytes, zip_source_cmd_t command) {
    auto& sink = *static_cast<Sink*>(state);
    switch (command) {
        case ZIP_SOURCE_SUPPORTS:
            return ZIP_SOURCE_SUPPORTS_WRITABLE;
        case ZIP_SOURCE_STAT:
            return describe_new_archive(data, bytes);
        case ZIP_SOURCE_ERROR:
            return report_error(data, bytes);
        case ZIP_SOURCE_WRITE:
            return sink.write(data, bytes);
        case ZIP_SOURCE_SEEK_WRITE:
            return sink.seek(data, bytes);
        case ZIP_SOURCE_TELL_WRITE:
            return static_cast<zip_int64_t>(sink.file.position());
        default:  // open, close, begin, commit, roll back, free: the ReplacingFile's own business
            return 0;
    }
}

class ArchiveWriter {
  public:
    explicit ArchiveWriter(Sink& sink) : sink_(sink) {
        ZipError error;
        ZipSource source(zip_source_function_create(&serve_sink, &sink, error.get()));
        if (source == nullptr) throw std::bad_alloc();
        archive_.reset(zip_open_from_source(source.get(), ZIP_CREATE | ZIP_TRUNCATE, error.get()));
        if (archive_ == nullptr) throw std::bad_alloc();
        static_cast<void>(source.release());  // the archive's now
    }

    // `column` must live until close().
    template <class T>
    void add(const char* name, const std::vector<T>& column, unsigned columns) {
        std::vector<std::uint64_t> shape{column.size()};
        if (columns != 0) shape = {column.size() / columns, columns};
        headers_.push_back(make_npy_header(kDescr<T>, shape));
        const std::string& header = headers_.back();
        const zip_buffer_fragment_t fragments[] = {
            {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(header.data())), header.size()},
            {reinterpret_cast<zip_uint8_t*>(const_cast<T*>(column.data())),
             column.size() * sizeof(T)}};
        zip_source_t* source =
            zip_source_buffer_fragment(archive_.get(), fragments, column.empty() ? 1 : 2, 0);
        if (source == nullptr) throw std::bad_alloc();
        const zip_int64_t index =
            zip_file_add(archive_.get(), name, source, ZIP_FL_ENC_UTF_8);  // takes the source
        if (index < 0) {
            zip_source_free(source);
            throw std::bad_alloc();
        }
        const auto entry = static_cast<zip_uint64_t>(index);
        zip_set_file_compression(archive_.get(), entry, ZIP_CM_DEFLATE, kFastDeflate);
        zip_file_set_dostime(archive_.get(), entry, kDosMidnight, kDosFirstOfJanuary1980, 0);
    }

    Status close() {
        if (zip_close(archive_.get()) == 0) {
            static_cast<void>(archive_.release());
            return Done{};
        }
        if (sink_.error) return *sink_.error;
        return failed("cannot write the trace: " + std::string(zip_strerror(archive_.get())));
    }

  private:
    Sink& sink_;
    std::deque<std::string> headers_;  // stay where they are while more are added
    Zip archive_;
};

}  // namespace

Status write_trace(const Trace& trace, const std::filesystem::path& path) {
    if (const Status checked = check_trace(trace); !checked)
        return failed("this trace cannot be kept in a file: " + checked.error().message);
    auto file = ReplacingFile::open(path);
    if (!file) return file.error();
    Sink sink{*std::move(file), std::nullopt};
    const std::vector<std::uint8_t> meta = meta_of(trace);
    const FileTables tables = tables_of(trace);
    ArchiveWriter writer(sink);
    writer.add(kMetaMember.data(), meta, 0);
    visit_columns(trace, tables, [&](const char* name, const auto& column, unsigned columns) {
        if (!is_optional(name) || !column.empty()) writer.add(name, column, columns);
    });
    if (const Status closed = writer.close(); !closed) return closed;
    return sink.file.commit();
}

}  // namespace tilereel
