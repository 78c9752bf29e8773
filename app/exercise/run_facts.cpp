#include "app/exercise/run_facts.h"

#include <algorithm>

#include "app/exercise/harness.h"
#include "app/exercise/outputs.h"
#include "app/lesson/figures.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/analysis/phases/phases.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

using program::LaunchSummary;
using program::ProgramRun;

constexpr const char* kOfEndlessLoop =
    "Check the condition of its loops, and what its threads wait for.";

FindingFacts facts_of(const RecordedFinding& finding) {
    const bool is_cause = finding.kind == RecordedFindingKind::kOutOfBounds ||
                          finding.kind == RecordedFindingKind::kSubscript ||
                          finding.kind == RecordedFindingKind::kBarrierNotReached;
    // The limits of a check are not the learner's to raise.
    if (finding.kind == RecordedFindingKind::kEndlessLoop)
        return {finding.what + " " + kOfEndlessLoop, finding.line, is_cause, finding.what,
                kOfEndlessLoop};
    return {sentence_of(finding), finding.line, is_cause, finding.what, finding.advice};
}

bool is_of_barrier(const Finding& finding) {
    return finding.hazard == Hazard::kBarrierDivergence ||
           finding.hazard == Hazard::kBarrierSkipped;
}

// Of the launch that ended with an error, or of the program.
FindingFacts first_error(const ProgramRun& run) {
    for (const LaunchSummary& launch : run.launches)
        for (const RecordedFinding& finding : launch.findings)
            if (finding.error) return facts_of(finding);
    for (const RecordedFinding& finding : run.findings)
        if (finding.error) return facts_of(finding);
    return {};
}

bool did_not_end_in_time(const ProgramRun& run) {
    const auto is_late = [](const std::vector<RecordedFinding>& findings) {
        return std::ranges::find(findings, RecordedFindingKind::kEndlessLoop,
                                 &RecordedFinding::kind) != findings.end();
    };
    return run.end == program::ProgramEnd::kTimeLimit || is_late(run.findings) ||
           std::ranges::any_of(run.launches, is_late, &LaunchSummary::findings);
}

// A learner cannot raise the limit of a check.
std::string end_text(const ProgramRun& run) {
    if (run.end != program::ProgramEnd::kTimeLimit) return run.end_sentence;
    return run.end_sentence.substr(0, run.end_sentence.find(';')) +
           ": check the condition of its loops, and how often it launches a kernel.";
}

// Why the launch's counters would not be all of them; empty: they are.
std::string why_not_counted(const LaunchSummary& launch) {
    const std::string name = "the launch of " + launch.kernel;
    if (!launch.reason.empty()) return name + " is not recorded: " + launch.reason;
    if (!launch.is_recorded || !launch.chosen_blocks.empty() || !launch.cut_blocks.empty() ||
        launch.left_out_blocks > 0 || launch.unhooked_blocks > 0 || launch.trace.empty())
        return name + " makes more accesses than are counted in a check: it does too much";
    if (launch.uses_textures) return name + " reads textures, whose accesses are not counted";
    if (launch.uses_cub) return name + " calls CUB: write the steps yourself";
    return {};
}

// The launches of the run that are the submission's; empty with a problem.
std::vector<LaunchSummary> submitted_launches(const ProgramRun& run, const Exercise* exercise,
                                              FindingFacts& problem) {
    std::vector<LaunchSummary> launches = run.launches;
    const bool ended = run.end == program::ProgramEnd::kExit && run.exit_code == 0;
    if (!run.on_host.empty()) {
        problem.sentence = "it calls " + run.on_host.front() +
                           "(), a function of a library: write the kernel yourself";
        return {};
    }
    if (exercise != nullptr) {
        const bool whole = launches.size() >= 2 && launches.front().kernel == kBeforeKernel &&
                           launches.back().kernel == kAfterKernel;
        if (!ended || !whole) {
            problem = first_error(run);
            if (problem.sentence.empty())
                problem.sentence =
                    ended ? exercise->function_name + "() did not return" : end_text(run);
            return {};
        }
        launches.pop_back();
        launches.erase(launches.begin());
    } else if (!ended) {
        problem = first_error(run);
        if (problem.sentence.empty()) problem.sentence = end_text(run);
        return {};
    }
    if (launches.empty())
        problem.sentence = exercise != nullptr ? exercise->function_name + "() launches no kernel"
                                               : "the program launches no kernel";
    return launches;
}

void add_findings(const LaunchSummary& launch, const Trace& trace, RunFacts& facts) {
    for (const RecordedFinding& finding : launch.findings)
        (finding.error ? facts.errors : facts.warnings).push_back(facts_of(finding));
    for (const RecordedFinding& finding : trace.findings)
        if (std::ranges::find(launch.findings, finding.what, &RecordedFinding::what) ==
            launch.findings.end())
            (finding.error ? facts.errors : facts.warnings).push_back(facts_of(finding));
    // A barrier that some threads leave out is undefined in the CUDA C++ Programming Guide, though
    // most GPUs let it pass: a learner's program is not to count on that.
    for (const Finding& finding : find_hazards(trace)) {
        const bool is_cause = is_of_barrier(finding);
        const bool is_error = is_cause || finding.severity == Severity::kError;
        const FindingText text = text_of(trace, finding);
        (is_error ? facts.errors : facts.warnings)
            .push_back({sentence_of(trace, finding), trace.sites[finding.first.site].line, is_cause,
                        text.what, text.advice});
    }
}

// An atomic is no load and no store, and neither is an access of another block's shared memory.
// Where an exercise counts the loads and stores of a memory, and not these, work that is done by
// them would not be counted.
FindingFacts uncounted_access(const Exercise& exercise, const Trace& launch) {
    const auto counts = [&](std::string_view what) {
        return std::ranges::any_of(exercise.checks, [what](const Requirement& check) {
            return check.name.starts_with(what);
        });
    };
    const bool global = (counts("global_load") || counts("global_store") || counts("global.")) &&
                        !counts("global_atomic");
    const bool shared = (counts("shared_load") || counts("shared_store") || counts("shared.")) &&
                        !counts("shared_atomic");
    const bool cluster = (counts("shared_load") || counts("shared_store") || counts("shared.")) &&
                         !counts("cluster");
    for (std::size_t i = 0; i < launch.records.size(); ++i) {
        const Site& site = site_at(launch, i);
        if (cluster && site.array < launch.arrays.size() &&
            launch.arrays[site.array].space == Space::kSharedCluster)
            return {"accesses " + launch.arrays[site.array].name +
                        " in another block of the cluster, which this exercise does not count: use "
                        "the block's own shared memory",
                    site.line};
        if (site.operation != Operation::kAtomic) continue;
        const bool is_shared = launch.arrays[site.array].space == Space::kShared;
        if (is_shared ? !shared : !global) continue;
        return {"accesses " + launch.arrays[site.array].name +
                    " by atomics, which this exercise does not count: load and store instead",
                site.line};
    }
    return {};
}

// Adds the counters to those of other launches. The worst request is the worst of all.
void add_counters(NamedNumbers& sums, const KernelCounts& counts) {
    LessonFigures figures;
    put_count_figures(figures, counts);
    for (const auto& [name, value] : figures) {
        const double number = std::get<double>(value);
        double& sum = sums[name];
        sum = name.ends_with("worst_wavefronts") ? std::max(sum, number) : sum + number;
    }
}

class LaunchCounter {
  public:
    explicit LaunchCounter(RunFacts& facts) : facts_(facts) {
        for (const std::string& name : counter_names()) facts.counters[name] = 0;
    }

    void add(const Trace& trace) {
        const std::vector<SiteCounts> sites = count_sites(trace);
        const KernelCounts counts = sum_of(trace, sites);
        add_counters(facts_.counters, counts);
        std::map<std::uint32_t, std::vector<SiteCounts>> lines;
        for (const SiteCounts& each : sites)
            if (trace.sites[each.site].file == 0)
                lines[trace.sites[each.site].line].push_back(each);
        for (const auto& [line, of_line] : lines) {
            KernelCounts of = sum_of(trace, of_line);
            of.barriers = 0;  // a count of the block, not of a line
            add_counters(facts_.lines[line], of);
            facts_.lines[line]["lanes on"] += static_cast<double>(lanes_off(of));
        }
        if (trace.segments.size() > 0) {  // the kernel accesses memory
            add_lanes(counts);
            double& per_phase = facts_.counters["barriers per phase"];
            const BlockPhases phases = phases_of_block(trace, trace.segments.block.front());
            per_phase = std::max(per_phase,
                                 static_cast<double>(counts.barriers) / std::max(phases.count, 1u));
        }
        ++facts_.counters["launches"];
        double& threads = facts_.counters["threads"];
        threads = std::max(threads, static_cast<double>(trace.launch.threads()));
        double& shared = facts_.counters["shared_bytes"];
        shared = std::max(shared, static_cast<double>(trace.launch.shared_bytes));
    }

  private:
    // All kinds of requests that lanes make.
    static std::vector<AccessCounts> kinds_of(const KernelCounts& c) {
        return {c.global_load,   c.global_store,  c.shared_load,   c.shared_store,  c.shared_copy,
                c.global_atomic, c.shared_atomic, c.constant_load, c.cluster_access};
    }
    static std::uint64_t lanes_off(const KernelCounts& counts) {
        std::uint64_t sum = 0;
        for (const AccessCounts& each : kinds_of(counts)) sum += each.lanes_off;
        return sum;
    }
    // The lowest share of all launches, so that no launch can hide another.
    void add_lanes(const KernelCounts& counts) {
        const auto percent = static_cast<double>(counts.lanes_on_percent());
        double& least = facts_.counters["lanes on"];
        least = any_ ? std::min(least, percent) : percent;
        any_ = true;
    }

    RunFacts& facts_;
    bool any_ = false;
};

}  // namespace

RunFacts facts_of_run(const ProgramRun& run, const Exercise* exercise) {
    RunFacts facts;
    facts.is_late = did_not_end_in_time(run);
    const std::vector<LaunchSummary> launches = submitted_launches(run, exercise, facts.problem);
    if (!facts.problem.sentence.empty()) return facts;
    LaunchCounter counter(facts);
    std::vector<Trace> traces;
    for (const LaunchSummary& launch : launches) {
        facts.problem.sentence = why_not_counted(launch);
        if (!facts.problem.sentence.empty()) {
            if (const FindingFacts error = first_error(run); !error.sentence.empty())
                facts.problem = error;
            return facts;
        }
        Result<Trace> trace = read_trace(launch.trace);
        if (!trace) {
            facts.problem.sentence = trace.error().message;
            return facts;
        }
        if (const auto product = recognise_product(*trace)) name_product(*trace, *product);
        counter.add(*trace);
        add_findings(launch, *trace, facts);
        traces.push_back(*std::move(trace));
        if (exercise == nullptr) continue;
        facts.problem.sentence = uncounted_change(traces.back());
        if (facts.problem.sentence.empty())
            facts.problem = uncounted_access(*exercise, traces.back());
        if (!facts.problem.sentence.empty()) return facts;
    }
    for (const RecordedFinding& finding : run.findings)
        (finding.error ? facts.errors : facts.warnings).push_back(facts_of(finding));
    if (exercise == nullptr) return facts;
    const Result<Trace> after = read_trace(run.launches.back().trace);
    if (after)
        facts.outputs = compare_outputs(*exercise, *after, traces);
    else
        facts.problem.sentence = after.error().message;
    return facts;
}

}  // namespace tilereel
