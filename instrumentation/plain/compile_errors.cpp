#include "instrumentation/plain/compile_errors.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

namespace tilereel::plain {

std::vector<CompileError> errors_in(const std::string& output, const std::string& ours) {
    static const std::regex place(
        R"re((.+?):(\d+):(?:(\d+):)? (?:(?:fatal )?error: (.*)|  required from here))re");
    constexpr const char* kArguments = "the kernel cannot be launched with these arguments";
    std::vector<CompileError> errors;
    CompileError launch;  // the launch that causes an error in our headers
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (line.size() >= 4096 || !std::regex_match(line, found, place)) continue;
        CompileError error{
            found[1].str(), static_cast<std::uint32_t>(std::stoul(found[2].str())),
            found[3].matched ? static_cast<std::uint32_t>(std::stoul(found[3].str())) : 0,
            found[4].str()};
        if (!found[4].matched) {
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
        errors.push_back(error);
    }
    // Another error on the same line is more precise.
    std::erase_if(errors, [&](const CompileError& error) {
        return error.message == kArguments &&
               std::ranges::any_of(errors, [&](const CompileError& other) {
                   return other.line == error.line && other.message != kArguments;
               });
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

std::vector<CompileError> link_errors(const std::string& output, const std::string& file) {
    static const std::regex missing(R"re(undefined reference to [`'‘](.+?)['’]\n)re");
    std::vector<CompileError> errors;
    for (std::sregex_iterator it(output.begin(), output.end(), missing), end; it != end; ++it)
        errors.push_back({file, 0, 0,
                          "no file of the program defines " + (*it)[1].str() +
                              "; give its other files with --with"});
    if (errors.empty()) errors.push_back({file, 0, 0, output});
    return errors;
}

void remove_repeated(std::vector<CompileError>& errors) {
    std::set<std::tuple<std::string, std::uint32_t, std::string>> seen;
    std::erase_if(errors, [&](const CompileError& error) {
        return !seen.insert({error.file, error.line, error.message}).second;
    });
}

}  // namespace tilereel::plain
