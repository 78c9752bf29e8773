#include "instrumentation/base/files/text_file.h"

#include <fstream>
#include <iterator>

#include "instrumentation/base/files/regular_file.h"

namespace tilereel {

std::string read_text(const std::filesystem::path& path) {
    std::error_code error;  // reading a folder would throw
    if (!std::filesystem::is_regular_file(path, error)) return {};
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Result<std::string> read_source(const std::filesystem::path& path) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    Result<std::string> text = read_regular_file(path, kMostSourceBytes);
    if (text && text->starts_with(kMark)) text.value().erase(0, kMark.size());
    return text;
}

std::string line_directive(unsigned line, std::string_view file) {
    std::string text = "#line " + std::to_string(line) + " \"";
    for (const char c : file) {
        if (c == '"' || c == '\\') text += '\\';
        if (c >= 0 && c < ' ') {
            const int code = c;
            text += '\\';
            for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (code >> shift) % 8);
        } else {
            text += c;
        }
    }
    return text + "\"\n";
}

Status write_text(const std::filesystem::path& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) return failed("cannot write " + path.string() + "; make room on its disk");
    return Done{};
}

}  // namespace tilereel
