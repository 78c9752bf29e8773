#include "app/own_kernel/race_process.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <optional>

#include "app/race/files/race_line_reader.h"
#include "instrumentation/contract/record_options.h"
#include "instrumentation/program/process.h"

namespace tilereel {
namespace {

std::string name_for_command(const Contender& contender) {
    if (!has_parameters(contender)) return contender.kernel;
    return contender.kernel + ":" + std::to_string(contender.tile) + ":" +
           std::to_string(contender.pad);
}

// The last line that the process printed, without "tilereel: " or "error: ".
std::string last_words(const std::string& output) {
    std::string line = output.substr(0, output.find_last_not_of(" \r\n") + 1);
    line = line.substr(line.rfind('\n') + 1);
    for (const std::string_view begin : {"tilereel: ", "error: "})
        if (line.starts_with(begin)) line.erase(0, begin.size());
    return line;
}

// `words`: of the race's reader; empty: it has no complaint.
Status end_of(const program::ProcessResult& ended, const std::string& words) {
    if (ended.end == program::ProcessEnd::kCancelled) return cancelled();
    if (!words.empty()) return failed(words);
    if (ended.succeeded()) return Done{};
    if (ended.end == program::ProcessEnd::kSignal)
        return failed("the process that raced your kernel ended with signal " +
                      std::to_string(ended.code) + " (" + ::strsignal(ended.code) +
                      "): its code on the host crashed");
    const std::string said = last_words(ended.output);
    return failed(said.empty() ? "the process that raced your kernel failed without a word" : said);
}

}  // namespace

std::vector<std::string> race_command(const RaceRequest& request, const RaceProcess& process) {
    std::vector<std::string> command = {process.program.empty()
                                            ? std::filesystem::path("/proc/self/exe").string()
                                            : process.program.string(),
                                        "race"};
    for (const Contender& contender : request.contenders)
        if (!is_own(contender)) command.push_back(name_for_command(contender));
    for (const std::filesystem::path& library : process.libraries)
        command.push_back(library.string());
    std::string sizes;
    for (const ProductSize& size : request.sizes)
        sizes += (sizes.empty() ? "" : ",") + name_of(size);
    const auto seconds = static_cast<long>(std::ceil(request.enough_ms / 1000));
    for (std::string word :
         {std::string("--gpu"), std::string("--sizes"), sizes, std::string("--repeats"),
          std::to_string(request.repeats), std::string("--seconds"), std::to_string(seconds),
          std::string("--seed"), std::to_string(request.seed),
          std::string(request.caches == Caches::kCold ? "--cold" : "--warm"),
          std::string("--events"), std::to_string(contract::kMessagePipe)})
        command.push_back(std::move(word));
    return command;
}

Status race_in_process(const RaceRequest& request, const RaceProcess& process,
                       const std::atomic<bool>& cancel) {
    RaceLineReader reader;
    std::string wrong;
    program::ProcessRequest child;
    child.command = race_command(request, process);
    child.on_message = [&](const std::string& line) {
        if (!wrong.empty()) return;
        const auto event = reader.take(line);
        if (!event) {
            wrong = event.error().message;
        } else if (!*event) {
            process.begun(*reader.race());
        } else {
            process.listener(**event);
        }
    };
    child.cancel = &cancel;
    const auto ended = program::run_process(child);
    if (!ended) return ended.error();
    return end_of(*ended, wrong);
}

}  // namespace tilereel
