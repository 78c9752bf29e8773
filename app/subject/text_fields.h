#pragma once
// Text of fields, "kernel=09_tiled,pad=1": their values to text and back.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "instrumentation/base/result.h"

namespace tilereel {

// Percent-encodes all bytes but letters, digits and ._-+:/@. decoded() returns nullopt for text
// that is not a result of encoded().
[[nodiscard]] std::string encoded(std::string_view value);
[[nodiscard]] std::optional<std::string> decoded(std::string_view text);

// Sets `number`, if all of the text is a number from `least` to `most`.
template <class Number>
bool read_number(std::string_view text, Number least, Number most, Number& number) {
    Number value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return false;
    if (!(value >= least && value <= most)) return false;  // not a NaN either
    number = value;
    return true;
}
template <class Number>
bool read_number(std::string_view text, Number least, Number most, std::optional<Number>& number) {
    Number value{};
    if (!read_number(text, least, most, value)) return false;
    number = value;
    return true;
}

template <class Number>
std::string decimal(Number value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
}

// One field of a text that describes a `What`. `read` returns false if the value is not what
// `may_be` says.
template <class What>
struct TextField {
    const char* name;
    const char* may_be;
    bool (*read)(const std::string& value, What& what);
};

// Writes fields; put_unless() only if the value differs from the default.
class FieldWriter {
  public:
    void put(std::string_view name, std::string_view value) {
        text_ += (text_.empty() ? "" : ",") + std::string(name) + "=" + encoded(value);
    }
    template <class Value>
    void put_unless(std::string_view name, const Value& value, const Value& usual) {
        if (value != usual) put(name, decimal(value));
    }
    [[nodiscard]] std::string text() && { return std::move(text_); }

  private:
    std::string text_;
};

// Reads the value of `field`. kWrongCall if it is nullptr, or names the values that the field may
// have. `text`: what the fields describe, "a saved view".
template <class What>
[[nodiscard]] Status read_field_of(const TextField<What>* field, const std::string& name,
                                   const std::optional<std::string>& value, What& what,
                                   const std::string& text) {
    if (field == nullptr) return wrong_call("there is no field '" + name + "' in " + text);
    if (value && field->read(*value, what)) return Done{};
    return wrong_call("in " + text + ", " + name + " is " + field->may_be + ", not '" +
                      value.value_or("") + "'");
}

// Calls read_field(name, value) for each field of the text, until one returns an error. The value
// is nullopt if the field has none, or one that cannot be decoded.
template <class ReadField>
[[nodiscard]] Status for_each_field(std::string_view text, ReadField&& read_field) {
    while (!text.empty()) {
        const std::string_view field = text.substr(0, text.find(','));
        const std::size_t equals = field.find('=');
        const auto value = equals == std::string_view::npos ? std::optional<std::string>()
                                                            : decoded(field.substr(equals + 1));
        TRY(read_field(std::string(field.substr(0, equals)), value));
        text.remove_prefix(std::min(field.size() + 1, text.size()));
    }
    return Done{};
}

}  // namespace tilereel
