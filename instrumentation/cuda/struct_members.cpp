#include "instrumentation/cuda/struct_members.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

#include "instrumentation/cuda/element_of_type.h"

namespace tilereel::runtime {
namespace {

// Takes the next word and the space after it off `text`.
std::string_view next_word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

bool next_number(std::string_view& text, std::uint32_t& value) {
    const std::string_view word = next_word(text);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
}

// CUDA's vector types, such as "float4", "uchar2" and "half2". Their members are not listed.
bool is_vector_type(std::string_view name) {
    while (!name.empty() && name.front() == '_') name.remove_prefix(1);
    if (name.starts_with("nv_")) name.remove_prefix(3);
    if (name.empty() || name.back() < '1' || name.back() > '4') return false;
    name.remove_suffix(1);
    constexpr auto kNames = std::to_array<std::string_view>(
        {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong",
         "ulonglong", "float", "double", "half", "bfloat16"});
    return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

std::vector<Component> members_of(std::string_view text) {
    std::vector<Component> members;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        std::string_view entry = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::uint32_t offset = 0, scalar = 0, bytes = 0;
        if (!next_number(entry, offset) || !next_number(entry, scalar) ||
            !next_number(entry, bytes))
            return {};
        const std::string_view name = next_word(entry);
        members.push_back({.offset_bytes = offset,
                           .bytes = bytes,
                           .type = element_type_of(static_cast<Scalar>(scalar), bytes, entry),
                           .name = std::string(name)});
    }
    return members;
}

void set_members(Array& array, std::string_view text) {
    std::vector<Component> members = members_of(text);
    if (members.size() < 2 || is_vector_type(array.type_name)) return;
    const std::uint32_t bytes = members.front().bytes;
    bool in_a_row = bytes * members.size() == array.element_bytes;
    for (std::size_t i = 0; i < members.size(); ++i)
        in_a_row = in_a_row && members[i].bytes == bytes && members[i].offset_bytes == i * bytes &&
                   members[i].type != ElementType::kBytes;
    array.type = in_a_row ? members.front().type : ElementType::kBytes;
    array.components = std::move(members);
}

}  // namespace tilereel::runtime
