#include "instrumentation/analysis/values/value_check.h"

#include <algorithm>
#include <vector>

#include "instrumentation/analysis/values/value_counter.h"

namespace tilereel {
namespace {

// Whether the values of a trace can be checked: of a float matrix product by a kernel of the
// ladder. Other programs compute with values that no record shows.
bool is_judged(const Trace& trace) {
    const bool has_sums = trace.launch.tile != 0 && !trace.recorded_by.accesses_only;
    if (!trace.product || (trace.recorded_by.recorder == kCpuRecorder && !has_sums) ||
        matrix_of(trace, MatrixRole::kA).empty() || matrix_of(trace, MatrixRole::kB).empty() ||
        matrix_of(trace, MatrixRole::kC).empty())
        return false;
    return std::ranges::none_of(trace.sites, [](const Site& site) {
        return site.operation > Operation::kInitBarrier || site.width_bytes < 4;
    });
}

std::uint64_t blocks_with_records(const Trace& trace) {
    const std::vector<std::uint32_t>& block = trace.segments.block;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < block.size(); ++i) count += i == 0 || block[i] != block[i - 1];
    return count;
}

Status check_stores(const Trace& trace, const ValueCounter& counter) {
    if (!counter.false_copy().empty()) return failed("a thread " + counter.false_copy());
    if (!trace.complete || !trace.chosen_blocks.empty()) return Done{};
    const std::uint64_t blocks = blocks_with_records(trace);
    if (blocks != trace.launch.blocks())
        return failed("it calls itself complete, but has records of " + std::to_string(blocks) +
                      " of its " + std::to_string(trace.launch.blocks()) + " blocks");
    const MatrixElements c = matrix_of(trace, MatrixRole::kC);
    for (std::size_t i = 0; i < c.size(); ++i)
        if (!counter.product().may_end_as(i, c[i]))
            return failed("its C[" + std::to_string(i / trace.launch.n) + "][" +
                          std::to_string(i % trace.launch.n) + "] is " + nine_digits(c[i]) +
                          ", which is not what was stored there last");
    return Done{};
}

}  // namespace

ValueCount count_values(const Trace& trace) {
    if (!is_judged(trace)) return {};
    ValueCounter counter(trace);
    counter.run();
    ValueCount all;
    for (const auto& site : counter.sites()) {
        all.explained += site.explained;
        all.unexplained += site.unexplained;
        if (all.first.empty()) all.first = site.first;
    }
    return all;
}

Status check_stores(const Trace& trace) {
    if (!is_judged(trace)) return Done{};
    ValueCounter counter(trace);
    counter.run();
    return check_stores(trace, counter);
}

Status check_values(const Trace& trace) {
    if (!is_judged(trace)) return Done{};
    ValueCounter counter(trace);
    counter.run();
    TRY(check_stores(trace, counter));
    std::uint64_t unexplained = 0;
    const ValueCounter::SiteCount* odd = nullptr;  // the first in the trace
    for (const auto& site : counter.sites()) {
        unexplained += site.unexplained;
        // If the recorder did not count: a few unexplained records among many explained ones are
        // damage.
        constexpr std::uint64_t kFew = 4;
        const bool may_be =
            trace.unexplained_values.has_value() || site.unexplained * kFew <= site.explained;
        if (site.unexplained == 0 || !may_be) continue;
        if (odd == nullptr || site.first_record < odd->first_record) odd = &site;
    }
    const bool damaged =
        trace.unexplained_values ? unexplained != *trace.unexplained_values : odd != nullptr;
    if (!damaged) return Done{};
    if (odd == nullptr)
        return failed("fewer of its values are unexplained than when it was recorded");
    return failed(odd->first + ", which does not follow from what it has loaded");
}

}  // namespace tilereel
