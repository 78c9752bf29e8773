#pragma once
// The values of a command's fields as text, and read from it. Private to command_text.cpp.
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "app/subject/text_fields.h"
#include "app/workbench/command.h"
#include "app/workbench/view/view_names.h"
#include "app/workbench/view/view_values.h"

namespace tilereel {

template <>
struct Names<Recorder> {
    static constexpr std::array kAll = {"cpu", "gpu", "auto"};
};
template <>
struct Names<ThreadOrder> {
    static constexpr std::array kAll = {"round-robin", "warps", "warps-backward", "lanes"};
};
template <>
struct Names<Caches> {
    static constexpr std::array kAll = {"warm", "cold"};
};
template <>
struct Names<LineChoice> {
    static constexpr std::array kAll = {"default", "all", "none"};
};
template <>
struct Names<RacePlot> {
    static constexpr std::array kAll = {"gflops", "speed_up", "bandwidth", "sweep", "time"};
};
template <>
struct Names<RaceSide> {
    static constexpr std::array kAll = {"roofline", "occupancy", "setup"};
};
template <>
struct Names<RaceTab> {
    static constexpr std::array kAll = {"gflops", "table",     "roofline",  "speed_up", "bandwidth",
                                        "sweep",  "occupancy", "next_race", "run",      "time"};
};
template <>
struct Names<RaceExport> {
    static constexpr std::array kAll = {"file", "table", "picture"};
};

// Numbers with colons between them.
[[nodiscard]] std::string numbers_text(const std::vector<int>& numbers);
[[nodiscard]] bool read_numbers(std::string_view text, const std::vector<int*>& numbers);

[[nodiscard]] inline std::string value_text(bool value) { return value ? "1" : "0"; }
[[nodiscard]] inline std::string value_text(const std::string& value) { return value; }
[[nodiscard]] inline std::string value_text(const std::filesystem::path& value) {
    return value.string();
}
template <class Value>
requires std::is_arithmetic_v<Value>
[[nodiscard]] std::string value_text(Value value) { return decimal(value); }
template <class Value>
requires std::is_enum_v<Value>
[[nodiscard]] std::string value_text(Value value) { return name_in_text(value); }
[[nodiscard]] std::string value_text(const KernelParameters& value);
[[nodiscard]] std::string value_text(const ProductSize& value);
[[nodiscard]] std::string value_text(const Contender& value);
[[nodiscard]] std::string value_text(const std::vector<Contender>& value);
[[nodiscard]] std::string value_text(const Subject& value);
[[nodiscard]] std::string value_text(const PatternQuestion& value);
[[nodiscard]] std::string value_text(const NamedProduct& value);
[[nodiscard]] std::string value_text(const NamedProducts& value);
[[nodiscard]] std::string value_text(const std::vector<std::uint32_t>& value);
// "1.5:0:12"
template <std::size_t kCount>
[[nodiscard]] std::string value_text(const std::array<float, kCount>& value) {
    std::string text;
    for (const float each : value) text += (text.empty() ? "" : ":") + decimal(each);
    return text;
}
[[nodiscard]] std::string value_text(const std::vector<std::array<float, 2>>& value);

// False if the text is no such value.
[[nodiscard]] bool read_value(const std::string& text, bool& value);
[[nodiscard]] inline bool read_value(const std::string& text, std::string& value) {
    value = text;
    return true;
}
[[nodiscard]] inline bool read_value(const std::string& text, std::filesystem::path& value) {
    value = text;
    return true;
}
template <class Value>
requires std::is_arithmetic_v<Value>
[[nodiscard]] bool read_value(const std::string& text, Value& value) {
    return read_number(text, std::numeric_limits<Value>::lowest(),
                       std::numeric_limits<Value>::max(), value);
}
template <class Value>
requires std::is_enum_v<Value>
[[nodiscard]] bool read_value(const std::string& text, Value& value) {
    return read_name(text, value);
}
[[nodiscard]] bool read_value(const std::string& text, KernelParameters& value);
[[nodiscard]] bool read_value(const std::string& text, ProductSize& value);
[[nodiscard]] bool read_value(const std::string& text, Contender& value);
[[nodiscard]] bool read_value(const std::string& text, std::vector<Contender>& value);
[[nodiscard]] bool read_value(const std::string& text, Subject& value);
[[nodiscard]] bool read_value(const std::string& text, PatternQuestion& value);
[[nodiscard]] bool read_value(const std::string& text, NamedProduct& value);
[[nodiscard]] bool read_value(const std::string& text, NamedProducts& value);
[[nodiscard]] bool read_value(const std::string& text, std::vector<std::uint32_t>& value);
template <std::size_t kCount>
[[nodiscard]] bool read_value(const std::string& text, std::array<float, kCount>& value) {
    std::string_view rest = text;
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t colon = rest.find(':');
        if ((colon == std::string_view::npos) != (i + 1 == kCount)) return false;
        if (!read_number(rest.substr(0, colon), -1e9f, 1e9f, value[i])) return false;
        rest.remove_prefix(std::min(colon, rest.size() - 1) + 1);
    }
    return true;
}
[[nodiscard]] bool read_value(const std::string& text, std::vector<std::array<float, 2>>& value);

template <class Value>
[[nodiscard]] bool read_value(const std::string& text, std::optional<Value>& value) {
    return read_value(text, value.emplace());
}

}  // namespace tilereel
