#pragma once
// Reads the members of an untrusted JSON object.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tilereel {

// Whether the text nests deeper than `most`. Without this check, a few megabytes of brackets would
// become gigabytes of nested arrays.
[[nodiscard]] inline bool nests_deeper(std::string_view text, int most) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (in_string && letter == '\\') ++at;
        if (letter == '"') in_string = !in_string;
        if (in_string) continue;
        depth += (letter == '[' || letter == '{') - (letter == ']' || letter == '}');
        if (depth > most) return true;
    }
    return false;
}

// Reads members by name and remembers the name of the first one that is missing, of another type,
// or out of range.
class JsonFields {
  public:
    explicit JsonFields(const nlohmann::json& object) : object_(object) {}

    template <class T>
    void whole(const char* name, T& value, std::uint64_t least, std::uint64_t most) {
        const nlohmann::json* const found = find(name);
        if (!found || !found->is_number_unsigned()) return fail(name);
        const auto number = found->get<std::uint64_t>();
        if (number < least || number > most) return fail(name);
        value = static_cast<T>(number);
    }
    void real(const char* name, double& value, double least, double most) {
        const nlohmann::json* const found = find(name);
        if (!found || !found->is_number()) return fail(name);
        const auto number = found->get<double>();
        if (!(number >= least && number <= most)) return fail(name);
        value = number;
    }
    void real_if_there(const char* name, std::optional<double>& value, double least, double most) {
        if (find(name)) real(name, value.emplace(), least, most);
    }
    void text(const char* name, std::string& value) {
        const nlohmann::json* const found = find(name);
        if (!found || !found->is_string()) return fail(name);
        const auto& letters = found->get_ref<const std::string&>();
        const bool controls = std::ranges::any_of(
            letters, [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; });
        if (controls || letters.size() > kMostLetters) return fail(name);
        value = letters;
    }
    void text_if_there(const char* name, std::string& value) {
        if (find(name)) text(name, value);
    }
    void truth(const char* name, bool& value) {
        const nlohmann::json* const found = find(name);
        if (!found || !found->is_boolean()) return fail(name);
        value = found->get<bool>();
    }
    // Sets `value` to the value whose name_of() is the member's text. `values`: those allowed.
    template <class T>
    void choice(const char* name, T& value, std::initializer_list<T> values) {
        std::string wanted;
        text(name, wanted);
        for (const T each : values) {
            if (name_of(each) != wanted) continue;
            value = each;
            return;
        }
        fail(name);
    }
    // Calls take(element) for each of at most `most` elements. It returns whether the element is
    // valid.
    template <class Take>
    void array(const char* name, std::size_t most, Take take) {
        const nlohmann::json* const found = find(name);
        if (!found || !found->is_array() || found->size() > most) return fail(name);
        for (const nlohmann::json& element : *found)
            if (!take(element)) return fail(name);
    }
    template <class Take>
    void object(const char* name, Take take) {
        const nlohmann::json* const found = find(name);
        if (!found || !found->is_object() || !take(*found)) return fail(name);
    }
    [[nodiscard]] bool sound() const { return wrong_.empty(); }
    [[nodiscard]] const std::string& wrong() const { return wrong_; }

  private:
    void fail(const char* name) {
        if (wrong_.empty()) wrong_ = name;
    }
    [[nodiscard]] const nlohmann::json* find(const char* name) const {
        if (!object_.is_object()) return nullptr;
        const auto found = object_.find(name);
        return found == object_.end() ? nullptr : &*found;
    }
    static constexpr std::size_t kMostLetters = 2000;

    const nlohmann::json& object_;
    std::string wrong_;
};

}  // namespace tilereel
