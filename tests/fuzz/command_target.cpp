#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {
namespace {

constexpr std::size_t kMostArguments = 24;
constexpr long kLargestNumber = 32;

// An empty folder in which every command runs, with /dev/null as its input and output.
class CommandFolder {
  public:
    CommandFolder() {
        char name[] = "/tmp/tilereel-fuzz-XXXXXX";
        folder_ = mkdtemp(name);
        if (chdir(folder_.c_str()) != 0) std::abort();
        const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
        // A command that compiles a program would spend its time in g++.
        setenv("TILEREEL_CXX", "no-compiler", 1);
    }
    ~CommandFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

  private:
    std::string folder_;
};

// Large numbers become small ones, so that every recording is short.
void make_small(std::string& argument) {
    const std::size_t begin = argument.find('=') == std::string::npos ? 0 : argument.find('=') + 1;
    const std::string digits = argument.substr(begin);
    const bool number = !digits.empty() && std::ranges::all_of(digits, [](unsigned char letter) {
        return std::isdigit(letter) != 0;
    });
    if (number && std::strtol(digits.c_str(), nullptr, 10) > kLargestNumber)
        argument = argument.substr(0, begin) + std::to_string(kLargestNumber);
}

std::vector<std::string> arguments_of(Input input) {
    std::vector<std::string> arguments(1);
    for (const std::uint8_t byte : input) {
        if (byte == '\n')
            arguments.emplace_back();
        else if (byte != '\0' && byte != '/')  // no path leaves the folder
            arguments.back() += static_cast<char>(byte);
    }
    if (arguments.size() > kMostArguments) arguments.resize(kMostArguments);
    for (std::string& argument : arguments) make_small(argument);
    return arguments;
}

}  // namespace

void run_command(Input input) {
    static const CommandFolder folder;
    std::vector<std::string> arguments = arguments_of(input);
    arguments.insert(arguments.begin(), "tilereel");
    // Races and exports take long: an unknown option at the end refuses them once the rest of their
    // command line was read. A kernel without sizes is recorded at default sizes: give small ones.
    const auto has = [&](const char* word) {
        return std::ranges::find(arguments, word) != arguments.end();
    };
    if (has("race") || has("export")) arguments.push_back("--no-such-option");
    if ((has("report") || has("trace") || has("facts")) && !has("--m"))
        arguments.insert(arguments.end(), {"--m=8", "--n=8", "--k=8", "--tile=4"});
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const CommandLine line = run_command_line(static_cast<int>(arguments.size()), argv.data());
    if (line.exit_code < 0 || line.exit_code > 2) std::abort();
}

}  // namespace tilereel::fuzz
