#include "app/own_kernel/own_variables.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/text_words.h"
#include "instrumentation/trace/operations.h"

namespace tilereel {
namespace {

using program::for_each_word;
using program::is_word;
using program::skip_space;
using program::word_at;

bool has_name(std::string_view text, std::string_view name) {
    bool found = false;
    for_each_word(text, [&](std::string_view word, std::size_t) { found = found || word == name; });
    return found;
}

// The name of the namespace whose bracket opens at `open`; empty: it has none, or is something
// else, such as extern "C".
std::string namespace_at(std::string_view masked, std::size_t open) {
    const std::size_t before =
        open == 0 ? std::string_view::npos : masked.find_last_of(";{}#", open - 1);
    std::string_view head =
        masked.substr(before == std::string_view::npos ? 0 : before + 1,
                      open - (before == std::string_view::npos ? 0 : before + 1));
    const std::size_t at = head.rfind("namespace");
    if (at == std::string_view::npos) return {};
    head.remove_prefix(at + std::string_view("namespace").size());
    std::string name;
    for (const char c : head)
        if (is_word(c) || c == ':') name += c;
    return name;
}

// "::scale::" for a place in namespace scale.
std::string scope_at(std::string_view masked, std::size_t at) {
    std::vector<std::string> open;
    for (std::size_t i = 0; i < at; ++i) {
        if (masked[i] == '{') open.push_back(namespace_at(masked, i));
        if (masked[i] == '}' && !open.empty()) open.pop_back();
    }
    std::string scope = "::";
    for (const std::string& each : open)
        if (!each.empty()) scope += each + "::";
    return scope;
}

// Where the text declares the variable, qualified; empty: it does not, or as a constant, which
// nothing can fill.
std::string declared_in(std::string_view masked, const std::string& name) {
    std::string found;
    for_each_word(masked, [&](std::string_view word, std::size_t at) {
        if (word != name || !found.empty()) return;
        const std::size_t after = skip_space(masked, at + name.size());
        if (after >= masked.size() ||
            std::string_view("[;=,{").find(masked[after]) == std::string_view::npos)
            return;
        const std::size_t begin = masked.substr(0, at).find_last_of(";{}");
        const std::string_view head =
            masked.substr(begin == std::string_view::npos ? 0 : begin + 1,
                          at - (begin == std::string_view::npos ? 0 : begin + 1));
        const bool in_device = has_name(head, "__constant__") || has_name(head, "__device__") ||
                               has_name(head, "__managed__");
        if (!in_device || head.find('(') != std::string_view::npos || has_name(head, "const") ||
            has_name(head, "constexpr"))
            return;
        found = scope_at(masked, at) + name;
    });
    return found;
}

// The integer's type in C++, where the variable is one integer.
std::string integer_type_of(const Array& array) {
    if (array.first_bytes.size() != array.element_bytes || !array.components.empty()) return {};
    switch (array.type) {
        case ElementType::kInt32:
            return "int";
        case ElementType::kUint32:
            return "unsigned";
        case ElementType::kInt64:
            return "long long";
        case ElementType::kUint64:
            return "unsigned long long";
        default:
            return {};
    }
}

bool is_written(const Trace& trace, std::size_t array) {
    return std::ranges::any_of(trace.sites, [&](const Site& site) {
        const Touch touch = facts_of(site.operation).touch;
        return site.array == array && (touch == Touch::kWrites || touch == Touch::kBoth);
    });
}

}  // namespace

std::vector<OwnVariable> variables_of(const Trace& trace) {
    std::vector<std::string> texts = {program::masked_text(trace.source)};
    for (const SourceFile& each : trace.more_sources)
        texts.push_back(program::masked_text(each.text));
    std::vector<OwnVariable> found;
    for (std::size_t i = 0; i < trace.arrays.size(); ++i) {
        const Array& array = trace.arrays[i];
        const bool has_memory = array.space == Space::kConstant || array.space == Space::kGlobal;
        if (!has_memory || array.first_bytes.empty() || is_written(trace, i)) continue;
        for (const std::string& text : texts) {
            std::string qualified = declared_in(text, array.name);
            if (qualified.empty()) continue;
            found.push_back({.name = array.name,
                             .qualified = std::move(qualified),
                             .cpp_type = integer_type_of(array),
                             .bytes = array.first_bytes});
            break;
        }
    }
    return found;
}

std::optional<std::int64_t> integer_of(const OwnVariable& variable) {
    if (variable.cpp_type.empty()) return std::nullopt;
    if (variable.bytes.size() == sizeof(std::int64_t)) {
        std::int64_t value = 0;
        std::memcpy(&value, variable.bytes.data(), sizeof value);
        return value;
    }
    std::int32_t value = 0;
    std::memcpy(&value, variable.bytes.data(), sizeof value);
    return value;
}

std::string setting_function(const std::vector<OwnVariable>& variables,
                             const std::vector<std::string>& sizes) {
    if (variables.empty()) return {};
    std::string parameters, changed, kept;
    for (const std::string& size : sizes) {
        parameters += (parameters.empty() ? "long long " : ", long long ") + size;
        changed += "    static long long set_" + size + " = -1;\n";
        kept += (kept.empty() ? "" : " && ") + ("set_" + size) + " == " + size;
    }
    std::string text = "cudaError_t tilereel_set(" + parameters + ") {\n" + changed + "    if (" +
                       kept + ") return cudaSuccess;\n    cudaError_t error = cudaSuccess;\n";
    for (const OwnVariable& each : variables) {
        std::string value;
        if (each.value.empty()) {
            value = "const unsigned char bytes[] = {";
            for (const std::byte byte : each.bytes)
                value += std::to_string(std::to_integer<unsigned>(byte)) + ",";
            value = "static " + value + "}";
        } else {
            value = "const " + each.cpp_type + " bytes = static_cast<" + each.cpp_type + ">(" +
                    each.value + ")";
        }
        text += "    {\n        " + value +
                ";\n        if (error == cudaSuccess) error = " + "cudaMemcpyToSymbol(" +
                each.qualified + ", &bytes, sizeof bytes);\n    }\n";
    }
    text += "    if (error != cudaSuccess) return error;\n";
    for (const std::string& size : sizes) {
        text += "    set_" + size;
        text += " = " + size + ";\n";
    }
    return text + "    return cudaSuccess;\n}\n";
}

std::string setting_call(const std::vector<OwnVariable>& variables,
                         const std::vector<std::string>& sizes) {
    if (variables.empty()) return {};
    std::string list;
    for (const std::string& size : sizes) list += (list.empty() ? "" : ", ") + size;
    return "    if (const cudaError_t unset = tilereel_set(" + list + ")) return unset;\n";
}

}  // namespace tilereel
