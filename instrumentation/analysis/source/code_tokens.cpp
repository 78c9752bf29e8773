#include "instrumentation/analysis/source/code_tokens.h"

#include <algorithm>

namespace tilereel {

bool CodeTokens::is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

CodeToken CodeTokens::next() {
    skip_what_is_no_code();
    if (at_ >= text_.size()) return {{}, line_};
    std::size_t length = 1;
    if (is_word(text_[at_]))
        while (at_ + length < text_.size() && is_word(text_[at_ + length])) ++length;
    else if (starts("&&") || starts("||"))
        length = 2;
    const CodeToken token{text_.substr(at_, length), line_};
    at_ += length;
    begins_line_ = false;
    return token;
}

void CodeTokens::step() {
    if (text_[at_] == '\n') {
        ++line_;
        begins_line_ = true;
    }
    ++at_;
}

void CodeTokens::skip_to(std::string_view end) {
    while (at_ < text_.size() && !starts(end)) step();
}

void CodeTokens::skip_preprocessor() {
    while (at_ < text_.size() && text_[at_] != '\n') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
        step();
    }
}

void CodeTokens::skip_literal() {
    const char quote = text_[at_];
    step();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
        step();
    }
    if (at_ < text_.size()) step();
    begins_line_ = false;
}

void CodeTokens::skip_what_is_no_code() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        const bool digit_before = at_ > 0 && is_word(text_[at_ - 1]);  // 1'000
        if (starts("//")) {
            skip_to("\n");
        } else if (starts("/*")) {
            skip_to("*/");
            at_ = std::min(at_ + 2, text_.size());
        } else if (c == '#' && begins_line_) {
            skip_preprocessor();
        } else if (c == '"' || (c == '\'' && !digit_before)) {
            skip_literal();
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\'') {
            step();
        } else {
            return;
        }
    }
}

}  // namespace tilereel
