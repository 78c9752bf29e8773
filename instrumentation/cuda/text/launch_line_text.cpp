#include "instrumentation/cuda/text/launch_line_text.h"

#include <algorithm>
#include <optional>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/launch_line_reader.h"
#include "instrumentation/cuda/text/launch_main.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

struct Functions {
    const std::vector<DeviceFunction>& device;
    const std::vector<DefinedFunction>& defined;
};

std::string names_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::vector<std::string> declarations_of(const std::vector<KernelParameter>& parameters) {
    std::vector<std::string> words;
    for (const KernelParameter& parameter : parameters) words.push_back(parameter.declaration);
    return words;
}

// Of several functions of the name the first one with a body.
std::optional<Target> find_target(const Functions& functions, const std::string& expression) {
    std::string name = expression.substr(0, expression.find('<'));
    name = name.substr(name.rfind(':') + 1);
    const DeviceFunction* found = nullptr;
    for (const DeviceFunction& function : functions.device)
        if (function.kernel && function.name == name &&
            (found == nullptr || (found->end == found->body && function.end > function.body)))
            found = &function;
    if (found != nullptr) {
        const bool overloaded =
            std::ranges::any_of(functions.device, [&](const DeviceFunction& other) {
                return other.kernel && other.name == name &&
                       declarations_of(other.parameters) != declarations_of(found->parameters);
            });
        return Target{name, true, found->is_template, overloaded, found->line, &found->parameters};
    }
    std::optional<Target> target;
    for (const DefinedFunction& function : functions.defined) {
        if (function.device || function.name != name) continue;
        if (target)
            target->is_overloaded = true;
        else
            target = Target{name,  false,         function.is_template,
                            false, function.line, &function.parameters};
    }
    return target;
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

// The name in g++'s message "'n' was not declared in this scope"; empty: it is another message.
std::string_view undeclared_name(std::string_view message) {
    const std::size_t end = message.find("’ was not declared in this scope");
    constexpr std::string_view kOpen = "‘";
    if (end == std::string_view::npos || !message.starts_with(kOpen)) return {};
    return message.substr(kOpen.size(), end - kOpen.size());
}

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at)
        if ((at == 0 || !is_word(text[at - 1])) && word_at(text, at) == word) return true;
    return false;
}

// Where the code of a launch line lies for the compiler.
unsigned line_of(const LaunchLine& line, const Target& target) {
    return line.line == 0 ? target.line : line.line;
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
        const Parsed parsed = parse_launch_line(line.text);
        if (std::string words = check(parsed, all); !words.empty()) {
            made.errors.push_back({line.line, line.file, std::move(words)});
            continue;
        }
        const Target target = *find_target(all, parsed.kernel);
        made.text += launch_text(parsed, target, line_directive(line_of(line, target), line.file));
    }
    made.text += "return cudaDeviceSynchronize() != cudaSuccess;\n}\n";
    return made;
}

std::string undefined_in_launch_line(const std::vector<LaunchLine>& lines,
                                     const std::vector<DeviceFunction>& functions,
                                     const std::vector<DefinedFunction>& defined,
                                     const LaunchLineError& error) {
    const std::string name(undeclared_name(error.message));
    if (name.empty()) return {};
    for (const LaunchLine& line : lines) {
        const Parsed parsed = parse_launch_line(line.text);
        const std::optional<Target> target = find_target({functions, defined}, parsed.kernel);
        if (!target || line.file != error.file || line_of(line, *target) != error.line) continue;
        for (const auto& [parameter, given] : parsed.given) {
            if (has_word(given.value, name))
                return parameter + "=" + given.value + " uses " + name +
                       ", which the file does not define; write a number, a constant of the file" +
                       (given.extents.empty() ? ""
                                              : ", zeros, ones, index, random, identity, or an "
                                                "expression of i, row and col");
            for (const std::string& extent : given.extents)
                if (has_word(extent, name))
                    return "the extent " + extent + " of " + parameter + " uses " + name +
                           ", which the file does not define; write a number or a constant of the "
                           "file";
        }
        for (const std::string& setting : {parsed.grid, parsed.block, parsed.shared})
            if (has_word(setting, name))
                return "the shape of the launch uses " + name +
                       ", which the file does not define; write a number or a constant of the file";
    }
    return {};
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

}  // namespace tilereel::program
