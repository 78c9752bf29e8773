#include "app/cli/completion.h"

#include <algorithm>

#include "instrumentation/analysis/generations/generation.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text, char separator) {
    Words parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        if (end > at) parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

Words kernel_names() {
    Words names;
    for (const KernelInfo& kernel : catalog()) names.emplace_back(kernel.id);
    return names;
}

// The possible values of an option, judged by the type that --help shows.
Words values_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    if (type.find('|') != std::string::npos) return split(type, '|');
    if (type == "KERNEL") return kernel_names();
    if (type != "GENERATION") return {};
    Words ids;
    for (const Generation& generation : generations()) ids.emplace_back(generation.id);
    return ids;
}

const CLI::Option* option_named(const CLI::App& app, const std::string& word) {
    for (const CLI::Option* option : app.get_options())
        if (!option->get_positional() && option->check_name(word)) return option;
    return nullptr;
}

bool takes_value(const CLI::Option* option) {
    return option != nullptr && option->get_items_expected_max() > 0;
}

Words option_names(const CLI::App& app) {
    Words names;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional() || option->get_group().empty()) continue;
        for (const std::string& name : split(option->get_name(false, true), ','))
            if (name.starts_with("--")) names.push_back(name);
    }
    return names;
}

// The subcommands and, if the call takes a kernel, the kernels.
Words first_words(const CLI::App& app) {
    Words names;
    for (const CLI::App* command : app.get_subcommands({}))
        if (!command->get_group().empty()) names.push_back(command->get_name());
    for (const CLI::Option* option : app.get_options())
        if (option->get_positional() && option->get_name(true).find("KERNEL") != std::string::npos)
            std::ranges::copy(kernel_names(), std::back_inserter(names));
    return names;
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : app.get_subcommands({}))
        if (command->get_name() == name) return command;
    return nullptr;
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty()) return {};
    const CLI::App* at = &app;
    const CLI::Option* open = nullptr;  // the option whose value is expected next
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == "--") return {};
        const bool is_value = takes_value(open);
        open = is_value ? nullptr : option_named(*at, words[i]);
        if (is_value || at != &app) continue;
        if (const CLI::App* command = command_named(app, words[i])) at = command;
    }
    const std::string& word = words.back();
    Words candidates = takes_value(open)       ? values_of(*open)
                       : word.starts_with('-') ? option_names(*at)
                                               : first_words(*at);
    std::erase_if(candidates, [&word](const std::string& each) { return !each.starts_with(word); });
    return candidates;
}

}  // namespace tilereel
