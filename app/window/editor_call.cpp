#include "app/window/editor_call.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <thread>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace tilereel {
namespace {

// How an editor takes a line.
enum class LineSyntax : std::uint8_t {
    kNone,        // file
    kPlus,        // +line file
    kColon,       // file:line
    kGoto,        // -g file:line
    kL,           // -l line file
    kLineOption,  // --line line file
};

struct KnownEditor {
    std::string_view name;
    LineSyntax syntax;
    bool in_terminal = false;
};
constexpr auto kEditors = std::to_array<KnownEditor>({
    {"code", LineSyntax::kGoto},
    {"code-insiders", LineSyntax::kGoto},
    {"codium", LineSyntax::kGoto},
    {"vscodium", LineSyntax::kGoto},
    {"cursor", LineSyntax::kGoto},
    {"subl", LineSyntax::kColon},
    {"sublime_text", LineSyntax::kColon},
    {"zed", LineSyntax::kColon},
    {"zeditor", LineSyntax::kColon},
    {"gvim", LineSyntax::kPlus},
    {"emacs", LineSyntax::kPlus},
    {"emacsclient", LineSyntax::kPlus},
    {"gedit", LineSyntax::kPlus},
    {"pluma", LineSyntax::kPlus},
    {"xed", LineSyntax::kPlus},
    {"kate", LineSyntax::kL},
    {"kwrite", LineSyntax::kL},
    {"geany", LineSyntax::kL},
    {"mousepad", LineSyntax::kL},
    {"clion", LineSyntax::kLineOption},
    {"idea", LineSyntax::kLineOption},
    {"vim", LineSyntax::kPlus, true},
    {"vi", LineSyntax::kPlus, true},
    {"view", LineSyntax::kPlus, true},
    {"nvim", LineSyntax::kPlus, true},
    {"nano", LineSyntax::kPlus, true},
    {"pico", LineSyntax::kPlus, true},
    {"micro", LineSyntax::kPlus, true},
    {"kak", LineSyntax::kPlus, true},
    {"joe", LineSyntax::kPlus, true},
    {"jed", LineSyntax::kNone, true},
    {"ne", LineSyntax::kPlus, true},
    {"mg", LineSyntax::kPlus, true},
    {"mcedit", LineSyntax::kColon, true},
    {"hx", LineSyntax::kColon, true},
    {"helix", LineSyntax::kColon, true},
    {"editor", LineSyntax::kPlus, true},  // Debian's name of the chosen one
    {"sensible-editor", LineSyntax::kPlus, true},
});

// Terminals of desktops, and what stands before the command that they run.
struct Terminal {
    const char* name;
    std::initializer_list<const char*> before;
};
const std::array<Terminal, 12> kTerminals = {{{"xdg-terminal-exec", {}},
                                              {"x-terminal-emulator", {"-e"}},
                                              {"gnome-terminal", {"--"}},
                                              {"kgx", {"--"}},
                                              {"ptyxis", {"--"}},
                                              {"konsole", {"-e"}},
                                              {"xfce4-terminal", {"-x"}},
                                              {"kitty", {}},
                                              {"alacritty", {"-e"}},
                                              {"foot", {}},
                                              {"wezterm", {"start", "--"}},
                                              {"xterm", {"-e"}}}};

// The words of a command as a shell splits them, with quotes and backslashes but nothing else:
// "code -w", "'/opt/my editor/ed' -n".
std::vector<std::string> words_of(std::string_view command) {
    std::vector<std::string> words;
    std::optional<std::string> word;
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            if (!word) word.emplace();
        } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
            word = word.value_or("") + command[++i];
        } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            if (word) words.push_back(*word);
            word.reset();
        } else {
            word = word.value_or("") + c;
        }
    }
    if (word) words.push_back(*word);
    return words;
}

std::string name_of(const std::string& program) {
    return std::filesystem::path(program).filename().string();
}

const KnownEditor* known(const std::string& program) {
    const auto found = std::ranges::find(kEditors, name_of(program), &KnownEditor::name);
    return found == kEditors.end() ? nullptr : found;
}

void add_place(std::vector<std::string>& call, LineSyntax syntax, const std::string& file,
               std::uint32_t line) {
    const std::string number = std::to_string(line);
    if (line == 0) syntax = LineSyntax::kNone;
    switch (syntax) {
        case LineSyntax::kNone:
            call.push_back(file);
            return;
        case LineSyntax::kPlus:
            call.insert(call.end(), {"+" + number, file});
            return;
        case LineSyntax::kColon:
            call.push_back(file + ":" + number);
            return;
        case LineSyntax::kGoto:
            call.insert(call.end(), {"-g", file + ":" + number});
            return;
        case LineSyntax::kL:
            call.insert(call.end(), {"-l", number, file});
            return;
        case LineSyntax::kLineOption:
            call.insert(call.end(), {"--line", number, file});
            return;
    }
}

// Whether the command itself asks an editor that also has a window for the terminal.
bool asks_for_terminal(const std::vector<std::string>& words) {
    const std::string name = name_of(words.front());
    if (name != "emacs" && name != "emacsclient") return false;
    return std::ranges::any_of(words, [](const std::string& word) {
        return word == "-nw" || word == "-t" || word == "--tty" || word == "--no-window-system";
    });
}

Result<std::vector<std::string>> in_terminal(const std::vector<std::string>& editor,
                                             const char* variable,
                                             const EditorSurroundings& around) {
    for (const Terminal& terminal : kTerminals) {
        if (!around.is_installed(terminal.name)) continue;
        std::vector<std::string> call = {terminal.name};
        call.insert(call.end(), terminal.before.begin(), terminal.before.end());
        call.insert(call.end(), editor.begin(), editor.end());
        return call;
    }
    return failed(std::string(variable) + " is " + name_of(editor.front()) +
                  ", which needs a terminal, and none is installed; set VISUAL to an editor with a "
                  "window");
}

Result<std::vector<std::string>> desktop_call(const std::string& file,
                                              const EditorSurroundings& around) {
    if (around.is_installed("xdg-open")) return std::vector<std::string>{"xdg-open", file};
    if (around.is_installed("gio")) return std::vector<std::string>{"gio", "open", file};
    return failed(
        "no editor is known: set VISUAL or EDITOR, such as VISUAL=code, and start Tilereel again");
}

}  // namespace

EditorSurroundings editor_surroundings() {
    const auto variable = [](const char* name) -> std::string {
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
        return value == nullptr ? "" : value;
    };
    return {
        .variable = variable, .is_installed = [variable](const std::string& program) {
            const auto runs = [](const std::filesystem::path& path) {
                std::error_code unknown;
                return std::filesystem::is_regular_file(path, unknown) &&
                       ::access(path.c_str(), X_OK) == 0;
            };
            if (program.find('/') != std::string::npos) return runs(program);
            const std::string path = variable("PATH");
            for (std::size_t at = 0; at <= path.size();) {
                const std::size_t end = std::min(path.find(':', at), path.size());
                if (end > at && runs(std::filesystem::path(path.substr(at, end - at)) / program))
                    return true;
                at = end + 1;
            }
            return false;
        }};
}

Result<std::vector<std::string>> editor_call(const std::filesystem::path& file, std::uint32_t line,
                                             const EditorSurroundings& around) {
    for (const char* const variable : {"VISUAL", "EDITOR"}) {
        std::vector<std::string> words = words_of(around.variable(variable));
        if (words.empty()) continue;
        if (!around.is_installed(words.front()))
            return failed(std::string(variable) + " is '" + words.front() +
                          "', and there is no such program");
        const KnownEditor* const editor = known(words.front());
        const bool terminal =
            asks_for_terminal(words) || (editor != nullptr && editor->in_terminal);
        add_place(words, editor == nullptr ? LineSyntax::kNone : editor->syntax, file.string(),
                  line);
        if (terminal) return in_terminal(words, variable, around);
        return words;
    }
    return desktop_call(file.string(), around);
}

Result<std::string> start_editor(const std::vector<std::string>& call) {
    std::vector<char*> arguments;
    for (const std::string& word : call) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    // It has neither our terminal's input nor our files, and a signal for us is not for it.
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, arguments.front(), &actions, &attributes,
                                     arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0) return failed("cannot start " + call.front() + ": " + std::strerror(error));
    // Waits for it, so that it does not stay in the list of processes when it has ended.
    std::thread([process] {
        while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
        }
    }).detach();
    return name_of(call.front());
}

}  // namespace tilereel
