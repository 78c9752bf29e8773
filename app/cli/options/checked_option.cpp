#include "app/cli/options/checked_option.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "app/cli/typed_numbers.h"

namespace tilereel {
namespace {

bool is_written(const CLI::Option& option) {
    constexpr std::array<std::string_view, 13> kWritten = {
        "--output", "--png",      "--svg", "--pdf",        "--gif",   "--mp4",       "--webm",
        "--html",   "--perfetto", "--csv", "--screenshot", "--junit", "--gradescope"};
    return option.get_type_name() == "FILE" &&
           std::ranges::find(kWritten, option.get_name()) != kWritten.end();
}

// Also files that do not exist yet.
bool are_same_file(const std::string& one, const std::string& other) {
    namespace fs = std::filesystem;
    std::error_code none;
    if (fs::equivalent(one, other, none)) return true;
    return fs::absolute(one, none).lexically_normal() ==
           fs::absolute(other, none).lexically_normal();
}

}  // namespace

Status check_written_files(const CLI::App& command) {
    for (const CLI::Option* const written : command.get_options()) {
        if (written->empty() || !is_written(*written)) continue;
        const std::string& file = written->results().back();
        for (const CLI::Option* const other : command.get_options()) {
            // What the program itself gets may name any file.
            if (other == written || other->get_name() == "ARGUMENTS") continue;
            for (const std::string& named : other->results()) {
                if (!are_same_file(file, named)) continue;
                return wrong_call(is_written(*other)
                                      ? written->get_name() + " and " + other->get_name() +
                                            " name the same file, '" + file + "'; name two"
                                      : written->get_name() + " would replace '" + file +
                                            "', which is read here; name another file");
            }
        }
    }
    return Done{};
}

CLI::Option* add_checked_option(CLI::App& app, const std::string& name, ParseOption parse,
                                const std::string& description, const std::string& type) {
    const auto take = [name, parse = std::move(parse)](const std::string& text) {
        const std::string wanted = parse(text);
        if (!wanted.empty())
            throw CLI::ConversionError(name + " takes " + wanted + ", not '" + text + "'");
    };
    return app.add_option_function<std::string>(name, take, description)
        ->type_name(type)
        ->take_last();
}

CLI::Option* add_file_option(CLI::App& app, const std::string& name, std::string& value,
                             const std::string& description) {
    const auto take = [&value, name](const std::string& text) {
        if (text.empty())
            throw CLI::ConversionError(name.substr(name.find(',') + 1) +
                                       " takes the name of a file, not ''");
        value = text;
    };
    return app.add_option_function<std::string>(name, take, description)
        ->type_name("FILE")
        ->take_last();
}

template <class T>
CLI::Option* add_whole_option(CLI::App& app, const std::string& name, std::optional<T>& value,
                              std::int64_t least, std::int64_t most,
                              const std::string& description) {
    const auto parse = [&value, least, most](const std::string& text) -> std::string {
        const auto number = parse_whole(text);
        if (!number || *number < least || *number > most)
            return "a whole number from " + with_commas(static_cast<std::uint64_t>(least)) +
                   " to " + with_commas(static_cast<std::uint64_t>(most));
        value = static_cast<T>(*number);
        return "";
    };
    return add_checked_option(app, name, parse, description, "NUMBER");
}
template CLI::Option* add_whole_option(CLI::App&, const std::string&, std::optional<int>&,
                                       std::int64_t, std::int64_t, const std::string&);
template CLI::Option* add_whole_option(CLI::App&, const std::string&, std::optional<std::uint64_t>&,
                                       std::int64_t, std::int64_t, const std::string&);

}  // namespace tilereel
