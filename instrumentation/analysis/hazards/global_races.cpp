#include "instrumentation/analysis/hazards/global_races.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "instrumentation/analysis/hazards/global_accesses.h"
#include "instrumentation/analysis/hazards/synchronisations.h"

namespace tilereel {
namespace {

// The accesses of one element, in the order of the trace.
class ElementRaces {
  public:
    ElementRaces(const Trace& trace, const Synchronisations& order, bool warn_within_warps)
        : trace_(trace), order_(order), warn_within_warps_(warn_within_warps) {}

    // How far apart the threads of a race are.
    enum class Scope : std::uint8_t { kNone, kWarp, kBlock, kGrid };
    struct Race {
        Scope scope = Scope::kNone;
        GlobalAccess first{}, second{};
        bool equal_values = false;
    };

    // The races of the widest scope: mending them mends the others. One for each pair of lines.
    const std::vector<Race>& find(std::span<const GlobalAccess> accesses) {
        races_.clear();
        uses_.clear();
        if (!may_race(accesses)) return races_;
        for (const GlobalAccess& access : accesses) {
            for (const Use& use : uses_) {
                compare(use.first, access);
                for (const GlobalAccess& earlier : use.recent) compare(earlier, access);
            }
            remember(access);
        }
        return races_;
    }

  private:
    struct Use {  // the accesses of one site: the first, and the latest ones of two threads
        GlobalAccess first{};
        std::array<GlobalAccess, 2> recent{};
    };

    [[nodiscard]] const Site& site(const GlobalAccess& access) const {
        return trace_.sites[access.site];
    }
    [[nodiscard]] std::uint32_t block(const GlobalAccess& access) const {
        return trace_.segments.block[access.segment];
    }
    [[nodiscard]] std::uint16_t warp(const GlobalAccess& access) const {
        return trace_.segments.warp[access.segment];
    }
    [[nodiscard]] bool one_thread(const GlobalAccess& a, const GlobalAccess& b) const {
        return a.lane == b.lane && warp(a) == warp(b) && block(a) == block(b);
    }

    // Most elements are written by one thread, and read by none or by the same one.
    bool may_race(std::span<const GlobalAccess> accesses) {
        bool threads = false, writes = false, plain = false, equal = true;
        const GlobalAccess* store = nullptr;
        bool several_store = false;
        for (const GlobalAccess& access : accesses) {
            const Site& made = site(access);
            threads |= !one_thread(accesses.front(), access);
            writes |= tilereel::writes(made.operation);
            plain |= made.operation != Operation::kAtomic && !made.is_volatile();
            if (!tilereel::writes(made.operation)) continue;
            equal &= access.has_value && made.operation != Operation::kAtomic;
            if (store == nullptr) store = &access;
            equal &= access.value == store->value;
            several_store |= !one_thread(*store, access);
        }
        equal_values_ = equal && several_store;
        return threads && writes && plain;
    }

    void compare(const GlobalAccess& earlier, const GlobalAccess& access) {
        const Site &one = site(earlier), &other = site(access);
        const bool both_write = writes(one.operation) && writes(other.operation);
        if (!writes(one.operation) && !writes(other.operation)) return;
        if (one.operation == Operation::kAtomic && other.operation == Operation::kAtomic) return;
        if (one.is_volatile() && other.is_volatile()) return;
        if (one_thread(earlier, access) || earlier.record == access.record) return;
        if (both_write && has_equal_values(earlier, access)) return;
        const Scope scope = scope_of(earlier, access);
        if (scope == Scope::kNone) return;
        if (!races_.empty() && races_.front().scope > scope) return;
        if (!races_.empty() && races_.front().scope < scope) races_.clear();
        const auto lines = [this](const GlobalAccess& a, const GlobalAccess& b) {
            return std::minmax({site(a).line, site(b).line});
        };
        const bool known = std::ranges::any_of(races_, [&](const Race& race) {
            return lines(race.first, race.second) == lines(earlier, access);
        });
        if (!known) races_.push_back({scope, earlier, access, equal_values_});
    }

    // Values that the recorder did not keep count as equal.
    [[nodiscard]] bool has_equal_values(const GlobalAccess& a, const GlobalAccess& b) const {
        if (site(a).operation == Operation::kAtomic || site(b).operation == Operation::kAtomic)
            return false;
        return !a.has_value || !b.has_value || a.value == b.value;
    }

    // kNone: the two are ordered.
    [[nodiscard]] Scope scope_of(const GlobalAccess& a, const GlobalAccess& b) const {
        if (block(a) != block(b)) return order_.between_blocks(a, b) ? Scope::kNone : Scope::kGrid;
        // The TMA makes the copy, at a time of its own.
        if (is_of_tma(trace_, site(a)) || is_of_tma(trace_, site(b))) return Scope::kNone;
        if (trace_.segments.epoch[a.segment] != trace_.segments.epoch[b.segment])
            return Scope::kNone;
        if (warp(a) != warp(b)) return order_.between_warps(a, b) ? Scope::kNone : Scope::kBlock;
        if (!warn_within_warps_ || order_.between_lanes(a, b)) return Scope::kNone;
        return Scope::kWarp;
    }

    void remember(const GlobalAccess& access) {
        const auto known = std::ranges::find_if(
            uses_, [&](const Use& use) { return use.first.site == access.site; });
        if (known == uses_.end()) {
            uses_.push_back({access, {access, access}});
            return;
        }
        if (!one_thread(known->recent[0], access)) known->recent[1] = known->recent[0];
        known->recent[0] = access;
    }

    const Trace& trace_;
    const Synchronisations& order_;
    bool warn_within_warps_, equal_values_ = false;
    std::vector<Use> uses_;
    std::vector<Race> races_;
};

Finding finding_of(const Trace& trace, const ElementRaces::Race& race) {
    const auto party = [&](const GlobalAccess& access) {
        return HazardParty{
            access.site,
            trace.segments.warp[access.segment] * std::uint32_t{kWarpSize} + access.lane,
            access.record};
    };
    const std::uint32_t block = trace.segments.block[race.first.segment];
    const std::uint32_t second_block = trace.segments.block[race.second.segment];
    return {.hazard = Hazard::kRace,
            .severity = race.equal_values || race.scope == ElementRaces::Scope::kWarp
                            ? Severity::kWarning
                            : Severity::kError,
            .block = block,
            .epoch = trace.segments.epoch[race.first.segment],
            .first = party(race.first),
            .second = party(race.second),
            .second_block = second_block == block ? Finding::kSameBlock : second_block,
            .array = trace.sites[race.first.site].array};
}

// Whether the trace tells volatile accesses, or the program has none.
bool tells_volatile(const Trace& trace) {
    if (trace.recorded_by.recorder == kCpuRecorder && !trace.recorded_by.accesses_only) return true;
    const auto has_word = [](std::string_view text) {
        return text.find("volatile") != std::string_view::npos ||
               text.find("__ldcg") != std::string_view::npos ||
               text.find("__ldcv") != std::string_view::npos;
    };
    return !has_word(trace.source) &&
           std::ranges::none_of(trace.more_sources,
                                [&](const SourceFile& file) { return has_word(file.text); });
}

}  // namespace

void find_global_races(const Trace& trace, bool warn_within_warps, const ReportGlobal& report) {
    if (!tells_volatile(trace)) return;
    const Synchronisations order(trace);
    ElementRaces races(trace, order, warn_within_warps);
    const auto visit = [&](const std::vector<GlobalAccess>& accesses, std::uint32_t cell_bytes) {
        for (std::size_t first = 0, last = 0; first < accesses.size(); first = last) {
            while (last < accesses.size() && accesses[last].cell == accesses[first].cell) ++last;
            for (const auto& race : races.find({&accesses[first], last - first})) {
                Finding found = finding_of(trace, race);
                const Array& array = trace.arrays[found.array];
                const std::uint64_t element =
                    accesses[first].cell * cell_bytes / std::max(1u, array.element_bytes);
                const ElementPlace at = array.place_of(static_cast<std::uint32_t>(element));
                found.row = at.row;
                found.column = at.column;
                report(found, element);
            }
        }
    };
    for_each_global_access(trace, visit);
}

}  // namespace tilereel
