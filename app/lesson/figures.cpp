#include "app/lesson/figures.h"

#include <algorithm>
#include <cmath>

#include "app/replay/sentence/sentence_facts.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

void put_number(LessonFigures& figures, std::string_view name, double value) {
    figures.insert_or_assign(std::string(name), value);
}

void put_counts(LessonFigures& figures, const std::string& of, const AccessCounts& counts) {
    for (const Counter& counter : kCounters)
        put_number(figures, of + "." + counter.key, static_cast<double>(counts.*counter.sum));
}

AccessCounts sum(std::initializer_list<AccessCounts> all) {
    AccessCounts total;
    for (const AccessCounts& each : all) total += each;
    return total;
}

}  // namespace

void put_count_figures(LessonFigures& figures, const KernelCounts& c) {
    put_counts(figures, "global_load", c.global_load);
    put_counts(figures, "global_store", c.global_store);
    put_counts(figures, "shared_load", c.shared_load);
    put_counts(figures, "shared_store", c.shared_store);
    put_counts(figures, "shared_copy", c.shared_copy);
    put_counts(figures, "global_atomic", c.global_atomic);
    put_counts(figures, "shared_atomic", c.shared_atomic);
    put_counts(figures, "global", sum({c.global_load, c.global_store}));
    put_counts(figures, "shared", sum({c.shared_load, c.shared_store, c.shared_copy}));
    put_number(figures, "barriers", static_cast<double>(c.barriers));
    put_number(figures, "multiply_adds", static_cast<double>(c.multiply_adds));
    put_number(figures, "matrix_products", static_cast<double>(c.matrix_products));
    put_number(figures, "flop", static_cast<double>(c.flop()));
    if (const auto intensity = c.flop_per_byte_requested())
        put_number(figures, "flop_per_byte_asked", *intensity);
    if (const auto intensity = c.flop_per_byte_moved())
        put_number(figures, "flop_per_byte_moved", *intensity);
}

void put_launch_figures(LessonFigures& figures, const LessonLaunchFacts& facts) {
    const Launch& launch = facts.trace.launch;
    const KernelInfo* const kernel = find_kernel(launch.kernel);
    figures["kernel"] = kernel == nullptr ? launch.kernel : std::string(kernel->title);
    figures["generation"] = std::string(facts.generation.title);
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::uint64_t>>{
             {"m", launch.m},
             {"n", launch.n},
             {"k", launch.k},
             {"tile", launch.tile},
             {"pad", launch.pad},
             {"blocks", launch.blocks()},
             {"threads", launch.threads()},
             {"warps", launch.warps()},
             {"shared_bytes", launch.shared_bytes},
             {"banks", static_cast<std::uint64_t>(facts.generation.shared.banks)},
             {"elements", std::uint64_t{launch.m} * launch.n},
             {"errors", facts.errors},
             {"warnings", facts.warnings},
             {"wrong", facts.trace.wrong_elements.value_or(0)}})
        put_number(figures, name, static_cast<double>(value));
    put_count_figures(figures, facts.counts);
}

void put_moment_figures(LessonFigures& figures, const Replay& replay) {
    const StepFacts facts = replay.facts();
    const ReplayState& state = replay.state();
    const RequestCost& cost = state.request.cost;
    const Schedule& schedule = replay.schedule();
    const std::uint32_t step = state.request.step;
    const auto line = step == kNoStep ? 0 : replay.trace().sites[schedule.steps[step].site].line;
    const auto waiting =
        std::ranges::count(state.warps, Activity::kWaitsAtBarrier, &WarpState::activity);
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::uint64_t>>{
             {"tick", state.tick},
             {"ticks", schedule.ticks},
             {"phase", std::uint64_t{state.phase} + 1},
             {"phases", schedule.phases},
             {"warp", facts.warp},
             {"line", line},
             {"waiting", static_cast<std::uint64_t>(waiting)},
             {"lanes", cost.lanes},
             {"wavefronts", cost.wavefronts},
             {"ideal_wavefronts", cost.ideal_wavefronts},
             {"conflicts", cost.bank_conflicts},
             {"sectors", cost.sectors},
             {"transactions", cost.transactions},
             {"lines", cost.lines},
             {"bytes_asked", cost.bytes_requested},
             {"bytes_used", cost.bytes_used},
             {"bytes_moved", cost.bytes_moved},
             {"words", facts.words},
             {"rows", facts.rows_touched},
             {"banks_used", facts.banks},
             {"words_in_bank", facts.worst_words},
             {"bank", facts.worst_bank},
             {"width", facts.width_bytes}})
        put_number(figures, name, static_cast<double>(value));
    figures["units"] = std::string(cost.transactions == 1 ? facts.unit : facts.units);
    figures["array"] =
        facts.array == kNoArray ? std::string("none") : replay.trace().arrays[facts.array].name;
}

void put_time_figures(LessonFigures& figures, const LessonTime& time) {
    // Two digits: more would claim more than an estimate knows.
    const auto rounded = [](double value) {
        if (value <= 0) return 0.0;
        const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
        return std::round(value / unit) * unit;
    };
    const auto text = [&](double value) { return text_of_figure(rounded(value)); };
    const auto share = [](double value) { return text_of_figure(std::round(100 * value)) + " %"; };
    figures["time.speed"] = time.is_bound
                                ? "at most " + text(time.gflops) + " GFLOPS (estimated: a bound)"
                                : "about " + text(time.gflops) + " GFLOPS (estimated, between " +
                                      text(time.low) + " and " + text(time.high) + ")";
    put_number(figures, "time.gflops", rounded(time.gflops));
    figures["time.limit"] =
        time.waits ? "waiting; even the busiest part, the " + time.limiter + ", works " +
                         share(time.busy) + " of the time"
                   : "the " + time.limiter + ", busy " + share(time.busy) + " of the time";
    figures["time.busy"] = share(time.busy);
    figures["time.fma"] = share(time.fma);
    put_number(figures, "time.line", time.line);
    put_number(figures, "time.size", time.size);
}

std::string lesson_title(const Contender& contender) {
    if (contender.kernel == kCublas) return "cuBLAS";
    if (contender.kernel == kCublasBf16) return "cuBLAS BF16";
    if (contender.kernel == kOpenblas) return "OpenBLAS";
    const KernelInfo* const kernel = find_kernel(contender.kernel);
    std::string title = kernel == nullptr ? contender.kernel : std::string(kernel->title);
    if (contender.pad > 0) title += ", PAD " + std::to_string(contender.pad);
    return title;
}

std::optional<double> gflops_in(const Race& race, const Contender& contender, int size) {
    const auto raced = std::ranges::find(race.request.contenders, contender);
    const auto at = std::ranges::find(race.request.sizes, ProductSize{size, size, size});
    if (raced == race.request.contenders.end() || at == race.request.sizes.end())
        return std::nullopt;
    const auto gflops =
        rates_of(race, static_cast<std::uint32_t>(raced - race.request.contenders.begin()),
                 static_cast<std::uint32_t>(at - race.request.sizes.begin()));
    return gflops ? std::optional(gflops->median) : std::nullopt;
}

Status put_race_figures(LessonFigures& figures, const Race& race, const LessonRace& of) {
    figures["device"] = race.machine.device;
    put_number(figures, "size", of.size);
    for (std::size_t i = 0; i < of.contenders.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        const auto gflops = gflops_in(race, of.contenders[i], of.size);
        if (!gflops)
            return failed("the recorded race has no " + name_of(of.contenders[i]) + " at N = " +
                          std::to_string(of.size) + "; 'tilereel race FILE' shows what it has");
        put_number(figures, "gflops." + number, *gflops);
        figures["contender." + number] = lesson_title(of.contenders[i]);
    }
    return Done{};
}

}  // namespace tilereel
