#include "app/race/files/race_comparison.h"

#include <algorithm>

#include "app/race/files/race_file.h"

namespace tilereel {
namespace {

template <class T>
std::optional<std::uint32_t> index_of(const std::vector<T>& values, const T& value) {
    const auto found = std::ranges::find(values, value);
    if (found == values.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - values.begin());
}

std::string change_of(const std::string& what, std::string_view before, std::string_view after) {
    if (before == after) return "";
    return what + " was " + std::string(before) + " and is " + std::string(after);
}

}  // namespace

std::vector<ComparedSpeed> compare_races(const Race& before, const Race& after) {
    std::vector<ComparedSpeed> rows;
    for (std::uint32_t contender = 0; contender < after.request.contenders.size(); ++contender) {
        const Contender& racer = after.request.contenders[contender];
        const auto former = index_of(before.request.contenders, racer);
        for (std::uint32_t size = 0; former && size < after.request.sizes.size(); ++size) {
            const auto former_size = index_of(before.request.sizes, after.request.sizes[size]);
            if (!former_size) continue;
            const auto was = rates_of(before, *former, *former_size);
            const auto is = rates_of(after, contender, size);
            if (!was || !is || was->median <= 0) continue;
            rows.push_back({.contender = racer,
                            .size = after.request.sizes[size],
                            .before_gflops = was->median,
                            .after_gflops = is->median,
                            .ratio = is->median / was->median,
                            .ranges_are_apart = is->first_quartile > was->third_quartile ||
                                                was->first_quartile > is->third_quartile});
        }
    }
    return rows;
}

std::string difference_of_conditions(const Race& before, const Race& after) {
    std::string text;
    for (const std::string& difference :
         {change_of("the device", before.machine.device, after.machine.device),
          change_of("the driver", before.machine.driver, after.machine.driver),
          change_of("the number of threads", std::to_string(before.machine.threads),
                    std::to_string(after.machine.threads)),
          change_of("the cache", name_of(before.request.caches), name_of(after.request.caches))})
        if (!difference.empty()) text += (text.empty() ? "" : "; ") + difference;
    return text;
}

}  // namespace tilereel
