#include "app/workbench/race/race_figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/catalog.h"

namespace tilereel {
namespace {

bool is_naive(const Contender& contender) {
    return contender.kernel == "02_naive" || contender.kernel == "cpu_naive";
}

double multiply_adds(const ProductSize& size) {
    return static_cast<double>(size.m) * size.n * size.k;
}

// The number of samples expected of a contender at a size. If it does not race there, no more come.
std::uint32_t expected_of(const RaceEntry& entry, int repeats) {
    if (entry.outcome && !is_timed(*entry.outcome)) return entry.samples;
    return std::max(entry.samples, static_cast<std::uint32_t>(std::max(repeats, 0)));
}

}  // namespace

std::optional<double> RaceFigures::median(std::uint32_t contender, std::uint32_t size) const {
    const std::optional<Statistics>& rate = entries[contender][size].rate;
    if (!rate) return std::nullopt;
    return rate->median;
}

bool RaceFigures::unsteady(std::uint32_t contender, std::uint32_t size) const {
    const std::optional<Statistics>& rate = entries[contender][size].rate;
    return rate && spread_is_large(*rate);
}

double relative_spread(const Statistics& of) {
    return of.median > 0 ? (of.third_quartile - of.first_quartile) / of.median : 0;
}

bool spread_is_large(const Statistics& of) { return relative_spread(of) > kLargeSpread; }

RaceFigures figures_of(const Race& race, bool running) {
    const std::size_t contenders = race.request.contenders.size(),
                      sizes = race.request.sizes.size();
    RaceFigures figures;
    figures.entries.assign(contenders, std::vector<RaceEntry>(sizes));
    std::vector<std::vector<double>> values(contenders * sizes);
    for (const Verified& verified : race.verified) {
        RaceEntry& entry = figures.entries[verified.contender][verified.size];
        entry.outcome = verified.outcome;
        entry.sentence = verified.sentence;
        entry.worst_error = verified.worst_error;
    }
    for (const Sample& sample : race.samples) {
        RaceEntry& entry = figures.entries[sample.contender][sample.size];
        ++entry.samples;
        entry.conditions = sample.conditions;
        values[sample.contender * sizes + sample.size].push_back(sample.rate);
    }
    for (std::size_t c = 0; c < contenders; ++c) {
        figures.references.push_back(
            reference_of(race.request.contenders, race.request.contenders[c]));
        if (!figures.reference && is_reference(race.request.contenders[c]))
            figures.reference = static_cast<std::uint32_t>(c);
        for (std::size_t s = 0; s < sizes; ++s) {
            RaceEntry& entry = figures.entries[c][s];
            figures.samples += entry.samples;
            // A slow contender has all its samples before it has all repeats: with the race
            // complete, none are missing.
            figures.samples_expected +=
                !running ? entry.samples : expected_of(entry, race.request.repeats);
            // A contender that failed later is not shown with a speed.
            const bool sound = !entry.outcome || is_timed(*entry.outcome);
            if (entry.samples == 0 || !sound) continue;
            entry.rate = statistics_of(std::move(values[c * sizes + s]));
            if (entry.rate->median > 0)
                entry.milliseconds = work_at(race.request, s) / (entry.rate->median * 1e6);
        }
    }
    if (running) {
        figures.now = now_of(race);
        figures.running_size = figures.now ? std::optional(figures.now->size) : latest_size(race);
    }
    return figures;
}

bool RaceFigures::one_reference() const {
    return std::ranges::adjacent_find(references, std::ranges::not_equal_to()) == references.end();
}

std::string title_of(const Contender& contender) {
    if (contender.kernel == kCublasBf16) return "cuBLAS BF16";
    if (contender.kernel == kCublas) return "cuBLAS FP32";
    if (contender.kernel == kOpenblas) return "OpenBLAS";
    const KernelInfo* kernel = find_kernel(contender.kernel);
    return kernel == nullptr ? contender.kernel : std::string(kernel->title);
}

bool has_pad(const Contender& contender) {
    const KernelInfo* kernel = find_kernel(contender.kernel);
    return kernel != nullptr && kernel->pads.size() > 1;
}

std::string parameters_text(const Contender& contender, bool with_pad_0) {
    if (contender.kernel == kCublas) return "pedantic";
    if (!has_parameters(contender)) return {};
    const std::string tile = "TILE " + std::to_string(contender.tile);
    if (!has_pad(contender) || (contender.pad == 0 && !with_pad_0)) return tile;
    return tile + ", PAD " + std::to_string(contender.pad);
}

std::string parameters_text(const RaceRequest& request, std::uint32_t contender) {
    return parameters_text(request.contenders[contender],
                           counterpart_of(request, contender).has_value());
}

bool is_square(const ProductSize& size) { return size.m == size.n && size.n == size.k; }

double edge_of(const ProductSize& size) {
    return is_square(size) ? size.n : std::cbrt(multiply_adds(size));
}

std::vector<std::uint32_t> sizes_by_edge(const RaceRequest& request) {
    std::vector<std::uint32_t> order(request.sizes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t s) { return edge_of(request.sizes[s]); });
    return order;
}

std::optional<std::uint32_t> find_contender(const RaceRequest& request,
                                            const Contender& contender) {
    const auto found = std::ranges::find(request.contenders, contender);
    if (found == request.contenders.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - request.contenders.begin());
}

std::optional<std::uint32_t> counterpart_of(const RaceRequest& request, std::uint32_t contender) {
    const Contender& self = request.contenders[contender];
    std::optional<std::uint32_t> counterpart;
    for (std::uint32_t i = 0; i < request.contenders.size(); ++i) {
        const Contender& other = request.contenders[i];
        if (other.kernel != self.kernel || other.tile != self.tile || other.pad == self.pad)
            continue;
        if (self.pad > 0 ? other.pad != 0
                         : counterpart && request.contenders[*counterpart].pad <= other.pad)
            continue;
        counterpart = i;
    }
    return counterpart;
}

std::optional<std::uint32_t> largest_size(const Race& race, const RaceFigures& figures,
                                          const std::vector<std::uint32_t>& contenders) {
    std::optional<std::uint32_t> largest;
    for (std::uint32_t s = 0; s < race.request.sizes.size(); ++s) {
        const bool all = std::ranges::all_of(
            contenders, [&](std::uint32_t c) { return figures.median(c, s).has_value(); });
        if (all &&
            (!largest || flops(race.request.sizes[s]) >= flops(race.request.sizes[*largest])))
            largest = s;
    }
    return largest;
}

std::optional<std::uint32_t> default_padding(const Race& race, const RaceFigures& figures) {
    std::optional<std::uint32_t> chosen;
    double most = 0;
    for (std::uint32_t c = 0; c < race.request.contenders.size(); ++c) {
        if (race.request.contenders[c].pad == 0) continue;
        const auto counterpart = counterpart_of(race.request, c);
        const auto size =
            counterpart ? largest_size(race, figures, {c, *counterpart}) : std::nullopt;
        if (!size) continue;
        const double before = *figures.median(*counterpart, *size),
                     after = *figures.median(c, *size);
        if (!(before > 0) || !(after > 0)) continue;
        const double change = std::abs(std::log(after / before));
        if (chosen && change <= most) continue;
        chosen = c;
        most = change;
    }
    return chosen;
}

std::optional<std::uint32_t> default_size(const Race& race, const RaceFigures& figures) {
    std::optional<std::uint32_t> chosen;
    std::size_t most = 0;
    for (const std::uint32_t s : sizes_by_edge(race.request)) {
        std::size_t count = 0;
        for (std::uint32_t c = 0; c < race.request.contenders.size(); ++c)
            count += figures.median(c, s).has_value();
        if (s == figures.running_size && chosen) continue;
        if (count == 0 || (chosen && count < most)) continue;
        chosen = s;
        most = count;
    }
    return chosen;
}

std::optional<std::uint32_t> naive_for(const RaceRequest& request, std::uint32_t contender) {
    std::optional<std::uint32_t> naive;
    for (std::uint32_t i = 0; i < request.contenders.size(); ++i) {
        if (!is_naive(request.contenders[i])) continue;
        if (request.contenders[i].tile == request.contenders[contender].tile) return i;
        if (!naive) naive = i;
    }
    return naive;
}

std::optional<double> speed_up(const RaceRequest& request, const RaceFigures& figures,
                               std::uint32_t contender, std::uint32_t size) {
    const std::optional<std::uint32_t> naive = naive_for(request, contender);
    if (!naive) return std::nullopt;
    const auto self = figures.median(contender, size), base = figures.median(*naive, size);
    if (!self || !base || *base <= 0) return std::nullopt;
    return *self / *base;
}

std::optional<double> share_of_reference(const RaceFigures& figures, std::uint32_t contender,
                                         std::uint32_t size) {
    if (!figures.references[contender]) return std::nullopt;
    const auto self = figures.median(contender, size);
    const auto reference = figures.median(*figures.references[contender], size);
    if (!self || !reference || *reference <= 0) return std::nullopt;
    return *self / *reference;
}

std::optional<double> counted_intensity(const SizedCounts& small) {
    const std::uint64_t bytes = small.counts.global_load.bytes_requested;
    if (bytes == 0) return std::nullopt;
    return static_cast<double>(small.counts.flop()) / static_cast<double>(bytes);
}

std::optional<double> recorded_intensity(const SizedCounts& small, const ProductSize& size) {
    const double loads = static_cast<double>(small.counts.global_load.bytes_moved) /
                         multiply_adds(small.size) * multiply_adds(size);
    const double stores = static_cast<double>(small.counts.global_store.bytes_moved) /
                          (static_cast<double>(small.size.m) * small.size.n) * size.m * size.n;
    if (!(loads + stores > 0)) return std::nullopt;
    return flops(size) / (loads + stores);
}

double effective_bandwidth(const ProductSize& size, double gflops, InputType inputs) {
    const double m = size.m, n = size.n, k = size.k;
    const double bytes = double(bytes_of(inputs)) * (m * k + k * n) + sizeof(float) * m * n;
    return gflops * bytes / flops(size);
}

}  // namespace tilereel
