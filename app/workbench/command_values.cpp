#include "app/workbench/command_values.h"

namespace tilereel {
namespace {

constexpr int kMostNumber = 1 << 30;

// The parts of "a;b;c"; none of an empty text.
std::vector<std::string> items_of(std::string_view text) {
    std::vector<std::string> items;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        items.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return items;
}

}  // namespace

std::string numbers_text(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : ":") + std::to_string(number);
    return text;
}

bool read_numbers(std::string_view text, const std::vector<int*>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t colon = text.find(':');
        if ((colon == std::string_view::npos) != (i + 1 == numbers.size())) return false;
        if (!read_number(text.substr(0, colon), 0, kMostNumber, *numbers[i])) return false;
        text.remove_prefix(std::min(colon, text.size() - 1) + 1);
    }
    return true;
}

std::string value_text(const KernelParameters& p) {
    return numbers_text({p.m, p.n, p.k, p.tile, p.pad});
}
bool read_value(const std::string& text, KernelParameters& p) {
    return read_numbers(text, {&p.m, &p.n, &p.k, &p.tile, &p.pad});
}

std::string value_text(const ProductSize& size) { return numbers_text({size.m, size.n, size.k}); }
bool read_value(const std::string& text, ProductSize& size) {
    return read_numbers(text, {&size.m, &size.n, &size.k});
}

std::string value_text(const Contender& value) {
    return value.kernel + ":" + numbers_text({value.tile, value.pad});
}
bool read_value(const std::string& text, Contender& value) {
    const std::size_t colon = text.find(':');
    value.kernel = text.substr(0, colon);
    return colon != std::string::npos &&
           (find_kernel(value.kernel) != nullptr || is_reference(value)) &&
           read_numbers(std::string_view(text).substr(colon + 1), {&value.tile, &value.pad});
}

std::string value_text(const std::vector<Contender>& value) {
    std::string text;
    for (const Contender& each : value) text += (text.empty() ? "" : ";") + value_text(each);
    return text;
}
bool read_value(const std::string& text, std::vector<Contender>& value) {
    value.clear();
    for (const std::string& item : items_of(text))
        if (!read_value(item, value.emplace_back())) return false;
    return true;
}

std::string value_text(const Subject& value) { return text_of(value); }
// It may name neither a kernel nor a file: the same recording by another generation's rules.
bool read_value(const std::string& text, Subject& value) {
    return for_each_field(text,
                          [&](const std::string& name, const auto& part) {
                              return read_field_of(find_subject_field(name), name, part, value,
                                                   "a command");
                          })
        .has_value();
}

std::string value_text(const PatternQuestion& value) { return text_of(value); }
bool read_value(const std::string& text, PatternQuestion& value) {
    const std::optional<PatternQuestion> question = parse_pattern(text);
    if (question) value = *question;
    return question.has_value();
}

std::string value_text(const NamedProduct& value) { return text_of(value); }
bool read_value(const std::string& text, NamedProduct& value) {
    const Result<NamedProduct> product = parse_product(text);
    if (product) value = *product;
    return product.has_value();
}

// "kernel=A,B,C;other=D,E,F"
std::string value_text(const NamedProducts& value) {
    std::string text;
    for (const auto& [kernel, product] : value)
        text += (text.empty() ? "" : ";") + encoded(kernel) + "=" + encoded(text_of(product));
    return text;
}
bool read_value(const std::string& text, NamedProducts& value) {
    for (const std::string& item : items_of(text)) {
        const std::size_t equals = item.find('=');
        if (equals == std::string::npos) return false;
        const auto kernel = decoded(item.substr(0, equals));
        const auto product = decoded(item.substr(equals + 1));
        if (!kernel || !product || !read_value(*product, value[*kernel])) return false;
    }
    return true;
}

std::string value_text(const std::vector<std::uint32_t>& value) {
    std::string text;
    for (const std::uint32_t each : value) text += (text.empty() ? "" : ";") + decimal(each);
    return text;
}
bool read_value(const std::string& text, std::vector<std::uint32_t>& value) {
    value.clear();
    for (const std::string& item : items_of(text))
        if (!read_value(item, value.emplace_back())) return false;
    return true;
}

std::string value_text(const std::vector<std::array<float, 2>>& value) {
    std::string text;
    for (const auto& each : value) text += (text.empty() ? "" : ";") + value_text(each);
    return text;
}
bool read_value(const std::string& text, std::vector<std::array<float, 2>>& value) {
    value.clear();
    for (const std::string& item : items_of(text))
        if (!read_value(item, value.emplace_back())) return false;
    return true;
}

bool read_value(const std::string& text, bool& value) {
    value = text == "1";
    return value || text == "0";
}

}  // namespace tilereel
