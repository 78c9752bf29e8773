// Reads a user's matrix from a .npy file, as numpy.save writes it.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>

#include "instrumentation/trace/file/npy.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kLargestMatrixBytes = std::uint64_t{4} << 30;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// An error of this file: "cannot use 'A.npy': " and the reason.
Error unusable(const std::filesystem::path& path, const std::string& why) {
    return wrong_call("cannot use '" + path.string() + "': " + why);
}

// Why the header is not that of a usable matrix; "" if it is.
std::string header_fault(const NpyHeader& header) {
    const std::string& descr = header.descr;
    if (descr.find('O') != std::string::npos)
        return "it holds Python objects; save it with array.astype('float32')";
    if (descr == ">f4" || descr == ">f8")
        return "it is big-endian; save it with array.astype('<f4')";
    if (descr != "<f4" && descr != "<f8")
        return "its elements are '" + descr +
               "', not float32 or float64; save it with array.astype('float32')";
    if (header.fortran_order && header.shape.size() > 1)
        return "it is in Fortran order; save it with numpy.ascontiguousarray(array)";
    if (header.shape.empty() || header.shape.size() > 2)
        return "it has " + std::to_string(header.shape.size()) +
               " dimensions; a matrix has 2 (or 1 for a single row)";
    if (std::ranges::count(header.shape, 0u) != 0) return "it is empty; save at least one element";
    return "";
}

// Reads `bytes.size()` bytes. Returns false if the file does not end there.
bool reads_to_end(std::FILE* file, std::span<std::byte> bytes) {
    return std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size() &&
           std::fgetc(file) == EOF && std::ferror(file) == 0;
}

template <class T>
Status read_elements(std::FILE* file, const std::filesystem::path& path, Matrix& matrix) {
    const std::size_t count = std::size_t{matrix.rows} * matrix.columns;
    std::vector<T> elements(count);
    if (!reads_to_end(file, std::as_writable_bytes(std::span(elements))))
        return unusable(path, "it could not be read to its end; save it again");
    matrix.values.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<float>(elements[i]);
        if (!std::isfinite(value)) {
            const std::string where = "[" + std::to_string(i / matrix.columns) + "][" +
                                      std::to_string(i % matrix.columns) + "]";
            return unusable(path, "element " + where +
                                      " is infinite, NaN or too large for float32; sums "
                                      "over it cannot be checked, so replace it");
        }
        matrix.values[i] = value;
    }
    return Done{};
}

Result<NpyHeader> read_header(std::FILE* file, const std::filesystem::path& path) {
    std::vector<std::byte> bytes(kNpyPrefixBytes);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    if (std::ferror(file) != 0)
        return unusable(path, std::generic_category().message(errno) + "; name a .npy file");
    const auto size = npy_header_bytes(bytes);
    if (!size) return unusable(path, size.error().message);
    const std::size_t have = bytes.size();
    if (*size > have) {
        bytes.resize(*size);
        bytes.resize(have + std::fread(bytes.data() + have, 1, *size - have, file));
    }
    auto header = parse_npy_header(bytes);
    if (!header) return unusable(path, header.error().message);
    return header;
}

}  // namespace

Result<Matrix> read_npy_matrix(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return unusable(path, "there is no such file");
    if (!std::filesystem::is_regular_file(status))
        return unusable(path, "it is not a plain file; name a .npy file");
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) return unusable(path, std::generic_category().message(errno));
    const auto header = TRY(read_header(file.get(), path));
    if (const std::string fault = header_fault(header); !fault.empty())
        return unusable(path, fault);
    const auto count = element_count(header);
    if (!count) return unusable(path, count.error().message);
    const std::uint64_t element_bytes = header.descr == "<f4" ? 4 : 8;
    const std::uint64_t rows = header.shape.size() == 2 ? header.shape[0] : 1;
    const std::uint64_t columns = header.shape.back();
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();
    if (*count > kLargestMatrixBytes / element_bytes || rows > kLargest || columns > kLargest)
        return unusable(path, "it is larger than 4 GiB; save a smaller matrix");
    // Checked before memory is allocated, because a header can claim any size.
    const std::uint64_t expected = header.header_bytes + *count * element_bytes;
    const std::uint64_t actual = std::filesystem::file_size(path, error);
    if (error || actual != expected)
        return unusable(path, "its header promises " + std::to_string(expected) +
                                  " bytes, but it has " + std::to_string(actual) +
                                  "; save it again");
    if (std::fseek(file.get(), static_cast<long>(header.header_bytes), SEEK_SET) != 0)
        return unusable(path, std::generic_category().message(errno));
    Matrix matrix{static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), {}};
    TRY(element_bytes == 4 ? read_elements<float>(file.get(), path, matrix)
                           : read_elements<double>(file.get(), path, matrix));
    return matrix;
}

}  // namespace tilereel
