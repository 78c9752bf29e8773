#include "instrumentation/base/files/toml_keys.h"

#include <algorithm>
#include <limits>

namespace tilereel {

int line_of(const toml::node& node, int otherwise) {
    const auto line = static_cast<int>(node.source().begin.line);
    return line > 0 ? line : otherwise;
}

const toml::node* TomlKeys::take(std::string_view key) {
    taken_.emplace(key);
    return table_.get(key);
}

int TomlKeys::line(std::string_view key) const {
    const toml::node* const node = table_.get(key);
    return node == nullptr ? line_ : line_of(*node, line_);
}

std::string TomlKeys::text(std::string_view key) {
    const toml::node* const node = take(key);
    if (node == nullptr) return {};
    if (const auto text = node->value_exact<std::string>()) return *text;
    complain_of(key, "write " + std::string(key) + " as text in quotation marks");
    return {};
}

bool TomlKeys::flag(std::string_view key, bool otherwise) {
    const toml::node* const node = take(key);
    if (node == nullptr) return otherwise;
    if (const auto flag = node->value_exact<bool>()) return *flag;
    complain_of(key, std::string(key) + " must be true or false");
    return otherwise;
}

int TomlKeys::whole(std::string_view key, int least, int otherwise) {
    const toml::node* const node = take(key);
    if (node == nullptr) return otherwise;
    const auto number = node->value_exact<std::int64_t>();
    if (number && *number >= least && *number <= std::numeric_limits<int>::max())
        return static_cast<int>(*number);
    complain_of(
        key, std::string(key) + " must be a whole number, " + std::to_string(least) + " or more");
    return otherwise;
}

double TomlKeys::number(std::string_view key, double otherwise) {
    const toml::node* const node = take(key);
    if (node == nullptr) return otherwise;
    if (node->is_number()) return *node->value<double>();
    complain_of(key, std::string(key) + " must be a number");
    return otherwise;
}

std::vector<std::string> TomlKeys::texts(std::string_view key) {
    const toml::node* const node = take(key);
    if (node == nullptr) return {};
    std::vector<std::string> texts;
    const auto add = [&](const toml::node& each) {
        if (const auto text = each.value_exact<std::string>()) return texts.push_back(*text);
        complain(line_of(each, line(key)),
                 std::string(key) + " must be a text or a list of texts in quotation marks");
    };
    if (const toml::array* const list = node->as_array())
        for (const toml::node& each : *list) add(each);
    else
        add(*node);
    return texts;
}

void TomlKeys::refuse_unknown(std::string_view of) {
    for (const auto& [key, node] : table_)
        if (!taken_.contains(key.str()))
            complain(line_of(node, line_),
                     "\"" + std::string(key.str()) + "\" is no key of " + std::string(of));
}

}  // namespace tilereel
