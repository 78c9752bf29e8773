#include "app/replay/schedule/phase_waits.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace tilereel {
namespace {

class WaitFinder {
  public:
    WaitFinder(const Trace& trace, const BlockRecords& records, const Schedule& schedule)
        : trace_(trace), records_(records), schedule_(schedule) {}

    std::vector<PhaseWait> find() {
        note_leads();
        for (std::uint32_t step = 0; step < schedule_.steps.size(); ++step) note_step(step);
        for (PhaseWait& wait : waits_) find_awaited(wait);
        std::erase_if(waits_, [](const PhaseWait& wait) { return wait.end <= wait.begin; });
        return std::move(waits_);
    }

  private:
    struct Arrival {
        Tick at = 0;
        std::uint16_t warp = 0;
    };
    [[nodiscard]] Operation operation(std::uint64_t record) const {
        return site_at(trace_, record).operation;
    }

    // What warps do before their first request of an epoch.
    void note_leads() {
        for (const EpochSpan& epoch : schedule_.epochs)
            for (std::size_t segment = epoch.segments.first; segment < epoch.segments.last;
                 ++segment) {
                const std::uint16_t warp = trace_.segments.warp[segment];
                for (std::uint64_t record = trace_.segments.record_begin[segment];
                     record < schedule_.lead_end[segment - records_.segments.first]; ++record)
                    note_arrival(record, warp, epoch.begin);
            }
    }

    void note_step(std::uint32_t index) {
        const Step& step = schedule_.steps[index];
        const bool lands = operation(step.record) == Operation::kCopyStore;
        const std::uint64_t runs_at = schedule_.runs_at[index];
        if (lands && operation(runs_at) == Operation::kWaitPhase)
            landed_[trace_.records.base[runs_at]].push_back(step.end());
        const std::uint64_t begin = schedule_.deferred_begin[index];
        // A warp that goes past a wait at once has it among the records of the step before.
        const bool waited = begin < schedule_.deferred_end[index] && begin < records_.last &&
                            operation(begin) == Operation::kWaitPhase;
        if (waited)
            waits_.push_back({.warp = step.warp,
                              .line = site_at(trace_, begin).line,
                              .phase = MBarrierPhase::of(trace_.records.base[begin]),
                              .begin = free_since(step),
                              .end = lands ? step.end() : step.begin,
                              .awaited = {}});
        if (!lands || schedule_.deferred_end[index] > begin)
            free_since_[step.warp] = {step.epoch, step.end()};
        for (std::uint64_t record = begin; record < schedule_.deferred_end[index]; ++record)
            note_arrival(record, step.warp, step.end());
    }
    // When the warp had done its last request before this step, or the epoch began.
    [[nodiscard]] Tick free_since(const Step& step) const {
        const auto found = free_since_.find(step.warp);
        if (found != free_since_.end() && found->second.first == step.epoch)
            return found->second.second;
        for (const EpochSpan& epoch : schedule_.epochs)
            if (epoch.segments.first < epoch.segments.last &&
                trace_.segments.epoch[epoch.segments.first] == step.epoch)
                return epoch.begin;
        return step.begin;
    }

    void note_arrival(std::uint64_t record, std::uint16_t warp, Tick at) {
        if (operation(record) == Operation::kArrive)
            arrivals_[trace_.records.base[record]].push_back({at, warp});
    }

    void find_awaited(PhaseWait& wait) const {
        std::set<std::uint16_t> warps;
        if (const auto found = arrivals_.find(wait.phase.base()); found != arrivals_.end())
            for (const Arrival& arrival : found->second)
                if (arrival.at > wait.begin && arrival.warp != wait.warp)
                    warps.insert(arrival.warp);
        wait.awaited.assign(warps.begin(), warps.end());
        if (const auto found = landed_.find(wait.phase.base()); found != landed_.end())
            wait.for_bytes = std::ranges::any_of(found->second,
                                                 [&](Tick landed) { return landed > wait.begin; });
    }

    const Trace& trace_;
    const BlockRecords& records_;
    const Schedule& schedule_;
    std::vector<PhaseWait> waits_;
    std::map<std::uint16_t, std::pair<std::uint32_t, Tick>> free_since_;  // epoch and tick
    std::map<std::uint32_t, std::vector<Arrival>> arrivals_;              // by Records::base
    std::map<std::uint32_t, std::vector<Tick>> landed_;                   // likewise
};

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The name of the array or variable whose address is the first argument of an initialisation:
// "full" of "ptx::mbarrier_init(&full[stage], 1);". Empty: none was found.
std::string initialised_name(std::string_view line) {
    const std::size_t init = line.find("init");
    if (init == std::string_view::npos) return {};
    std::size_t at = line.find('(', init);
    if (at == std::string_view::npos) return {};
    while (at < line.size() && !is_of_name(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && is_of_name(line[end])) ++end;
    if (end >= line.size() || std::isdigit(static_cast<unsigned char>(line[at])) != 0) return {};
    const std::string_view follows = line.substr(end, 1);
    return follows == "[" || follows == "," || follows == ")" || follows == " "
               ? std::string(line.substr(at, end - at))
               : std::string();
}

}  // namespace

std::vector<PhaseWait> find_phase_waits(const Trace& trace, const BlockRecords& records,
                                        const Schedule& schedule) {
    return WaitFinder(trace, records, schedule).find();
}

std::map<std::uint32_t, std::string> names_of_mbarriers(const Trace& trace,
                                                        const BlockRecords& records) {
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::set<std::uint32_t>> of_line;
    for (std::uint64_t record = records.first; record < records.last; ++record) {
        const Site& site = site_at(trace, record);
        if (site.operation != Operation::kInitBarrier) continue;
        of_line[{site.file, site.line}].insert(
            MBarrierPhase::of(trace.records.base[record]).barrier);
    }
    std::map<std::uint32_t, std::string> names;
    for (const auto& [place, barriers] : of_line) {
        const std::string name = initialised_name(source_line(trace, place.second, place.first));
        std::size_t index = 0;
        for (const std::uint32_t barrier : barriers) {
            const std::string number = "[" + std::to_string(index++) + "]";
            names[barrier] = name.empty()           ? "mbarrier " + std::to_string(barrier)
                             : barriers.size() == 1 ? name
                                                    : name + number;
        }
    }
    return names;
}

}  // namespace tilereel
