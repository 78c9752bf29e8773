#include "instrumentation/cuda/text/launch_main.h"

#include <algorithm>
#include <map>

namespace tilereel::program {
namespace {

std::string as_literal(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

bool is_whole_arithmetic(const std::string& expression) {
    return expression.find_first_not_of("0123456789+-*/%() ") == std::string::npos;
}

// The expression. Whole numbers and their arithmetic are checked as Whole.
std::string checked(const std::string& expression, const std::string& written) {
    if (!is_whole_arithmetic(expression)) return "(" + expression + ")";
    std::string text = "(";
    for (std::size_t at = 0; at < expression.size();) {
        const std::size_t end =
            std::min(expression.find_first_not_of("0123456789", at), expression.size());
        if (end == at) {
            text += expression[at++];
            continue;
        }
        // The space: %: would be another token.
        text +=
            " ::tilereel::runtime::Whole{" + expression.substr(at, end - at) + ", " + written + "}";
        at = end;
    }
    return text + ")";
}

// The arguments of dim3. A comma between angle brackets may be of a template.
std::string extents_call(const std::string& name, const std::string& value) {
    if (value.find('<') != std::string::npos && value.find(',') != std::string::npos) return value;
    const std::string written = as_literal(name + "=" + value);
    std::string text;
    for (const std::string& part : split(value, false, [](char c) { return c == ','; }))
        text += (text.empty() ? "" : ", ") + ("::tilereel::runtime::launch_extent(" + written) +
                ", " + checked(part, written) + ")";
    return text;
}

// A value as a number of the type T. Braces are no expression.
std::string number_call(const std::string& type, const std::string& name,
                        const std::string& value) {
    if (value.starts_with('{')) return value;
    const std::string written = as_literal(name + "=" + value);
    return "::tilereel::runtime::launch_number<" + type + ">(" + written + ", " +
           checked(value, written) + ")";
}

// The initial content of an array as an expression of i, row, col and the element's type T.
std::string content_text(const std::string& content, std::size_t ordinal, const std::string& name) {
    static const std::map<std::string, std::string> words = {
        {"zeros", "T(0)"}, {"ones", "T(1)"}, {"index", "i"}, {"identity", "row == col"}};
    if (content == "random")
        return "::tilereel::runtime::random_content<T>(i, " + std::to_string(ordinal) + ")";
    const auto found = words.find(content);
    if (found != words.end()) return found->second;
    return is_whole_arithmetic(content) ? number_call("T", name, content) : content;
}

// The type of a pointer to the target.
std::string type_of(const Parsed& parsed, const Target& target) {
    const std::string pointer = "&" + parsed.kernel;
    if (!target.is_overloaded || target.is_template) return "decltype(" + pointer + ")";
    std::string parameters;
    for (const KernelParameter& parameter : *target.parameters)
        parameters += (parameters.empty() ? "" : ", ") + parameter.declaration;
    return "decltype(::tilereel::runtime::overload_of(static_cast<void (*)(" + parameters +
           ")>(nullptr), " + pointer + "))";
}

}  // namespace

std::string launch_text(const Parsed& parsed, const Target& target, const std::string& place) {
    std::string text = "{\n", arguments;
    for (std::size_t i = 0; i < target.parameters->size(); ++i) {
        const std::string& name = (*target.parameters)[i].name;
        const Given& given = parsed.given.at(name);
        const std::string index = std::to_string(i), own = "tilereel_argument_" + index;
        const std::string type =
            "::tilereel::runtime::ParameterOf<" + index + ", " + type_of(parsed, target) + ">";
        text += place;
        if (given.extents.empty()) {
            const std::string plain_type = "std::decay_t<" + type + ">";
            text += "const " + plain_type + " " + own + "(" +
                    number_call(plain_type, name, given.value) + ");\n";
        } else {
            std::string extents;
            for (const std::string& extent : given.extents)
                extents += (extents.empty() ? "" : ", ") +
                           number_call("std::size_t", name + "'s extent", extent);
            text += "const ::tilereel::runtime::LaunchArray<" + type + "> " + own + "(\"" + name +
                    "\", {" + extents +
                    "}, [&](auto tilereel_type, std::size_t i, std::size_t row, std::size_t col) { "
                    "using T = decltype(tilereel_type); (void)i, (void)row, (void)col; return " +
                    content_text(given.value, i, name) + "; });\n";
        }
        arguments += (i == 0 ? "" : ", ") + own + (given.extents.empty() ? "" : ".pointer");
    }
    if (!target.is_kernel) return text + place + parsed.kernel + "(" + arguments + ");\n}\n";
    return text + place + "TILEREEL_LAUNCH(" + parsed.kernel + ") TILEREEL_SHAPE(dim3(" +
           extents_call("grid", parsed.grid) + "), dim3(" + extents_call("block", parsed.block) +
           "), " + number_call("std::size_t", "shared", parsed.shared) + ")(" + arguments +
           ");\n}\n";
}

}  // namespace tilereel::program
