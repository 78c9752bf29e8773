#include "app/panels/edit/source_edit.h"

#include <fstream>
#include <iterator>
#include <system_error>

namespace tilereel {

Result<std::string> read_to_edit(const std::filesystem::path& file) {
    constexpr std::uintmax_t kLongest = std::uintmax_t{1} << 20;
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(file, unknown);
    if (unknown) return failed("cannot read " + file.string() + ": " + unknown.message());
    if (size > kLongest)
        return failed(file.filename().string() + " is too long to be edited here (Ctrl+E)");
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream && !stream.eof()) return failed("cannot read " + file.string());
    if (text.find('\0') != std::string::npos)
        return failed(file.filename().string() + " is no text");
    return text;
}

}  // namespace tilereel
