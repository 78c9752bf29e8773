#include "app/exercise/changes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>

#include "instrumentation/base/format/change_text.h"

namespace tilereel {
namespace {

constexpr double kLeastChange = 1.05;
constexpr std::size_t kMostCounts = 2;  // a line, not a table

// A count that learners change, as the sum of counters.
struct Count {
    const char* words;
    std::initializer_list<const char*> counters;
};

struct Change {
    const char* words;
    std::uint64_t former, now;
    [[nodiscard]] double factor() const { return change_factor(former, now); }
};

std::uint64_t sum_of(const std::vector<RunFacts>& runs,
                     std::initializer_list<const char*> counters) {
    double sum = 0;
    for (const RunFacts& run : runs)
        for (const char* const name : counters)
            if (const auto found = run.counters.find(name); found != run.counters.end())
                sum += found->second;
    return static_cast<std::uint64_t>(sum);
}

std::uint64_t wrong_elements(const std::vector<RunFacts>& runs) {
    std::uint64_t wrong = 0;
    for (const RunFacts& run : runs)
        for (const OutputFacts& output : run.outputs) wrong += output.wrong;
    return wrong;
}

std::uint64_t errors_in(const std::vector<RunFacts>& runs) {
    std::uint64_t errors = 0;
    for (const RunFacts& run : runs) errors += run.errors.size();
    return errors;
}

std::vector<Change> changed_counts(const std::vector<RunFacts>& before,
                                   const std::vector<RunFacts>& now) {
    const std::array counts = {
        Count{"bank conflicts", {"shared.bank_conflicts"}},
        Count{"sectors", {"global_load.sectors", "global_store.sectors"}},
        Count{"shared requests", {"shared_load.requests", "shared_store.requests"}},
        Count{"atomics", {"global_atomic.accesses"}},
    };
    std::vector<Change> changes;
    for (const Count& each : counts) {
        const Change change{each.words, sum_of(before, each.counters), sum_of(now, each.counters)};
        // More of something is often the price of what the task asks for.
        if (change.now < change.former && change.factor() >= kLeastChange)
            changes.push_back(change);
    }
    std::ranges::stable_sort(changes, std::ranges::greater{}, &Change::factor);
    if (changes.size() > kMostCounts) changes.resize(kMostCounts);
    return changes;
}

}  // namespace

std::string changes_text(const std::vector<RunFacts>& handed_out,
                         const std::vector<RunFacts>& now) {
    std::string text;
    const auto add = [&text](const std::string& words) {
        text += (text.empty() ? "" : ", ") + words;
    };
    const std::uint64_t wrong = wrong_elements(handed_out), still = wrong_elements(now);
    if (wrong > still)
        add(with_commas(wrong - still) +
            (wrong - still == 1 ? " element right" : " elements right"));
    const std::uint64_t errors = errors_in(handed_out), left = errors_in(now);
    if (errors > left)
        add(with_commas(errors - left) + (errors - left == 1 ? " error gone" : " errors gone"));
    for (const Change& each : changed_counts(handed_out, now))
        add(change_text(each.words, each.former, each.now));
    return text;
}

}  // namespace tilereel
