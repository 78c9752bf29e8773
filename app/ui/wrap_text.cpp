#include "app/ui/wrap_text.h"

#include <algorithm>

#include "app/ui/draw.h"

namespace tilereel {

std::vector<std::string_view> wrap_text(std::string_view text, float width, Face face, float px) {
    std::vector<std::string_view> lines;
    const float space = text_width(" ", face, px);
    std::size_t begin = 0, end = 0;  // of the current line, in bytes
    float x = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ' || text[at] == '\n') {
            ++at;
            continue;
        }
        const std::size_t after = std::min(text.find_first_of(" \n", at), text.size());
        const float word = text_width(text.substr(at, after - at), face, px);
        const bool first = end == begin;
        if (!first && x + space + word > width) {
            lines.push_back(text.substr(begin, end - begin));
            begin = at;
            x = word;
        } else {
            if (first) begin = at;
            x += (first ? 0 : space) + word;
        }
        end = after;
        at = after;
    }
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    return lines;
}

}  // namespace tilereel
