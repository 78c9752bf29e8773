#include "app/cli/commands/race_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>

#include "app/cli/interrupt.h"
#include "app/cli/options/checked_option.h"
#include "app/cli/output.h"
#include "app/cli/report/race_report.h"
#include "app/race/files/race_csv.h"
#include "app/race/files/race_file.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {
namespace {

// A progress line on a terminal. Nothing if stderr is a file.
class ProgressLine {
  public:
    void show(const Race& race, const RaceEvent& event) {
        if (!shown_) return;
        std::string text = std::visit(
            [&](const auto& each) {
                return name_of(race.request.contenders[each.contender]) + " at " +
                       name_of(race.request.sizes[each.size]);
            },
            event);
        if (const auto* sample = std::get_if<Sample>(&event))
            text += ": " + std::to_string(sample->repeat + 1) + " of " +
                    std::to_string(race.request.repeats);
        std::fprintf(stderr, "\r\033[K%.100s", text.c_str());
    }
    ~ProgressLine() {
        if (shown_) std::fputs("\r\033[K", stderr);
    }

  private:
    bool shown_ = ::isatty(STDERR_FILENO) == 1;
};

Status send(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return failed("nobody reads the events");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return Done{};
}

struct Raced {
    Race race;
    Status ended = Done{};
};

Raced race_with(const PlannedRace& plan, bool json, std::optional<int> events) {
    const InterruptFlag interrupt;
    Raced raced{.race = new_race(plan.request, *plan.runner, interrupt.flag())};
    ProgressLine progress;
    Status printed = events ? send(*events, race_line(raced.race)) : Done{};
    const auto listen = [&](const RaceEvent& event) {
        add(raced.race, event);
        if (json && printed) printed = print_out(race_json_line(raced.race, event));
        if (events && printed) printed = send(*events, event_line(event));
        if (!printed) interrupt.flag() = true;  // the reader of stdout is gone
        progress.show(raced.race, event);
    };
    try {
        raced.ended = run_race(plan.request, *plan.runner, listen, interrupt.flag());
    } catch (const std::bad_alloc&) {  // what was measured so far is shown and saved
        raced.ended = failed("there is not enough memory; race smaller sizes");
    }
    raced.race.complete = raced.ended.has_value();
    if (!printed) raced.ended = printed;
    return raced;
}

// The first argument that is a saved race instead of a kernel. Empty if there is none.
std::string file_among(const std::vector<std::string>& names) {
    const auto file = std::ranges::find_if(
        names, [](const std::string& name) { return name.ends_with(".json"); });
    return file == names.end() ? "" : *file;
}

// An error with the numbers of wrong and failed products. Done if there are none.
Status verdict_on(const Race& race) {
    const auto count = [&](Outcome outcome) {
        return std::ranges::count(race.verified, outcome, &Verified::outcome);
    };
    const auto wrong = count(Outcome::kWrong), failures = count(Outcome::kFailed);
    if (wrong + failures == 0) return Done{};
    return failed(std::to_string(wrong) + " wrong and " + std::to_string(failures) + " failed of " +
                  std::to_string(race.verified.size()) + "; the reasons are among the results");
}

}  // namespace

void RaceCommand::add_to(CLI::App& app) {
    add_race_options(app, options);
    app.add_option("--events", events)->group("");
    CLI::Option* const as_json =
        app.add_flag("--json", json, "Print a JSON line for each sample as it comes");
    app.add_flag("--csv", csv, "Print the samples as CSV")->excludes(as_json);
    add_file_option(app, "-o,--output", output, "Save the race (.json)");
    add_file_option(app, "--open", open, "Show a saved race instead of racing");
    add_file_option(app, "--compare", compare, "Compare the race with a saved one");
}

Result<std::string> RaceCommand::report(const Race& race, const std::optional<Race>& before) const {
    if (events) return std::string();
    if (csv) return race_csv(race);
    if (json) return before ? comparison_json_lines(*before, race) : "";
    return race_text(race) + (before ? "\n" + comparison_text(*before, race) : "");
}

Result<std::string> RaceCommand::run_race_now(const std::optional<Race>& before) const {
    if (!output.empty())  // reports an unwritable path before the race instead of after it
        TRY(ReplacingFile::open(output));
    RaceOptions planned = options;
    planned.only_named = events.has_value();
    const auto plan = TRY(plan_race(planned));
    std::fputs(plan.note.c_str(), stderr);
    const Raced raced = race_with(plan, json, events);
    Status saved = Done{};
    if (!output.empty()) saved = write_race(raced.race, output);
    if (saved && and_then) saved = and_then(raced.race);
    auto text = report(raced.race, before);
    const Status verdict = verdict_on(raced.race);
    if (events && raced.ended) return text;  // what was wrong is among the events
    if (saved && raced.ended && verdict) return text;
    TRY(print_out(*text));
    if (!raced.ended && raced.ended.error().kind == ErrorKind::kCancelled)
        return failed("interrupted; " + (output.empty() ? std::string("the results stop there")
                                                        : "'" + output + "' holds what was raced"));
    for (const Status& status : {raced.ended, saved, verdict})
        if (!status) return status.error();
    return text;
}

Result<std::string> RaceCommand::show_saved(const std::string& file,
                                            const std::optional<Race>& before) const {
    RaceOptions chosen = options;
    if (open.empty()) chosen.kernels.erase(std::ranges::find(chosen.kernels, file));
    if (chosen.any() || !output.empty())
        return wrong_call("'" + file +
                          "' is shown as it was saved; leave out the options for a new race");
    const auto race = TRY(read_race(file));
    if (and_then) TRY(and_then(race));
    auto text = report(race, before);
    if (json) return race_json_lines(race) + *text;
    return text;
}

Result<std::string> RaceCommand::write_library() const {
    const bool one = options.kernels.size() == 1 && options.kernels.front().ends_with(".cu");
    if (!one || !output.empty() || csv || json || !compare.empty())
        return wrong_call(
            "--library compiles one .cu file and does not race; give nothing else "
            "but --call, --define, --launch and --sizes");
    const std::vector<OwnKernel> kernels =
        TRY(options.own_kernels(options, options.kernels.front()));
    if (kernels.size() > 1) return wrong_call("--library takes one value of --define");
    const OwnKernel& kernel = kernels.front();
    return "wrote " + options.own_library + ": " + kernel.name + ", launched as " + kernel.call +
           "\n'tilereel_race_alone " + options.own_library +
           std::string(kernel.work ? "" : " 09_tiled") + "' races it on a machine with a GPU\n";
}

Result<std::string> RaceCommand::run() const {
    if (!options.own_library.empty()) return write_library();
    if (csv && !compare.empty())
        return wrong_call("--compare prints a table or JSON lines; leave out --csv");
    std::optional<Race> before;
    if (!compare.empty()) {
        auto read = TRY(read_race(compare));
        before = std::move(read);
    }
    const std::string file = open.empty() ? file_among(options.kernels) : open;
    return file.empty() ? run_race_now(before) : show_saved(file, before);
}

}  // namespace tilereel
