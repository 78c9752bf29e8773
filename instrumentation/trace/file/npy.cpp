#include "instrumentation/trace/file/npy.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace tilereel {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Reads the one form of Python dictionary that a header may hold:
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderText {
  public:
    explicit HeaderText(std::string_view text) : rest_(text) {}

    bool take(char wanted) {
        skip_spaces();
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take_word(std::string_view wanted) {
        skip_spaces();
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(wanted.size());
        return true;
    }
    std::optional<std::string> take_string() {
        const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
        const std::size_t end = quote == '\0' ? std::string_view::npos : rest_.find(quote);
        if (end == std::string_view::npos) return std::nullopt;
        std::string value(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        return value;
    }
    std::optional<std::uint64_t> take_number() {
        skip_spaces();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        take('L');  // Python 2 wrote long integers as 64L
        return value;
    }
    std::optional<std::vector<std::uint64_t>> take_shape() {
        if (!take('(')) return std::nullopt;
        std::vector<std::uint64_t> shape;
        while (!take(')')) {
            const auto extent = take_number();
            if (!extent) return std::nullopt;
            shape.push_back(*extent);
            if (take(',')) continue;
            if (!take(')')) return std::nullopt;
            break;
        }
        return shape;
    }
    bool at_end() {
        skip_spaces();
        return rest_.empty();
    }

  private:
    void skip_spaces() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())))
            rest_.remove_prefix(1);
    }
    std::string_view rest_;
};

// The value of one key; false when it is malformed or the key unknown.
bool take_entry(HeaderText& text, const std::string& key, NpyHeader& header) {
    if (key == "descr") {
        const auto descr = text.take_string();
        header.descr = descr.value_or("");
        return descr.has_value();
    }
    if (key == "fortran_order") {
        header.fortran_order = text.take_word("True");
        return header.fortran_order || text.take_word("False");
    }
    if (key != "shape") return false;
    auto shape = text.take_shape();
    if (shape) header.shape = std::move(*shape);
    return shape.has_value();
}

bool parse_dictionary(std::string_view dictionary, NpyHeader& header) {
    HeaderText text(dictionary);
    if (!text.take('{')) return false;
    std::vector<std::string> seen;
    while (!text.take('}')) {
        const auto key = text.take_string();
        if (!key || std::ranges::count(seen, *key) != 0 || !text.take(':')) return false;
        seen.push_back(*key);
        if (!take_entry(text, *key, header)) return false;
        if (!text.take(',')) {
            if (!text.take('}')) return false;
            break;
        }
    }
    return seen.size() == 3 && text.at_end();
}

}  // namespace

Result<std::size_t> npy_header_bytes(std::span<const std::byte> prefix) {
    const std::string_view text = text_of(prefix);
    if (!text.starts_with(kMagic))
        return failed("it is no .npy file; save it with numpy.save(path, array)");
    const auto byte = [&](std::size_t at) { return std::to_integer<std::size_t>(prefix[at]); };
    if (prefix.size() < 10) return failed("it is cut off; save it again");
    const std::size_t major = byte(6);
    if (major < 1 || major > 3 || byte(7) != 0)
        return failed("it is of .npy version " + std::to_string(major) + "." +
                      std::to_string(byte(7)) + "; save it as version 1.0, 2.0 or 3.0");
    std::size_t length = byte(8) | byte(9) << 8;
    if (major >= 2) {
        if (prefix.size() < 12) return failed("it is cut off; save it again");
        length |= byte(10) << 16 | byte(11) << 24;
    }
    if (length > kLargestNpyHeader) return failed("its header is far too long; save it again");
    return (major == 1 ? 10 : 12) + length;
}

Result<NpyHeader> parse_npy_header(std::span<const std::byte> bytes) {
    const auto size = TRY(npy_header_bytes(bytes.first(std::min(bytes.size(), kNpyPrefixBytes))));
    if (bytes.size() < size) return failed("it is cut off in its header; save it again");
    const std::size_t begin = std::to_integer<int>(bytes[6]) == 1 ? 10 : 12;
    NpyHeader header;
    header.header_bytes = size;
    const std::string_view dictionary = text_of(bytes).substr(begin, size - begin);
    if (!parse_dictionary(dictionary, header)) {
        if (dictionary.find("'descr': [") != std::string_view::npos)
            return failed("it holds records with fields; save one plain array of numbers");
        return failed("its header cannot be read; save it again with numpy.save(path, array)");
    }
    return header;
}

Result<std::uint64_t> element_count(const NpyHeader& header) {
    // Also refuses a shape such as (2^63, 4, 0), as NumPy does.
    std::uint64_t count = 1;
    for (const std::uint64_t extent : header.shape)
        if (__builtin_mul_overflow(count, extent, &count))
            return failed("its shape is larger than any memory; save a smaller array");
    return count;
}

std::string make_npy_header(std::string_view descr, std::span<const std::uint64_t> shape) {
    std::string extents;
    for (const std::uint64_t extent : shape)
        extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    if (shape.size() == 1) extents += ",";
    std::string dictionary = "{'descr': '" + std::string(descr) +
                             "', 'fortran_order': False, 'shape': (" + extents + "), }";
    constexpr std::size_t kBegin = 10, kAlignment = 64;
    const std::size_t used = kBegin + dictionary.size() + 1;
    dictionary.append((kAlignment - used % kAlignment) % kAlignment, ' ');
    dictionary += '\n';
    const auto length = static_cast<unsigned>(dictionary.size());
    std::string header(kMagic);
    header += {'\1', '\0', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
    return header + dictionary;
}

}  // namespace tilereel
