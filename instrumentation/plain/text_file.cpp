#include "instrumentation/plain/text_file.h"

#include <fstream>
#include <iterator>

namespace tilereel::plain {

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Status write_text(const std::filesystem::path& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) return failed("cannot write " + path.string() + "; make room on its disk");
    return Done{};
}

}  // namespace tilereel::plain
