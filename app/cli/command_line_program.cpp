#include "app/cli/command_line_program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <system_error>

#include "app/cli/output.h"

namespace tilereel {

namespace {
constexpr int kFailedCode = 1, kWrongCallCode = 2, kUnableCode = 3;
}  // namespace

int report_error(const std::string& program, std::string message, ErrorKind kind) {
    std::ranges::replace_if(
        message, [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }, ' ');
    std::fprintf(stderr, "%s: %s\n", program.c_str(), printable(message).c_str());
    return kind == ErrorKind::kWrongCall ? kWrongCallCode
           : kind == ErrorKind::kUnable  ? kUnableCode
                                         : kFailedCode;
}

int exit_code_of(const std::string& program, const Result<std::string>& result) {
    if (!result) return report_error(program, result.error().message, result.error().kind);
    const Status printed = print_out(*result);
    return printed ? 0 : report_error(program, printed.error().message, printed.error().kind);
}

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
    const auto program = [&app] {
        const auto chosen = app.get_subcommands();
        return app.get_name() + (chosen.empty() ? "" : " " + chosen.front()->get_name());
    };
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        return exit_code_of(program(), app.help());
    } catch (const CLI::CallForVersion& version) {
        return exit_code_of(app.get_name(), std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        return report_error(program(),
                            std::string(error.what()) + " (see " + program() + " --help)",
                            ErrorKind::kWrongCall);
    }
}

int run_guarded(const char* program, const std::function<int()>& work) noexcept {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    // Does not use report_error(), because that allocates memory.
    const auto say = [program](const char* sentence, const char* why) {
        std::fprintf(stderr, "%s: %s%s\n", program, sentence, why);
        return kFailedCode;
    };
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return say("there is not enough memory; ask for smaller matrices", "");
    } catch (const std::system_error& problem) {
        return say("the system gives no more threads or files; close some programs: ",
                   problem.what());
    } catch (const std::exception& problem) {
        return say("this cannot be done; ask for something smaller: ", problem.what());
    }
}

}  // namespace tilereel
