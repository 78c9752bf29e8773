#include "instrumentation/program/build/compile_errors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

namespace tilereel::program {

namespace {

// Takes `word` off the beginning of `text`.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

bool take_number(std::string_view& text, std::uint32_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

struct Message {
    CompileError error;
    bool required_here = false;  // "file.cu:12:5:   required from here"
};

// The message in a line of the compiler's: "file.cu:12:5: error: ...". The name of a file can
// contain colons and numbers, so the first place that fits is taken.
std::optional<Message> message_in(std::string_view line) {
    for (std::size_t colon = line.find(':', 1); colon != std::string_view::npos;
         colon = line.find(':', colon + 1)) {
        std::string_view rest = line.substr(colon + 1);
        Message message;
        if (!take_number(rest, message.error.line) || !take(rest, ":")) continue;
        if (take_number(rest, message.error.column) && !take(rest, ":")) continue;
        if (!take(rest, " ")) continue;
        message.required_here = rest == "  required from here";
        take(rest, "fatal ");
        if (!message.required_here && !take(rest, "error: ")) continue;
        message.error.file = line.substr(0, colon);
        constexpr std::string_view kFlag = " [-fpermissive]";  // no flag of nvcc's
        if (rest.ends_with(kFlag)) rest.remove_suffix(kFlag.size());
        if (!message.required_here) message.error.message = rest;
        return message;
    }
    return std::nullopt;
}

constexpr std::size_t kLongestMessage = 4096;

// The beginning of a long text.
std::string shortened(std::string_view text, std::size_t most) {
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

std::string tool_failure(const ProcessResult& ended, const std::string& tool) {
    const auto says = [&](const char* words) {
        return ended.output.find(words) != std::string::npos;
    };
    if (says("No space left on device"))
        return "the disk is full, so " + tool +
               " could not write its files; make room, or set TMPDIR to a folder on another disk";
    if (ended.end == ProcessEnd::kCancelled) return "Cancelled.";
    if (ended.end == ProcessEnd::kTimeLimit)
        return tool + " was stopped after " +
               std::to_string(static_cast<int>(ended.stopped_after)) +
               " s; leave out what takes it so long, such as templates that build on each other";
    for (const char* const words : {"out of memory", "virtual memory exhausted", "std::bad_alloc",
                                    "Cannot allocate memory", "Killed signal terminated"})
        if (says(words))
            return tool +
                   " ran out of memory; open a smaller file, or leave out what costs so "
                   "much, such as templates that build on each other";
    for (const char* const words : {"File size limit exceeded", "File too large"})
        if (says(words))
            return tool +
                   " was stopped, because it would have written more than 2 GiB, or more than "
                   "ulimit -f allows; leave out what becomes so large, such as arrays with initial "
                   "values or .fill in assembly, or raise that limit";
    for (const char* const words : {"internal compiler error", "Segmentation fault"})
        if (says(words))
            return tool +
                   " itself failed on this file; make what is nested deeply simpler. It "
                   "says: " +
                   shortened(ended.output, kLongestMessage);
    if (ended.end == ProcessEnd::kSignal)
        return tool + " ended with signal " + std::to_string(ended.code) +
               "; open a smaller file, or see what g++ alone says about it";
    return shortened(ended.output, kLongestMessage);
}

}  // namespace

std::vector<CompileError> errors_in(const std::string& output, const std::string& ours) {
    constexpr const char* kArguments = "the kernel cannot be launched with these arguments";
    std::vector<CompileError> errors;
    CompileError launch;  // the launch that causes an error in our headers
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::optional<Message> found = message_in(line);
        if (!found) continue;
        CompileError& error = found->error;
        if (found->required_here) {
            launch = error;
            continue;
        }
        if (error.file.starts_with(ours) && launch.line != 0) {
            error.file = launch.file;
            error.line = launch.line;
            error.column = 0;
        }
        for (const char* const inner : {"tilereel::", "<lambda(auto"})
            if (error.message.find(inner) != std::string::npos) error.message = kArguments;
        error.message = shortened(error.message, kLongestMessage);
        errors.push_back(std::move(error));
    }
    // Another error on the same line is more precise.
    std::set<std::uint32_t> explained;
    for (const CompileError& error : errors)
        if (error.message != kArguments) explained.insert(error.line);
    std::erase_if(errors, [&](const CompileError& error) {
        return error.message == kArguments && explained.contains(error.line);
    });
    return errors;
}

std::string without_our_headers(const std::string& output, const std::string& ours) {
    // A message begins with a line that is not an excerpt of the source; its other lines are hidden
    // with it.
    std::istringstream lines(output);
    std::string kept;
    bool hidden = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" 0123456789");
        const bool excerpt = !line.empty() && line[0] == ' ' && first != std::string::npos &&
                             (line[first] == '|' || line[first] == '+');
        const bool continued = line.starts_with("                 from ");
        if (!excerpt && !continued)
            hidden = line.starts_with("In file included from ") ||
                     line.find("TILEREEL_") != std::string::npos ||
                     line.find("tilereel::") != std::string::npos ||
                     line.find(ours) != std::string::npos;
        if (!hidden && !continued) kept += line + "\n";
    }
    return kept;
}

namespace {

// A library that Tilereel links every program with, or that OpenMP needs.
struct LinkedLibrary {
    std::string_view option, name, package;
};
constexpr std::array kLinkedLibraries = {
    LinkedLibrary{"boost_context", "Boost.Context", "libboost-context-dev"},
    LinkedLibrary{"zip", "libzip", "libzip-dev"}, LinkedLibrary{"z", "zlib", "zlib1g-dev"},
    LinkedLibrary{"gomp", "OpenMP's library", "libgomp1"}};
// What the programs use of Boost.Context.
constexpr std::array<std::string_view, 3> kContextFunctions = {"jump_fcontext", "make_fcontext",
                                                               "ontop_fcontext"};

// "ld: cannot find -lzip: No such file or directory"
std::string_view library_not_found(std::string_view line) {
    const std::size_t at = line.find("cannot find -l");
    if (at == std::string_view::npos) return {};
    line.remove_prefix(at + 14);
    return line.substr(0, line.find_first_of(": \r"));
}
std::string install_sentence(std::string_view option) {
    for (const LinkedLibrary& library : kLinkedLibraries)
        if (option == library.option)
            return "the library " + std::string(library.name) +
                   " is missing, which every program is linked with here; install it: apt-get "
                   "install " +
                   std::string(library.package);
    return "the linker does not find the library " + std::string(option) + "; install it";
}

// The quoted name behind the words; empty if there is none.
std::string_view quoted_after(std::string_view line, std::string_view words) {
    const std::size_t at = line.find(words);
    if (at == std::string_view::npos) return {};
    std::string_view name = line.substr(at + words.size());
    if (!take(name, "`") && !take(name, "'") && !take(name, "‘")) return {};
    for (const std::string_view quote : {"'; ", "'", "’"})
        if (const std::size_t end = name.find(quote); end != std::string_view::npos)
            name = name.substr(0, end);
    return name;
}

std::string defined_twice(const std::string& symbol) {
    if (symbol == "_start")
        return "the program defines _start(), where every program with the C library begins; "
               "write main() in its place";
    return "several files of the program define " + symbol +
           "; keep one definition, or make each static";
}

}  // namespace

std::vector<CompileError> link_errors(const std::string& output, const std::string& file) {
    constexpr std::size_t kLongestName = 400;
    std::vector<CompileError> errors;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (const std::string_view library = library_not_found(line); !library.empty()) {
            errors.push_back({file, 0, 0, install_sentence(shortened(library, kLongestName))});
            continue;
        }
        if (const std::string_view twice = quoted_after(line, "multiple definition of ");
            !twice.empty()) {
            errors.push_back({file, 0, 0, defined_twice(shortened(twice, kLongestName))});
            continue;
        }
        if (line.find("relocation overflow") != std::string::npos ||
            line.find("relocation truncated to fit") != std::string::npos)
            return {{file, 0, 0,
                     "its arrays in static memory need more than 2 GiB; make them smaller, or "
                     "allocate them: cudaMalloc()"}};
        const std::string_view name = quoted_after(line, "undefined reference to ");
        if (name.empty()) continue;
        if (std::ranges::find(kContextFunctions, name) != kContextFunctions.end()) {
            errors.push_back({file, 0, 0, install_sentence("boost_context")});
            continue;
        }
        const std::string symbol = shortened(name, kLongestName);
        errors.push_back(
            {file, 0, 0,
             "no file of the program defines " + symbol + "; give its other files with --with",
             symbol});
    }
    return errors;
}

CompileError failure_of_tool(const ProcessResult& ended, const std::string& tool,
                             const std::string& file) {
    CompileError failure{file, 0, 0, tool_failure(ended, tool)};
    failure.was_late = ended.end == ProcessEnd::kTimeLimit;
    return failure;
}

void remove_repeated(std::vector<CompileError>& errors) {
    std::set<std::tuple<std::string, std::uint32_t, std::string>> seen;
    std::erase_if(errors, [&](const CompileError& error) {
        return !seen.insert({error.file, error.line, error.message}).second;
    });
}

}  // namespace tilereel::program
