// Writes a trace file: .npy members with fixed timestamps, so that the same trace gives the same
// bytes. All cores deflate one member after another, and libzip copies the result.
#include <algorithm>
#include <cerrno>
#include <deque>
#include <new>
#include <optional>
#include <span>

#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/no_memory.h"
#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/deflated_member.h"
#include "instrumentation/trace/file/npy.h"
#include "instrumentation/trace/file/trace_file.h"
#include "instrumentation/trace/file/trace_file_columns.h"
#include "instrumentation/trace/file/zip_handles.h"

namespace tilereel {
namespace {

constexpr std::uint16_t kDosMidnight = 0;
constexpr std::uint16_t kDosFirstOfJanuary1980 = 1u << 5 | 1u;  // the earliest date of a zip entry

// libzip writes the archive through this into a ReplacingFile. While an archive is built, libzip
// fails only if there is no memory.
struct Sink {
    ReplacingFile file;
    std::optional<Error> error;  // the first

    // Called from C: throws nothing.
    std::int64_t write(const void* data, std::uint64_t bytes) noexcept {
        try {
            const Status written = file.write({static_cast<const std::byte*>(data), bytes});
            if (written) return static_cast<std::int64_t>(bytes);
            if (!error) error = written.error();
        } catch (const std::bad_alloc&) {  // no memory for the error's text
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
        default:  // open, close, begin, commit, roll back, free: the ReplacingFile does these
            return 0;
    }
}

struct PackedMember {
    DeflatedMember member;
    std::optional<Error>* error;  // ArchiveWriter::error_, which keeps the first
};

std::int64_t describe_member(PackedMember& packed, void* data, std::uint64_t bytes) {
    if (bytes < sizeof(zip_stat_t)) return -1;
    if (const Status done = packed.member.pack(); !done) {
        if (!*packed.error) *packed.error = done.error();
        return -1;
    }
    auto* stat = static_cast<zip_stat_t*>(data);
    zip_stat_init(stat);
    stat->valid = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
    stat->size = packed.member.bytes();
    stat->comp_size = packed.member.packed_bytes();
    stat->comp_method = ZIP_CM_DEFLATE;
    stat->crc = packed.member.crc();
    return sizeof(zip_stat_t);
}

// zip_source_callback of one member, which is deflated when libzip first asks for it.
zip_int64_t serve_member(void* state, void* data, zip_uint64_t bytes, zip_source_cmd_t command) {
    auto& packed = *static_cast<PackedMember*>(state);
    switch (command) {
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ,
                                                  ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
        case ZIP_SOURCE_STAT:
            return describe_member(packed, data, bytes);
        case ZIP_SOURCE_OPEN:
            packed.member.rewind();
            return packed.member.pack() ? 0 : -1;
        case ZIP_SOURCE_READ:
            return static_cast<zip_int64_t>(
                packed.member.read({static_cast<std::byte*>(data), bytes}));
        case ZIP_SOURCE_CLOSE:
            return 0;
        case ZIP_SOURCE_ERROR:
            return report_error(data, bytes);
        case ZIP_SOURCE_FREE:
            packed.member.drop();
            return 0;
        default:
            return -1;
    }
}

class ArchiveWriter {
  public:
    ArchiveWriter(Sink& sink, Compression compression) : sink_(sink), compression_(compression) {
        ZipError error;
        ZipSource source(zip_source_function_create(&serve_sink, &sink, error.get()));
        if (source == nullptr) refuse_memory();
        archive_.reset(zip_open_from_source(source.get(), ZIP_CREATE | ZIP_TRUNCATE, error.get()));
        if (archive_ == nullptr) refuse_memory();
        static_cast<void>(source.release());  // the archive owns it now
    }

    // What `column` holds must live until close().
    template <class Column>
    void add(const std::string& name, const Column& column, unsigned columns) {
        using T = typename Column::value_type;
        std::vector<std::uint64_t> shape{column.size()};
        if (columns != 0) shape = {column.size() / columns, columns};
        const std::string header = make_npy_header(kDescr<T>, shape);
        zip_source_t* source = compression_ == Compression::kNone
                                   ? plain_source(header, std::as_bytes(std::span(column)))
                                   : packed_source(header, std::as_bytes(std::span(column)));
        if (source == nullptr) refuse_memory();
        const zip_int64_t index = zip_file_add(archive_.get(), name.c_str(), source,
                                               ZIP_FL_ENC_UTF_8);  // takes the source
        if (index < 0) {
            zip_source_free(source);
            refuse_memory();
        }
        const auto entry = static_cast<zip_uint64_t>(index);
        zip_set_file_compression(archive_.get(), entry,
                                 compression_ == Compression::kNone ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
                                 0);
        zip_file_set_dostime(archive_.get(), entry, kDosMidnight, kDosFirstOfJanuary1980, 0);
    }

    Status close() {
        if (zip_close(archive_.get()) == 0) {
            static_cast<void>(archive_.release());
            return Done{};
        }
        if (sink_.error) return *sink_.error;
        if (error_) return *error_;
        return failed("cannot write the trace: " + std::string(zip_strerror(archive_.get())));
    }

  private:
    zip_source_t* plain_source(const std::string& header, std::span<const std::byte> data) {
        headers_.push_back(header);
        const zip_buffer_fragment_t fragments[] = {
            {reinterpret_cast<zip_uint8_t*>(headers_.back().data()), header.size()},
            {reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(data.data())), data.size()}};
        return zip_source_buffer_fragment(archive_.get(), fragments, data.empty() ? 1 : 2, 0);
    }
    zip_source_t* packed_source(const std::string& header, std::span<const std::byte> data) {
        packed_.push_back({DeflatedMember(header, data), &error_});
        return zip_source_function(archive_.get(), &serve_member, &packed_.back());
    }

    Sink& sink_;
    Compression compression_;
    std::optional<Error> error_;
    std::deque<std::string> headers_;  // a deque, because libzip keeps their addresses
    std::deque<PackedMember> packed_;  // likewise
    Zip archive_;
};

}  // namespace

Status write_trace(const Trace& trace, const std::filesystem::path& path, Compression compression,
                   FileSync sync) {
    if (const Status checked = check_trace(trace); !checked)
        return failed("this trace cannot be kept in a file: " + checked.error().message);
    auto file = TRY(ReplacingFile::open(path, sync));
    Sink sink{std::move(file), std::nullopt};
    const std::vector<std::uint8_t> meta = meta_of(trace);
    const FileTables tables = tables_of(trace);
    ArchiveWriter writer(sink, compression);
    Digest digest;
    const bool is_kept = compression != Compression::kNone;
    writer.add(std::string(kMetaMember), meta, 0);
    if (is_kept) add_member(digest, kMetaMember, meta);
    visit_columns(trace, tables,
                  [&](const std::string& name, const auto& column, unsigned columns) {
                      if (!is_optional(name) || !column.empty()) writer.add(name, column, columns);
                      if (is_kept) add_member(digest, name, column);
                  });
    const std::vector<std::uint64_t> sums(digest.sums().begin(), digest.sums().end());
    if (is_kept) writer.add(std::string(kDigestMember), sums, 0);
    TRY(writer.close());
    return sink.file.commit();
}

}  // namespace tilereel
