#include "instrumentation/analysis/cost/word_service.h"

#include <algorithm>
#include <set>

#include "instrumentation/analysis/cost/shared_passes.h"

namespace tilereel {
namespace {

// An asynchronous copy is not served like a store: its lanes are one group, which takes as many
// wavefronts as the copy costs. Its words are spread over them in the order of a store's.
void share_wavefronts(WordService& service, std::uint32_t wavefronts) {
    if (service.groups.empty() || wavefronts == 0) return;
    const LaneGroup& last = service.groups.back();
    const std::uint32_t all = std::uint32_t{last.first_wavefront} + last.wavefronts;
    std::set<std::uint32_t> distinct;
    LaneGroup whole{.wavefronts = static_cast<std::uint8_t>(wavefronts)};
    for (ServedWord& served : service.words) {
        served.wavefront = static_cast<std::uint8_t>(served.wavefront * wavefronts / all);
        distinct.insert(served.word);
        whole.lanes |= 1u << served.lane;
    }
    whole.words = static_cast<std::uint8_t>(distinct.size());
    service.groups = {whole};
    service.lanes_together = kWarpSize;
    service.merged = false;
}

}  // namespace

WordService word_service(const WarpAccess& access, const Generation& generation) {
    const auto banks = static_cast<std::uint32_t>(generation.shared.banks);
    WordService service;
    service.lanes_together = static_cast<std::uint32_t>(lanes_in_group(access, generation.shared));
    service.merged = service.lanes_together >
                     static_cast<std::uint32_t>(generation.shared.lanes.of(access.width_bytes));
    std::uint32_t before = 0;  // wavefronts of earlier groups
    for_each_pass(access, generation.shared, [&](const SharedPass& pass) {
        LaneGroup group{.first_wavefront = static_cast<std::uint8_t>(before),
                        .wavefronts = static_cast<std::uint8_t>(pass.wavefronts)};
        std::vector<std::uint32_t> distinct;
        for (const WantedWord& want : pass.wanted) {
            group.lanes |= 1u << want.lane;
            distinct.push_back(want.word);
            const std::uint32_t first = access.lanes.bytes[want.lane] / 4;
            service.words.push_back(
                {.lane = static_cast<std::uint8_t>(want.lane),
                 .number = static_cast<std::uint8_t>(want.word - first),
                 .bank = static_cast<std::uint8_t>(want.word % banks),
                 .wavefront = static_cast<std::uint8_t>(before + want.wavefront),
                 .word = want.word});
        }
        std::ranges::sort(distinct);
        group.words =
            static_cast<std::uint8_t>(std::ranges::unique(distinct).begin() - distinct.begin());
        service.groups.push_back(group);
        before += pass.wavefronts;
    });
    if (is_copy(access.operation) && generation.asynchronous_copies)
        share_wavefronts(service, cost_of(access, generation).wavefronts);
    return service;
}

const char* name_of_lanes(std::uint32_t lanes_together) {
    return lanes_together == 8 ? "quarter-warp" : lanes_together == 16 ? "half-warp" : "warp";
}

const char* name_of_group(Operation operation, std::uint32_t lanes_together) {
    return is_matrix_access(operation) ? "matrix" : name_of_lanes(lanes_together);
}

}  // namespace tilereel
