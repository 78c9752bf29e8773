// Reads a trace file. Everything in it is checked before it is used, because the file can come from
// anywhere or be damaged.
#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "instrumentation/base/format/bytes_text.h"
#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/npy.h"
#include "instrumentation/trace/file/trace_file.h"
#include "instrumentation/trace/file/trace_file_columns.h"
#include "instrumentation/trace/file/zip_handles.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kLargestMeta = std::uint64_t{16} << 20;
constexpr std::uint64_t kLargestSource = std::uint64_t{33} << 20;  // with the header of the column
// Deflate's best ratio is 1032 to 1 (zlib, "Technical Details"). A larger declared size is wrong.
constexpr std::uint64_t kBestDeflateRatio = 1032;

struct Member {
    std::uint64_t index = 0;
    std::uint64_t bytes = 0;  // unpacked, as declared
};

// The members of one open archive. Errors complete "it ...".
class ArchiveReader {
  public:
    explicit ArchiveReader(Zip archive) : archive_(std::move(archive)) {}

    Status list(std::uint64_t memory_bytes) {
        const zip_int64_t entries = zip_get_num_entries(archive_.get(), 0);
        for (zip_int64_t i = 0; i < entries; ++i) {
            TRY(add(static_cast<zip_uint64_t>(i)));
        }
        for (const auto& [name, member] : members_) TRY(take(member.bytes, memory_bytes));
        return Done{};
    }
    // Counts bytes that the trace needs.
    Status take(std::uint64_t bytes, std::uint64_t memory_bytes) {
        if (!__builtin_add_overflow(taken_, bytes, &taken_) && taken_ <= memory_bytes)
            return Done{};
        return failed("it would need more memory than the limit of " + bytes_text(memory_bytes) +
                      "; record fewer or smaller phases, or raise the limit");
    }
    [[nodiscard]] const Member* find(std::string_view name) const {
        const auto found = members_.find(name);
        return found == members_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::map<std::string, Member, std::less<>>& members() const {
        return members_;
    }

    // `columns`: the second extent of a 2-D shape, or 0 for a 1-D one.
    template <class T>
    Status read(std::string_view name, std::vector<T>& column, unsigned columns) {
        const Member* member = find(name);
        if (!member) return failed("its member '" + std::string(name) + "' is missing");
        const ZipFile file(zip_fopen_index(archive_.get(), member->index, 0));
        if (!file) return damaged(name);
        const auto count = read_header(file.get(), *member, kDescr<T>, columns);
        if (!count)
            return failed("its member '" + std::string(name) + "' " + count.error().message);
        const std::uint64_t data_bytes = member->bytes - header_bytes_;
        if (*count > data_bytes / sizeof(T) || *count * sizeof(T) != data_bytes)
            return failed("its member '" + std::string(name) + "' does not hold what it declares");
        column.resize(*count);
        std::byte beyond{};
        // Reading past the end is what makes libzip compare the CRC.
        if (!read_exactly(file.get(), reinterpret_cast<std::byte*>(column.data()), data_bytes) ||
            zip_fread(file.get(), &beyond, 1) != 0)
            return damaged(name);
        return Done{};
    }

  private:
    static Error damaged(std::string_view name) {
        return failed("its member '" + std::string(name) + "' is damaged");
    }
    static bool read_exactly(zip_file_t* file, std::byte* data, std::uint64_t bytes) {
        while (bytes != 0) {
            const zip_int64_t got = zip_fread(file, data, bytes);
            if (got <= 0) return false;
            data += got;
            bytes -= static_cast<std::uint64_t>(got);
        }
        return true;
    }

    Status add(zip_uint64_t index) {
        zip_stat_t stat;
        constexpr zip_uint64_t kNeeded =
            ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
        if (zip_stat_index(archive_.get(), index, 0, &stat) != 0 ||
            (stat.valid & kNeeded) != kNeeded)
            return failed("its list of members is damaged");
        const std::string name = stat.name;
        if (name.starts_with("source") && stat.size > kLargestSource)
            return failed("its source has more than " + bytes_text(kLargestSource) +
                          "; record a program with shorter files");
        const bool packed = stat.comp_method == ZIP_CM_DEFLATE;
        if (!packed && stat.comp_method != ZIP_CM_STORE)
            return failed("its member '" + name + "' is packed in a way that a trace never is");
        if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
            return failed("its member '" + name + "' is encrypted");
        if (packed ? stat.size / kBestDeflateRatio > stat.comp_size + 1
                   : stat.size != stat.comp_size)
            return failed("its member '" + name + "' declares a size that it cannot have");
        if (!members_.emplace(name, Member{index, stat.size}).second)
            return failed("it has two members called '" + name + "'");
        return Done{};
    }

    // The number of elements in a member. Fails if the header is not what it must be.
    Result<std::uint64_t> read_header(zip_file_t* file, const Member& member,
                                      std::string_view descr, unsigned columns) {
        std::vector<std::byte> bytes(std::min<std::uint64_t>(kNpyPrefixBytes, member.bytes));
        if (!read_exactly(file, bytes.data(), bytes.size())) return failed("is damaged");
        const auto size = npy_header_bytes(bytes);
        if (!size || *size > member.bytes || *size < bytes.size())
            return failed("is no .npy column");
        const std::size_t have = bytes.size();
        bytes.resize(*size);
        if (!read_exactly(file, bytes.data() + have, *size - have)) return failed("is damaged");
        const auto header = parse_npy_header(bytes);
        if (!header) return failed("is no .npy column");
        if (header->descr != descr)
            return failed("has elements of type '" + header->descr + "' where a trace has '" +
                          std::string(descr) + "'");
        if (header->fortran_order) return failed("is in Fortran order");
        const auto& shape = header->shape;
        if (columns == 0 ? shape.size() != 1 : shape.size() != 2 || shape[1] != columns)
            return failed("has a shape that does not fit");
        header_bytes_ = *size;
        const auto count = element_count(*header);
        if (!count) return failed("has a shape that is larger than any memory");
        return count;
    }

    Zip archive_;
    std::map<std::string, Member, std::less<>> members_;
    std::uint64_t header_bytes_ = 0;  // of the member being read
    std::uint64_t taken_ = 0;         // bytes that the trace needs
};

// Whether the file begins with characters that a text has.
bool is_text(const std::filesystem::path& path) {
    std::array<char, 256> begin{};
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), begin.size());
    const std::string_view text(begin.data(), static_cast<std::size_t>(file.gcount()));
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t' || c == '\r';
    });
}

Result<ArchiveReader> open_archive(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return failed("there is no such file");
    if (std::filesystem::is_directory(status))
        return failed("it is a folder; name a CUDA program (.cu) or a trace (.npz) in it");
    if (!std::filesystem::is_regular_file(status)) return failed("it is not a plain file");
    int code = 0;
    Zip archive(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
    if (archive) return ArchiveReader(std::move(archive));
    if (code == ZIP_ER_OPEN || code == ZIP_ER_READ)
        return failed(std::generic_category().message(errno) + "; check its permissions");
    if (code == ZIP_ER_NOZIP && is_text(path))
        return failed(
            "it is a text file, no trace file; the name of a CUDA program ends in .cu, and "
            "'tilereel trace -o' makes a trace");
    if (code == ZIP_ER_NOZIP)
        return failed("it is no trace file, or is cut off; make one with 'tilereel trace -o'");
    return failed("it is damaged; record it again");
}

// Compares the members with the digest of the file, if it has one.
Status compare_digest(ArchiveReader& archive, const Digest& digest, Trace& trace) {
    if (archive.find(kDigestMember) == nullptr) return Done{};
    std::vector<std::uint64_t> sums;
    TRY(archive.read(kDigestMember, sums, 0));
    trace.changed_file = !std::ranges::equal(sums, digest.sums());
    return Done{};
}

Status read_columns(ArchiveReader& archive, Digest& digest, Trace& trace) {
    FileTables tables;
    tables.more_sources.resize(trace.more_sources.size());
    std::optional<Error> error;
    std::set<std::string, std::less<>> known{std::string(kMetaMember), std::string(kDigestMember)};
    visit_columns(trace, tables, [&](const std::string& name, auto& column, unsigned columns) {
        known.insert(name);
        if (error || (is_optional(name) && archive.find(name) == nullptr)) return;
        const Status read = archive.read(name, column, columns);
        if (!read) error = read.error();
        add_member(digest, name, column);
    });
    if (error) return *error;
    for (const auto& [name, member] : archive.members())
        if (!known.contains(name))
            return failed("it has a member '" + name + "' that a trace does not have");
    TRY(compare_digest(archive, digest, trace));
    return restore_tables(tables, trace);
}

Result<Trace> read_checked(const std::filesystem::path& path, const TraceReadLimits& limits) {
    auto archive = TRY(open_archive(path));
    TRY(archive.list(limits.memory_bytes));
    const Member* meta_member = archive.find(kMetaMember);
    if (!meta_member || meta_member->bytes > kLargestMeta)
        return failed("it is a zip file but no trace; make one with 'tilereel trace -o'");
    Trace trace;
    std::vector<std::uint8_t> meta;
    TRY(archive.read(kMetaMember, meta, 0));
    TRY(restore_meta(meta, trace));
    Digest digest;
    add_member(digest, kMetaMember, meta);
    TRY(read_columns(archive, digest, trace));
    TRY(check_trace(trace));
    return trace;
}

}  // namespace

Result<Trace> read_trace(const std::filesystem::path& path, const TraceReadLimits& limits) {
    auto trace = read_checked(path, limits);
    if (!trace) return failed("cannot open '" + path.string() + "': " + trace.error().message);
    return trace;
}

}  // namespace tilereel
