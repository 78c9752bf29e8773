#include "instrumentation/plain/launch_line.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "instrumentation/plain/text_file.h"
#include "instrumentation/plain/text_words.h"

namespace tilereel::plain {
namespace {

// Splits a text at the separators outside of brackets and literals. `angles`: < and > are brackets.
template <class IsSeparator>
std::vector<std::string> split(std::string_view text, bool angles, IsSeparator&& is_separator) {
    std::vector<std::string> parts(1);
    int depth = 0;
    char literal = 0;
    for (const char c : text) {
        if (literal != 0) {
            if (c == literal) literal = 0;
        } else if (c == '"' || c == '\'') {
            literal = c;
        } else if (c == '(' || c == '[' || c == '{' || (angles && c == '<')) {
            ++depth;
        } else if (c == ')' || c == ']' || c == '}' || (angles && c == '>')) {
            --depth;
        } else if (depth <= 0 && is_separator(c)) {
            parts.emplace_back();
            continue;
        }
        parts.back() += c;
    }
    std::erase_if(parts, [](const std::string& part) { return part.empty(); });
    return parts;
}

// The arguments of dim3, made from "8x4", "8,4" or an expression.
std::string extents_text(const std::string& value) {
    const bool digits = std::ranges::all_of(value, [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == 'x' || c == ',';
    });
    std::string text = value;
    if (digits) std::ranges::replace(text, 'x', ',');
    return text;
}

// The value or the array that a line gives to a parameter.
struct Given {
    std::vector<std::string> extents;  // of an array
    std::string value;
};

struct Parsed {
    std::string kernel;  // "saxpy<float>"
    std::map<std::string, Given> given;
    std::vector<std::string> order;
    std::string grid = "1", block, shared = "0";
    bool has_settings = false;  // grid, block or shared is given
    std::string error;
};

// What a line launches: a kernel, or a function of host code.
struct Target {
    std::string name;
    bool is_kernel = false, is_template = false;
    unsigned line = 0;
    const std::vector<KernelParameter>* parameters = nullptr;
};
struct Functions {
    const std::vector<DeviceFunction>& device;
    const std::vector<DefinedFunction>& defined;
};

// "x[4][8]" -> x, {4, 8}
bool split_extents(const std::string& target, std::string& name, Given& given) {
    std::size_t at = 0;
    while (at < target.size() && is_word(target[at])) ++at;
    name = target.substr(0, at);
    while (at < target.size() && target[at] == '[') {
        int depth = 0;
        std::size_t end = at;
        do {
            if (target[end] == '[') ++depth;
            if (target[end] == ']') --depth;
            ++end;
        } while (end < target.size() && depth > 0);
        if (depth != 0 || end - at <= 2) return false;
        given.extents.push_back(target.substr(at + 1, end - at - 2));
        at = end;
    }
    return at == target.size() && !name.empty();
}

bool is_setting(const std::string& word) {
    return word == "grid" || word == "block" || word == "shared";
}

// The compiler would take such a number for another one.
bool is_beyond_64_bits(const std::string& number) {
    constexpr std::size_t kMostDigits = 18;
    return number.size() > kMostDigits &&
           number.find_first_not_of("0123456789") == std::string::npos;
}

Parsed parse(std::string_view text) {
    Parsed parsed;
    std::vector<std::string> words = split(text, true, is_space);
    if (words.empty()) {
        parsed.error =
            "the line names no kernel; write its name first, as in saxpy<float> block=256";
        return parsed;
    }
    parsed.kernel = words[0];
    const std::size_t head = text.find(words[0]) + words[0].size();
    words = split(text.substr(head), false, is_space);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::vector<std::string> sides =
            split(words[i], false, [](char c) { return c == '='; });
        std::string target = words[i], value;
        const std::size_t equals = sides.empty() ? std::string::npos : sides[0].size();
        if (sides.size() > 1 || (equals < words[i].size() && words[i][equals] == '=')) {
            target = sides[0];
            value = words[i].substr(std::min(equals + 1, words[i].size()));
        } else if (i + 1 < words.size()) {
            value = words[++i];  // "grid 4"
        }
        Given given;
        std::string name;
        if (value == "inf" || value == "-inf" || value == "nan" || value == "-nan") {
            parsed.error = "'" + words[i] + "' is no number; write INFINITY or NAN in its place";
            return parsed;
        }
        if (is_beyond_64_bits(value)) {
            parsed.error = "'" + words[i] + "' is too large: it needs more than 64 bits";
            return parsed;
        }
        if (value.empty() || !split_extents(target, name, given)) {
            parsed.error = "'" + words[i] + "' is not understood; write NAME=VALUE for a number " +
                           "and NAME[EXTENT]=CONTENT for an array";
            return parsed;
        }
        if (is_setting(name) && given.extents.empty()) {
            parsed.has_settings = true;
            (name == "grid"    ? parsed.grid
             : name == "block" ? parsed.block
                               : parsed.shared) = name == "shared" ? value : extents_text(value);
            continue;
        }
        if (std::ranges::any_of(given.extents, is_beyond_64_bits)) {
            parsed.error = "'" + target + "' has too many elements; write a smaller extent";
            return parsed;
        }
        given.value = value;
        if (!parsed.given.emplace(name, given).second) {
            parsed.error = "'" + name + "' is given twice";
            return parsed;
        }
        parsed.order.push_back(name);
    }
    return parsed;
}

std::string names_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::optional<Target> find_target(const Functions& functions, const std::string& expression) {
    std::string name = expression.substr(0, expression.find('<'));
    name = name.substr(name.rfind(':') + 1);
    const DeviceFunction* found = nullptr;
    for (const DeviceFunction& function : functions.device)
        if (function.kernel && function.name == name &&
            (found == nullptr || function.end > function.body))
            found = &function;
    if (found != nullptr)
        return Target{name, true, found->is_template, found->line, &found->parameters};
    for (const DefinedFunction& function : functions.defined)
        if (!function.device && function.name == name)
            return Target{name, false, function.is_template, function.line, &function.parameters};
    return std::nullopt;
}

std::string kernels_sentence(const Functions& functions) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const DeviceFunction& function : functions.device)
        if (function.kernel) add(function.name);
    for (const DefinedFunction& function : functions.defined)
        if (!function.device && function.launches) add(function.name);
    return names.empty() ? "the file has no kernel" : "the file has " + names_of(names);
}

std::string check_settings(const Parsed& parsed, const Target& target) {
    if (target.is_kernel && parsed.block.empty())
        return "give the threads of a block, as in block=256";
    if (!target.is_kernel && parsed.has_settings)
        return target.name +
               " is a function of host code, which launches its kernels itself; "
               "leave out grid, block and shared";
    if (target.is_template && parsed.kernel.find('<') == std::string::npos)
        return parsed.kernel + " is a template: give its arguments, as in " + parsed.kernel +
               "<float>";
    return {};
}

std::string check(const Parsed& parsed, const Functions& functions) {
    if (!parsed.error.empty()) return parsed.error;
    const std::optional<Target> target = find_target(functions, parsed.kernel);
    if (!target)
        return "there is no kernel '" + parsed.kernel + "'; " + kernels_sentence(functions);
    if (std::string words = check_settings(parsed, *target); !words.empty()) return words;
    std::vector<std::string> names;
    for (const KernelParameter& parameter : *target->parameters) names.push_back(parameter.name);
    for (const std::string& name : parsed.order)
        if (std::ranges::find(names, name) == names.end())
            return target->name + " has no parameter '" + name + "'; it has " +
                   (names.empty() ? "none" : names_of(names));
    for (const KernelParameter& parameter : *target->parameters) {
        const auto found = parsed.given.find(parameter.name);
        if (found == parsed.given.end())
            return "the line gives no value for " + target->name + "'s parameter " +
                   parameter.name + "; add " + parameter.name +
                   (parameter.pointer ? "[1024]=random" : "=1");
        if (parameter.pointer && found->second.extents.empty())
            return parameter.name + " is a pointer: give it an array, as in " + parameter.name +
                   "[1024]=random";
        if (!parameter.pointer && !found->second.extents.empty())
            return parameter.name + " is no pointer: give it a value, as in " + parameter.name +
                   "=1";
    }
    return {};
}

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
            " ::tilereel::plain::Whole{" + expression.substr(at, end - at) + ", " + written + "}";
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
        text += (text.empty() ? "" : ", ") + ("::tilereel::plain::launch_extent(" + written) +
                ", " + checked(part, written) + ")";
    return text;
}

// A value as a number of the type T. Braces are no expression.
std::string number_call(const std::string& type, const std::string& name,
                        const std::string& value) {
    if (value.starts_with('{')) return value;
    const std::string written = as_literal(name + "=" + value);
    return "::tilereel::plain::launch_number<" + type + ">(" + written + ", " +
           checked(value, written) + ")";
}

// The initial content of an array as an expression of i, row, col and the element's type T.
std::string content_text(const std::string& content, std::size_t ordinal, const std::string& name) {
    static const std::map<std::string, std::string> words = {
        {"zeros", "T(0)"}, {"ones", "T(1)"}, {"index", "i"}, {"identity", "row == col"}};
    if (content == "random")
        return "::tilereel::plain::random_content<T>(i, " + std::to_string(ordinal) + ")";
    const auto found = words.find(content);
    if (found != words.end()) return found->second;
    return is_whole_arithmetic(content) ? number_call("T", name, content) : content;
}

std::string launch_text(const Parsed& parsed, const Target& target, const std::string& place) {
    std::string text = "{\n", arguments;
    for (std::size_t i = 0; i < target.parameters->size(); ++i) {
        const std::string& name = (*target.parameters)[i].name;
        const Given& given = parsed.given.at(name);
        const std::string index = std::to_string(i), own = "tilereel_argument_" + index;
        const std::string type =
            "::tilereel::plain::ParameterOf<" + index + ", decltype(&" + parsed.kernel + ")>";
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
            text += "const ::tilereel::plain::LaunchArray<" + type + "> " + own + "(\"" + name +
                    "\", {" + extents +
                    "}, [&](auto tilereel_type, std::size_t i, std::size_t row, std::size_t col) { "
                    "using T = decltype(tilereel_type); (void)i, (void)row, (void)col; return " +
                    content_text(given.value, i, name) + "; });\n";
        }
        arguments += (i == 0 ? "" : ", ") + own + (given.extents.empty() ? "" : ".pointer");
    }
    if (!target.is_kernel) return text + place + parsed.kernel + "(" + arguments + ");\n}\n";
    return text + place + "TILEREEL_LAUNCH(" + parsed.kernel + "), dim3(" +
           extents_call("grid", parsed.grid) + "), dim3(" + extents_call("block", parsed.block) +
           "), " + number_call("std::size_t", "shared", parsed.shared) + ")(" + arguments +
           ");\n}\n";
}

}  // namespace

bool has_main(std::string_view masked) {
    for (std::size_t at = 0; (at = masked.find("main", at)) != std::string_view::npos; at += 4) {
        if (at > 0 && is_word(masked[at - 1])) continue;
        std::size_t behind = at + 4;
        while (behind < masked.size() && is_space(masked[behind])) ++behind;
        if (behind < masked.size() && masked[behind] == '(') return true;
    }
    return false;
}

std::vector<LaunchLine> find_launch_lines(std::string_view comments, const std::string& file) {
    constexpr std::string_view kMark = "tilereel:";
    std::vector<LaunchLine> lines;
    LineCounter counter(comments);
    for (std::size_t at = 0; (at = comments.find(kMark, at)) != std::string_view::npos;) {
        const std::size_t begin = at += kMark.size();
        std::string_view rest = comments.substr(begin, comments.find('\n', begin) - begin);
        rest = rest.substr(0, rest.find("*/"));
        while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
        while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
        if (!rest.starts_with("launch")) continue;
        rest.remove_prefix(6);
        lines.push_back({std::string(rest), counter.line_of(begin), file});
    }
    return lines;
}

MadeMain make_main(const std::vector<LaunchLine>& lines,
                   const std::vector<DeviceFunction>& functions,
                   const std::vector<DefinedFunction>& defined) {
    const Functions all{functions, defined};
    MadeMain made;
    made.text = "\n#include <tilereel/launch_line.h>\n#undef main\nint main() {\n";
    for (const LaunchLine& line : lines) {
        const Parsed parsed = parse(line.text);
        if (std::string words = check(parsed, all); !words.empty()) {
            made.errors.push_back({line.line, line.file, std::move(words)});
            continue;
        }
        const Target target = *find_target(all, parsed.kernel);
        const unsigned number = line.line == 0 ? target.line : line.line;
        made.text += launch_text(parsed, target, line_directive(number, line.file));
    }
    made.text += "return cudaDeviceSynchronize() != cudaSuccess;\n}\n";
    return made;
}

std::string no_main_sentence(const std::vector<DeviceFunction>& functions,
                             const std::vector<DefinedFunction>& defined) {
    constexpr const char* kBegin = "the file has no main(); say in a comment how its ";
    if (std::ranges::find(defined, "_start", &DefinedFunction::name) != defined.end())
        return "the file has _start() and no main(): every program here begins with the C "
               "library; write main() in its place";
    // A function that others call comes before them, so the last one is what the file is for.
    const auto host = std::find_if(
        defined.rbegin(), defined.rend(),
        [](const DefinedFunction& function) { return !function.device && function.launches; });
    if (host != defined.rend()) {
        // One extent is that of the arrays; several belong to matrices.
        const auto extents =
            std::ranges::count_if(host->parameters, [](const KernelParameter& parameter) {
                return !parameter.pointer && !parameter.is_real;
            });
        std::string line = "launch " + host->name + (host->is_template ? "<...>" : "");
        for (const KernelParameter& parameter : host->parameters)
            line += " " + parameter.name +
                    (parameter.pointer   ? "[1024]=random"
                     : parameter.is_real ? "=1"
                     : extents == 1      ? "=1024"
                                         : "=32");
        return std::string(kBegin) + "function is called, as in // tilereel: " + line;
    }
    const auto kernel = std::ranges::find_if(functions, &DeviceFunction::kernel);
    if (kernel == functions.end())
        return "the file has no main() and no kernel: there is nothing to run";
    std::string line =
        "launch " + kernel->name + (kernel->is_template ? "<...>" : "") + " grid=4 block=256";
    for (const KernelParameter& parameter : kernel->parameters)
        line += " " + parameter.name + (parameter.pointer ? "[1024]=random" : "=1");
    return std::string(kBegin) + "kernel is launched, as in // tilereel: " + line;
}

}  // namespace tilereel::plain
