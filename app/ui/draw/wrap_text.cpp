#include "app/ui/draw/wrap_text.h"

#include <algorithm>

#include "app/ui/draw/draw.h"
#include "app/ui/fonts/utf8.h"

namespace tilereel {

void WrappedWords::add(std::string_view text, const TextStyle& style) {
    const auto width_of = [&](std::size_t begin, std::size_t end) {
        return text_width(text.substr(begin, end - begin), style);
    };
    const float space = text_width(" ", style);
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ' || text[at] == '\n') {
            ++spaces_;
            ++at;
            continue;
        }
        std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        if (width_of(at, end) > width_) {  // only the characters that fit, at least one
            end = character_after(text, at);
            for (std::size_t next = end; width_of(at, next) <= width_;
                 next = character_after(text, next))
                end = next;
            // Code is broken behind a bracket or a comma, if that fills half of the line.
            const std::size_t open = text.substr(0, end).find_last_of("([,");
            if (open != std::string_view::npos && open > at && end < text.size() &&
                width_of(at, open + 1) >= width_ / 2)
                end = open + 1;
        }
        words_.push_back({text.substr(at, end - at), style, width_of(at, end),
                          static_cast<float>(spaces_) * space});
        spaces_ = 0;
        at = end;
    }
}

std::vector<std::span<const Word>> WrappedWords::lines() const {
    std::vector<std::span<const Word>> lines;
    float x = 0;
    for (std::size_t i = 0, end = 0; i < words_.size(); i = end) {
        float chunk = words_[i].width;  // a word with those that belong to it
        for (end = i + 1; end < words_.size() && words_[end].before == 0; ++end) {
            if (chunk + words_[end].width > width_) break;
            chunk += words_[end].width;
        }
        if (lines.empty() || x + words_[i].before + chunk > width_) {
            lines.emplace_back(&words_[i], end - i);
            x = chunk;
        } else {
            lines.back() = {lines.back().data(), lines.back().size() + end - i};
            x += words_[i].before + chunk;
        }
    }
    return lines;
}

std::vector<std::string_view> wrap_text(std::string_view text, float width, Face face, float px) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        WrappedWords words(width);
        words.add(text.substr(0, end), {face, px});
        for (const std::span<const Word> line : words.lines()) {
            const char* const begin = line.front().text.data();
            const std::string_view last = line.back().text;
            lines.emplace_back(begin, static_cast<std::size_t>(last.data() + last.size() - begin));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace tilereel
