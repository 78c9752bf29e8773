#pragma once
// The writer of messages.
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

#include "messages.h"

namespace tilereel::contract {

// Text that takes no memory but its own. What does not fit is dropped.
template <std::size_t kBytes>
class FixedText {
  public:
    void append(const char* text, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes && bytes_ < kBytes; ++i) text_[bytes_++] = text[i];
    }
    [[nodiscard]] const char* data() const { return text_; }
    [[nodiscard]] std::size_t size() const { return bytes_; }

  private:
    char text_[kBytes];
    std::size_t bytes_ = 0;
};

// Appends a message to a text, as one line of JSON. `Text` has append().
template <class Text>
class LineWriter {
  public:
    explicit LineWriter(Text& text) : text_(text) {}
    template <class Message>
    void write(const Message& message) {
        put("{\"kind\":");
        value(std::string_view(Message::kKind));
        Message::visit(message, *this);
        put("}\n");
    }

    template <class T>
    void must(std::string_view name, const T& field, const Bound& = {}) {
        put(",");
        value(name);
        put(":");
        value(field);
    }
    template <class T, class Otherwise>
    void may(std::string_view name, const T& field, const Otherwise& otherwise,
             const Bound& bound = {}) {
        if (!(field == static_cast<T>(otherwise))) must(name, field, bound);
    }
    template <class Part>
    void part(std::string_view, const std::optional<Part>& field) {
        if (field) Part::visit(*field, *this);
    }

  private:
    void put(std::string_view text) { text_.append(text.data(), text.size()); }
    void value(bool field) { put(field ? "1" : "0"); }
    void value(std::uint64_t field) {
        char digits[20];
        const char* const end = std::to_chars(digits, digits + sizeof digits, field).ptr;
        text_.append(digits, static_cast<std::size_t>(end - digits));
    }
    void value(std::uint32_t field) { value(std::uint64_t{field}); }
    void value(const std::string& field) { value(std::string_view(field)); }
    void value(std::string_view field) {
        put("\"");
        for (const char c : field) {
            constexpr char kDigits[] = "0123456789abcdef";
            const auto code = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') put("\\");
            if (code >= 0x20) {
                text_.append(&c, 1);
            } else {
                put("\\u00");
                text_.append(&kDigits[code >> 4], 1);
                text_.append(&kDigits[code & 15], 1);
            }
        }
        put("\"");
    }
    void value(const Numbers& field) { list(field); }
    void value(const Extents& field) { list(field); }
    template <class List>
    void list(const List& numbers) {
        std::string_view before = "[";
        for (const std::uint32_t number : numbers) {
            put(before);
            value(number);
            before = ",";
        }
        put(numbers.empty() ? "[]" : "]");
    }

    Text& text_;
};

template <class Message>
[[nodiscard]] std::string line_of(const Message& message) {
    std::string line;
    LineWriter(line).write(message);
    return line;
}

}  // namespace tilereel::contract
