#include <nlohmann/json.hpp>

#include "app/cli/subcommands.h"
#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/recording/recorded_facts.h"
#include "instrumentation/base/format/json_text.h"
#include "kernels/cuda/champion/champion_choice.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

Json json_of(const std::vector<FactFigure>& figures) {
    Json rows = Json::array();
    for (const FactFigure& figure : figures)
        rows.push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
    return rows;
}

Json json_of(const RecordedFact& recorded) {
    const Fact& fact = recorded.fact;
    Json row = {{"id", fact.id},
                {"kernels", fact.kernels},
                {"text", fact.text},
                {"figures", json_of(fact.figures)},
                {"source", {{"document", fact.document}, {"section", fact.section}}}};
    if (recorded.recorded.empty()) return row;
    row["recorded"] = {{"text", recorded.recorded}, {"figures", json_of(recorded.figures)}};
    return row;
}

std::string text_of(const RecordedFact& recorded, bool with_kernels) {
    const Fact& fact = recorded.fact;
    std::string text;
    if (with_kernels) {
        std::string kernels;
        for (const std::string_view kernel : fact.kernels)
            kernels += (kernels.empty() ? "" : ", ") + std::string(kernel);
        text += (kernels.empty() ? "all kernels" : kernels) + ":\n";
    }
    const std::string indent = with_kernels ? "  " : "";
    text += indent + fact.text + "\n";
    if (!recorded.recorded.empty()) text += indent + "  recorded: " + recorded.recorded + "\n";
    return text + indent + "  source:   " + quoted(fact.document) + ", " +
           std::string(fact.section) + "\n";
}

// The launch has the given sizes or, without any, sizes near the default that the kernel accepts.
Result<std::vector<RecordedFact>> facts_of_launch(const FactsCommand& command) {
    const KernelInfo* kernel = find_kernel(command.subject.name);
    NamedSubject subject = command.subject;
    subject.options.generation = command.generation;
    if (kernel != nullptr && !subject.options.gives_sizes()) {
        KernelParameters usual;
        usual.tile = subject.options.tile.value_or(usual.tile);
        usual.pad = subject.options.pad.value_or(usual.pad);
        const FittedParameters fitted = TRY(fit_parameters(*kernel, usual));
        subject.options.m = fitted.parameters.m;
        subject.options.n = fitted.parameters.n;
        subject.options.k = fitted.parameters.k;
        if (!subject.options.tile && !subject.options.tile_by_occupancy)
            subject.options.tile = fitted.parameters.tile;
    }
    const Trace trace = TRY(obtain_trace(subject));
    return recorded_facts(trace, count_sites(trace, {}, *command.generation), *command.generation);
}

constexpr std::string_view kChampionId = "20_champion";

// How a race of 20_champion without a TILE computes the size that the options give.
Result<std::string> why(const FactsCommand& command) {
    const auto& options = command.subject.options;
    if (command.subject.name != kChampionId)
        return wrong_call("--why explains 20_champion, which chooses its tiles; name that kernel");
    if (!options.m || !options.n || !options.k)
        return wrong_call("--why needs a size; give --m, --n and --k");
    if (command.json) return wrong_call("--why prints text; leave out --json");
    return explain_champion({.m = *options.m, .n = *options.n, .k = *options.k});
}

}  // namespace

void FactsCommand::add_to(CLI::App& app) {
    CLI::Option* const of_launch =
        app.add_option("KERNEL-OR-FILE", subject.name,
                       "A kernel or a trace file, for the facts about it beside what it recorded; "
                       "without one, all facts")
            ->type_name("");
    add_kernel_options(app, subject.options);
    add_generation_option(app, generation)->needs(of_launch);
    app.add_flag("--json", json, "Print JSON");
    app.add_flag("--why", explains_choice,
                 "20_champion: print the tiles that a race of it chooses for --m, --n and --k, and "
                 "the times that the choice is made by")
        ->needs(of_launch);
}

Result<std::string> FactsCommand::run() const {
    if (explains_choice) return why(*this);
    std::vector<RecordedFact> facts;
    const bool all = subject.name.empty();
    if (all) {
        if (subject.options.has_recording_option() || subject.options.memory_limit_bytes)
            return wrong_call("name the kernel that the options are for, such as 09_tiled");
        for (Fact& fact : all_facts(KernelParameters{}.tile))
            facts.push_back({.fact = std::move(fact), .recorded = {}, .figures = {}});
    } else {
        std::vector<RecordedFact> of_launch = TRY(facts_of_launch(*this));
        facts = std::move(of_launch);
    }
    if (json) {
        Json rows = Json::array();
        for (const RecordedFact& fact : facts) rows.push_back(json_of(fact));
        return json_text(rows, 1) + "\n";
    }
    std::string text;
    for (const RecordedFact& fact : facts) text += (text.empty() ? "" : "\n") + text_of(fact, all);
    return text;
}

}  // namespace tilereel
