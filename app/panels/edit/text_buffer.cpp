#include "app/panels/edit/text_buffer.h"

#include <algorithm>
#include <cctype>

namespace tilereel {
namespace {

constexpr std::size_t kStep = 4;  // columns of an indentation
constexpr std::string_view kOpening = "([{", kClosing = ")]}";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
bool is_of_name(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

TextBuffer::TextBuffer(std::string text) : text_(std::move(text)), saved_(text_) { find_lines(); }

void TextBuffer::find_lines() {
    begins_.assign(1, 0);
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
        begins_.push_back(at + 1);
}

std::pair<std::size_t, std::size_t> TextBuffer::selection() const {
    return std::minmax(caret_, anchor_);
}

std::string TextBuffer::selected() const {
    const auto [first, last] = selection();
    return text_.substr(first, last - first);
}

std::size_t TextBuffer::line_of(std::size_t offset) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin()) -
           1;
}

std::string_view TextBuffer::line(std::size_t number) const {
    const std::size_t begin = begins_[number];
    const std::size_t end = number + 1 < begins_.size() ? begins_[number + 1] - 1 : text_.size();
    return std::string_view(text_).substr(begin, end - begin);
}

TextPlace TextBuffer::place_of(std::size_t offset) const {
    TextPlace place{line_of(offset), 0};
    for (std::size_t at = begins_[place.line]; at < offset; at = after(at))
        place.column += text_[at] == '\t' ? kTabColumns : 1;
    return place;
}

std::size_t TextBuffer::offset_of(const TextPlace& place) const {
    const std::size_t number = std::min(place.line, lines() - 1);
    std::size_t at = begins_[number], column = 0;
    const std::size_t end = at + line(number).size();
    while (at < end) {
        const std::size_t wide = text_[at] == '\t' ? kTabColumns : 1;
        if (place.column < column + (wide + 1) / 2) break;
        column += wide;
        at = after(at);
    }
    return at;
}

std::size_t TextBuffer::before(std::size_t offset) const {
    if (offset == 0) return 0;
    --offset;
    while (offset > 0 && is_continuation(text_[offset])) --offset;
    return offset;
}

std::size_t TextBuffer::after(std::size_t offset) const {
    if (offset >= text_.size()) return text_.size();
    ++offset;
    while (offset < text_.size() && is_continuation(text_[offset])) ++offset;
    return offset;
}

// As most editors do: first blanks, then a name or signs.
std::size_t TextBuffer::word_before(std::size_t offset) const {
    if (offset > 0 && text_[offset - 1] == '\n') return offset - 1;
    while (offset > 0 && is_blank(text_[offset - 1])) --offset;
    if (offset == 0 || text_[offset - 1] == '\n') return offset;
    const bool name = is_of_name(text_[offset - 1]);
    while (offset > 0 && !is_blank(text_[offset - 1]) && text_[offset - 1] != '\n' &&
           is_of_name(text_[offset - 1]) == name)
        --offset;
    return offset;
}

std::size_t TextBuffer::word_after(std::size_t offset) const {
    const std::size_t size = text_.size();
    if (offset < size && text_[offset] == '\n') return offset + 1;
    if (offset < size && !is_blank(text_[offset])) {
        const bool name = is_of_name(text_[offset]);
        while (offset < size && !is_blank(text_[offset]) && text_[offset] != '\n' &&
               is_of_name(text_[offset]) == name)
            ++offset;
    }
    while (offset < size && is_blank(text_[offset])) ++offset;
    return offset;
}

std::string TextBuffer::indentation_of(std::size_t number) const {
    const std::string_view whole = line(number);
    return std::string(whole.substr(0, std::min(whole.find_first_not_of(" \t"), whole.size())));
}

void TextBuffer::replace(std::size_t at, std::size_t size, std::string_view added) {
    text_.replace(at, size, added);
    find_lines();
    ++revision_;
    wanted_column_.reset();
}

void TextBuffer::edit(std::size_t at, std::size_t size, std::string_view added, bool joins) {
    if (size == 0 && added.empty()) return;
    undone_.clear();
    const bool continues = joins && size == 0 && !done_.empty() && done_.back().joins &&
                           done_.back().at + done_.back().added.size() == at;
    if (continues)
        done_.back().added += added;
    else
        done_.push_back({at, text_.substr(at, size), std::string(added), caret_, anchor_, joins});
    replace(at, size, added);
    caret_ = anchor_ = at + added.size();
}

void TextBuffer::type(std::string_view characters) {
    const auto [first, last] = selection();
    if (characters == "}" && first == last) {
        const std::size_t number = line_of(first), begin = begins_[number];
        const std::string_view ahead = std::string_view(text_).substr(begin, first - begin);
        if (std::ranges::all_of(ahead, is_blank)) {
            // The bracket that it closes is found as if it were there.
            std::size_t depth = 1, at = begin;
            while (at > 0 && depth > 0) {
                --at;
                if (text_[at] == '}') ++depth;
                if (text_[at] == '{') --depth;
            }
            if (depth == 0)
                return edit(begin, first - begin, indentation_of(line_of(at)) + "}", true);
        }
    }
    edit(first, last - first, characters, true);
}

void TextBuffer::paste(std::string_view text) {
    std::string clean;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') clean += text[i];
    std::ranges::replace(clean, '\r', '\n');
    std::erase(clean, '\0');
    const auto [first, last] = selection();
    edit(first, last - first, clean);
}

void TextBuffer::new_line() {
    const auto [first, last] = selection();
    const std::size_t number = line_of(first);
    std::string indentation = indentation_of(number);
    indentation.resize(std::min(indentation.size(), first - begins_[number]));
    const std::string_view ahead =
        std::string_view(text_).substr(begins_[number], first - begins_[number]);
    const std::size_t end = ahead.find_last_not_of(" \t");
    const bool opens = end != std::string_view::npos && ahead[end] == '{';
    const bool closes = last < text_.size() && text_[last] == '}';
    std::string added = "\n" + indentation + (opens ? std::string(kStep, ' ') : "");
    const std::size_t caret = first + added.size();
    if (opens && closes) added += "\n" + indentation;
    edit(first, last - first, added);
    caret_ = anchor_ = caret;
}

void TextBuffer::indent(bool back) {
    const auto [first, last] = selection();
    const std::size_t from = line_of(first);
    std::size_t to = line_of(last);
    if (first == last && !back) {
        const std::size_t column = place_of(first).column;
        return edit(first, 0, std::string(kStep - column % kStep, ' '));
    }
    if (to > from && begins_[to] == last) --to;  // nothing of that line is selected
    std::string lines;
    for (std::size_t number = from; number <= to; ++number) {
        std::string_view whole = line(number);
        if (number > from) lines += '\n';
        if (back && whole.starts_with('\t')) {
            whole.remove_prefix(1);
        } else if (back) {
            whole.remove_prefix(
                std::min({whole.find_first_not_of(' '), whole.size(), std::size_t{kStep}}));
        } else if (!whole.empty()) {
            lines += std::string(kStep, ' ');
        }
        lines += whole;
    }
    const std::size_t begin = begins_[from], size = begins_[to] + line(to).size() - begin;
    const TextPlace caret = place_of(caret_);
    edit(begin, size, lines);
    if (first == last)
        set_caret(offset_of({caret.line, caret.column - std::min(caret.column, kStep)}), false);
    else
        select(begin, begin + lines.size());
}

void TextBuffer::erase_selection_or(std::size_t first, std::size_t last) {
    const auto [from, to] = selection();
    if (from != to)
        edit(from, to - from, "");
    else
        edit(first, last - first, "");
}

void TextBuffer::erase_before(bool word) {
    std::size_t from = word ? word_before(caret_) : before(caret_);
    const std::size_t number = line_of(caret_), begin = begins_[number];
    const std::string_view ahead = std::string_view(text_).substr(begin, caret_ - begin);
    if (!word && !ahead.empty() && std::ranges::all_of(ahead, [](char c) { return c == ' '; }))
        from = begin + (ahead.size() - 1) / kStep * kStep;
    erase_selection_or(from, caret_);
}

void TextBuffer::erase_after(bool word) {
    erase_selection_or(caret_, word ? word_after(caret_) : after(caret_));
}

void TextBuffer::replace_all(std::string text) {
    const TextPlace place = place_of(caret_);
    edit(0, text_.size(), text);
    set_caret(offset_of(place), false);
}

bool TextBuffer::undo() {
    if (done_.empty()) return false;
    Edit last = std::move(done_.back());
    done_.pop_back();
    replace(last.at, last.added.size(), last.removed);
    caret_ = last.caret_before;
    anchor_ = last.anchor_before;
    last.joins = false;
    undone_.push_back(std::move(last));
    return true;
}

bool TextBuffer::redo() {
    if (undone_.empty()) return false;
    Edit next = std::move(undone_.back());
    undone_.pop_back();
    replace(next.at, next.removed.size(), next.added);
    caret_ = anchor_ = next.at + next.added.size();
    done_.push_back(std::move(next));
    return true;
}

void TextBuffer::move(CaretMove move, bool select, std::size_t count) {
    const auto [first, last] = selection();
    const TextPlace place = place_of(caret_);
    const std::size_t column = wanted_column_.value_or(place.column);
    std::size_t to = caret_;
    switch (move) {
        case CaretMove::kLeft:
            to = !select && first != last ? first : before(caret_);
            break;
        case CaretMove::kRight:
            to = !select && first != last ? last : after(caret_);
            break;
        case CaretMove::kUp:
            to = place.line < count && count == 1 && place.line == 0
                     ? 0
                     : offset_of({place.line - std::min(place.line, count), column});
            break;
        case CaretMove::kDown:
            to = count == 1 && place.line + 1 == lines() ? text_.size()
                                                         : offset_of({place.line + count, column});
            break;
        case CaretMove::kWordLeft:
            to = word_before(caret_);
            break;
        case CaretMove::kWordRight:
            to = word_after(caret_);
            break;
        case CaretMove::kLineBegin: {
            const std::size_t begin = begins_[place.line];
            const std::size_t code = begin + indentation_of(place.line).size();
            to = caret_ == code ? begin : code;
            break;
        }
        case CaretMove::kLineEnd:
            to = begins_[place.line] + line(place.line).size();
            break;
        case CaretMove::kTextBegin:
            to = 0;
            break;
        case CaretMove::kTextEnd:
            to = text_.size();
            break;
    }
    set_caret(to, select);
    if (move == CaretMove::kUp || move == CaretMove::kDown) wanted_column_ = column;
}

void TextBuffer::set_caret(std::size_t offset, bool select) {
    caret_ = std::min(offset, text_.size());
    if (!select) anchor_ = caret_;
    wanted_column_.reset();
    if (!done_.empty()) done_.back().joins = false;  // what is typed here is undone on its own
}

void TextBuffer::select(std::size_t first, std::size_t last) {
    set_caret(first, false);
    set_caret(last, true);
}

void TextBuffer::select_word() {
    std::size_t first = caret_, last = caret_;
    while (first > 0 && is_of_name(text_[first - 1])) --first;
    while (last < text_.size() && is_of_name(text_[last])) ++last;
    select(first, last);
}

// Brackets in comments and texts count, too: a reader sees them, and a lexer is not needed.
std::size_t TextBuffer::counterpart(std::size_t bracket) const {
    const char own = text_[bracket];
    const bool opens = kOpening.find(own) != std::string_view::npos;
    const std::size_t kind = opens ? kOpening.find(own) : kClosing.find(own);
    const char other = opens ? kClosing[kind] : kOpening[kind];
    std::size_t depth = 0;
    for (std::size_t at = bracket;; opens ? ++at : --at) {
        if (text_[at] == own) ++depth;
        if (text_[at] == other && --depth == 0) return at;
        if (opens ? at + 1 >= text_.size() : at == 0) return std::string::npos;
    }
}

std::optional<std::pair<std::size_t, std::size_t>> TextBuffer::brackets() const {
    for (const std::size_t at : {caret_, before(caret_)}) {
        if (at >= text_.size() || (at == caret_ && caret_ == text_.size())) continue;
        if (kOpening.find(text_[at]) == std::string_view::npos &&
            kClosing.find(text_[at]) == std::string_view::npos)
            continue;
        return std::pair(at, counterpart(at));
    }
    return std::nullopt;
}

bool TextBuffer::find(std::string_view words, bool backwards) {
    if (words.empty()) return false;
    const bool exact = std::ranges::any_of(
        words, [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; });
    std::string within = text_;
    if (!exact) std::ranges::transform(within, within.begin(), lower);
    const auto [first, last] = selection();
    std::size_t at = backwards ? (first == 0 ? std::string::npos : within.rfind(words, first - 1))
                               : within.find(words, last);
    if (at == std::string::npos) at = backwards ? within.rfind(words) : within.find(words);
    if (at == std::string::npos) return false;
    select(at, at + words.size());
    return true;
}

}  // namespace tilereel
