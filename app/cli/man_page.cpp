#include "app/cli/man_page.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tilereel {
namespace {

// Escapes text for roff: a hyphen is printed as an ASCII hyphen, so that it can be copied, and a
// line that begins with a dot or a quote is not a request.
std::string roff(const std::string& text) {
    std::string safe;
    if (!text.empty() && (text.front() == '.' || text.front() == '\'')) safe = "\\&";
    for (const char letter : text)
        safe += letter == '\\' ? "\\e" : letter == '-' ? "\\-" : std::string(1, letter);
    return safe;
}

std::string in_capitals(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char letter) {
        return static_cast<char>(std::toupper(letter));
    });
    return text;
}

// "-I, --include FOLDER" with bold names and the value in italics.
std::string heading_of(const CLI::Option& option) {
    std::string heading;
    if (option.get_positional()) return "\\fI" + roff(option.get_name(true)) + "\\fR";
    const std::string names = option.get_name(false, true);  // "-I,--include"
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = std::min(names.find(',', at), names.size());
        heading += (at == 0 ? "" : ", ");
        heading += "\\fB" + roff(names.substr(at, end - at)) + "\\fR";
        at = end + 1;
    }
    const std::string value = option.get_type_name();
    return value.empty() ? heading : heading + " \\fI" + roff(value) + "\\fR";
}

// The options of a group, one paragraph each. Empty if there are none.
std::string options_of(const CLI::App& app, const std::string& group, bool positional) {
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group() != group || option->get_positional() != positional) continue;
        text += ".TP\n" + heading_of(*option) + "\n" + roff(option->get_description()) + "\n";
    }
    return text;
}

// All options of an app or subcommand. `heading`: the roff request before the name of a group.
std::string all_options_of(const CLI::App& app, const std::string& heading) {
    std::string text;
    for (const std::string& group : app.get_groups()) {
        if (group.empty()) continue;
        text += options_of(app, group, true);
        const std::string options = options_of(app, group, false);
        if (options.empty()) continue;
        if (group != "Options") text += heading + " \"" + roff(group) + "\"\n";
        text += options;
    }
    return text;
}

std::string commands_of(const CLI::App& app) {
    std::string text;
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->get_group().empty()) continue;
        text += ".SS \"" + roff(app.get_name() + " " + command->get_name()) + "\"\n" +
                roff(command->get_description()) + ".\n" + all_options_of(*command, ".PP\n.B");
    }
    return text;
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
    const std::string name = app.get_name();
    return ".TH " + in_capitals(name) + " 1 \"\" \"" + roff(name + " " + version) +
           "\" \"User commands\"\n"
           ".SH NAME\n" +
           roff(name) + " \\- shows what each thread of a CUDA kernel does to memory\n" +
           ".SH SYNOPSIS\n.B " + roff(name) +
           "\n[\\fIoptions\\fR] [\\fIKERNEL\\-OR\\-FILE\\fR]\n.br\n.B " + roff(name) +
           "\n\\fIcommand\\fR [\\fIoptions\\fR]\n" + ".SH DESCRIPTION\n" +
           roff(app.get_description()) + "\n" + roff(app.get_footer()) + "\n" + ".SH OPTIONS\n" +
           all_options_of(app, ".SS") + ".SH COMMANDS\n" + commands_of(app) +
           ".SH EXIT STATUS\n"
           ".TP\n.B 0\nThe work is done.\n"
           ".TP\n.B 1\nThe work failed; one sentence on standard error says why.\n"
           ".TP\n.B 2\nThe call was wrong; one sentence on standard error says what to change.\n"
           ".SH EXAMPLES\n"
           ".TP\n.B tilereel open homework.cu\nShow what each launch of a CUDA program does to "
           "memory.\n"
           ".TP\n.B tilereel 09_tiled \\-\\-pad 1\nOpen a kernel of the ladder with one unused "
           "float a "
           "row of shared memory.\n"
           ".TP\n.B tilereel report homework.cu \\-\\-json\nPrint the counts of each launch.\n"
           ".TP\n.B tilereel race 02_naive 09_tiled cublas \\-\\-sizes 1024,2048\nRace kernels at "
           "full speed.\n";
}

}  // namespace tilereel
