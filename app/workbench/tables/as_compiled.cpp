#include "app/workbench/tables/as_compiled.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/ladder/kernel_of_trace.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

// A kernel's loads or stores of an array, 4 bytes a lane, and how far they could be merged into
// wider ones.
struct ArrayAccess {
    std::string array;
    std::uint64_t requests = 0;
    unsigned most = 1;  // accesses that one instruction could do: 1, 2 or 4
    unsigned merged = 1;
};

struct Kind {
    Space space;
    Operation operation;
    CompiledCounter requests, cost;
    const char* accesses;     // "reads"
    const char* instruction;  // "load"
    const char* cost_words;
    const char* space_words;
};
constexpr std::array kKinds = {
    Kind{Space::kShared, Operation::kLoad, CompiledCounter::kSharedLoadRequests,
         CompiledCounter::kSharedLoadWavefronts, "reads", "load", "wavefronts", "shared"},
    Kind{Space::kShared, Operation::kStore, CompiledCounter::kSharedStoreRequests,
         CompiledCounter::kSharedStoreWavefronts, "writes", "store", "wavefronts", "shared"},
    Kind{Space::kGlobal, Operation::kLoad, CompiledCounter::kGlobalLoadRequests,
         CompiledCounter::kGlobalLoadSectors, "reads", "load", "sectors", "global"},
    Kind{Space::kGlobal, Operation::kStore, CompiledCounter::kGlobalStoreRequests,
         CompiledCounter::kGlobalStoreSectors, "writes", "store", "sectors", "global"},
};

std::uint64_t at(const CompiledCounts& counts, CompiledCounter counter) {
    return counts[static_cast<std::size_t>(counter)];
}

// Whether at least half of the requests at a site have a neighbour: a request of the same warp
// between the same two barriers, with the same lanes, 4 bytes before or after. Examines only the
// first few thousand requests of the trace.
bool has_neighbours(const Trace& trace, SiteId site) {
    const Segments& segments = trace.segments;
    std::uint64_t all = 0, with = 0;
    constexpr std::uint64_t kEnough = 4096;
    for (std::size_t segment = 0; segment < segments.size() && all < kEnough; ++segment) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> places;
        const std::uint64_t begin = segments.record_begin[segment];
        const std::uint64_t end = std::min(segments.record_begin[segment + 1], begin + kEnough);
        for (std::uint64_t record = begin; record < end; ++record)
            if (site_of(trace, record) == site)
                places.insert({trace.records.pattern[record], trace.records.base[record]});
        for (const auto& [pattern, base] : places)
            with += places.contains({pattern, base + 4}) || places.contains({pattern, base - 4});
        all += places.size();
    }
    return all > 0 && 2 * with >= all;
}

// A wide access must be aligned to its width. That is certain only if every row begins aligned.
unsigned most_at_once(const Array& array) {
    const std::uint64_t row_bytes = std::uint64_t{array.leading_dimension} * array.element_bytes;
    for (const unsigned accesses : {4u, 2u})
        if (row_bytes % (4 * accesses) == 0 && array.base_bytes % (4 * accesses) == 0)
            return accesses;
    return 1;
}

std::vector<ArrayAccess> array_accesses(const Trace& trace, const std::vector<SiteCounts>& sites,
                                        const Kind& kind) {
    std::vector<ArrayAccess> parts;
    for (const SiteCounts& counted : sites) {
        const Site& site = trace.sites[counted.site];
        if (site.operation != kind.operation || site.array >= trace.arrays.size()) continue;
        const Array& array = trace.arrays[site.array];
        if (array.space != kind.space) continue;
        const bool wider = site.width_bytes == 4 && has_neighbours(trace, counted.site);
        const unsigned most = wider ? most_at_once(array) : 1;
        const auto same = std::ranges::find_if(parts, [&](const ArrayAccess& part) {
            return part.array == array.name && part.most == most;
        });
        if (same != parts.end())
            same->requests += counted.counts.requests;
        else
            parts.push_back({array.name, counted.counts.requests, most, 1});
    }
    return parts;
}

// Sets ArrayAccess::merged so that the requests add up to `wanted`. Returns the number of ways to
// do so.
int ways_to_merge(std::vector<ArrayAccess>& parts, std::uint64_t wanted) {
    std::vector<ArrayAccess> tried = parts;
    int ways = 0;
    const auto try_from = [&](const auto& self, std::size_t index, std::uint64_t sum) -> void {
        if (index == tried.size()) {
            if (sum == wanted && ways++ == 0) parts = tried;
            return;
        }
        for (unsigned merged = 1; merged <= tried[index].most; merged *= 2) {
            if (tried[index].requests % merged != 0) continue;
            tried[index].merged = merged;
            self(self, index + 1, sum + tried[index].requests / merged);
        }
    };
    constexpr std::size_t kMostParts = 8;
    if (parts.size() <= kMostParts) try_from(try_from, 0, 0);
    return ways;
}

std::string merged_words(const std::vector<ArrayAccess>& parts, const Kind& kind) {
    std::string words;
    for (const ArrayAccess& part : parts) {
        if (part.merged == 1) continue;
        words += words.empty() ? "The compiler merged " + std::to_string(part.merged) + " " +
                                     kind.accesses + " of "
                               : ", and " + std::to_string(part.merged) + " of ";
        words += part.array + " into one " + std::to_string(4 * part.merged) + "-byte " +
                 kind.instruction;
    }
    return words + ".";
}

std::string fewer_words(const std::vector<ArrayAccess>& parts, const Kind& kind,
                        std::uint64_t written, std::uint64_t compiled) {
    std::string arrays;
    for (const ArrayAccess& part : parts)
        if (part.most > 1) arrays += (arrays.empty() ? "" : " and ") + part.array;
    const std::string figures =
        with_commas(compiled) + " requests do the work of " + with_commas(written) + ".";
    if (arrays.empty())
        return std::string("The compiler needs fewer ") + kind.accesses + ": " + figures;
    return std::string("The compiler merged neighbouring ") + kind.accesses + " of " + arrays +
           " into wider " + kind.instruction + "s where they are aligned: " + figures;
}

void explain(const Kind& kind, const Trace& trace, const std::vector<SiteCounts>& sites,
             const AsCompiledRow& row, std::vector<std::string>& sentences) {
    const std::uint64_t written = at(row.written, kind.requests);
    const std::uint64_t compiled = at(row.compiled, kind.requests);
    const std::uint64_t written_cost = at(row.written, kind.cost);
    const std::uint64_t compiled_cost = at(row.compiled, kind.cost);
    if (compiled < written) {
        std::vector<ArrayAccess> parts = array_accesses(trace, sites, kind);
        sentences.push_back(ways_to_merge(parts, compiled) == 1
                                ? merged_words(parts, kind)
                                : fewer_words(parts, kind, written, compiled));
    }
    if (compiled > written)
        sentences.push_back("The compiled code makes " + with_commas(compiled) + " " +
                            text_of(kind.requests) + " where the source has " +
                            with_commas(written) + ".");
    if (compiled_cost == written_cost) return;
    sentences.push_back(std::string("The compiled kernel's ") + kind.space_words + " " +
                        kind.instruction + "s take " + with_commas(compiled_cost) + " " +
                        kind.cost_words + " instead of " + with_commas(written_cost) + ".");
}

std::string shape_words(const KernelParameters& p) {
    return std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k);
}

std::string missing_words(const Launch& launch, const AsCompiledTable& table) {
    const KernelParameters p = parameters_of(launch);
    std::string shapes;
    for (const AsCompiledRow& row : table.rows)
        if (row.kernel == launch.kernel && row.parameters.tile == p.tile &&
            row.parameters.pad == p.pad)
            shapes += (shapes.empty() ? "" : ", ") + shape_words(row.parameters);
    return "The compiled kernel was not measured at " + shape_words(p) +
           (shapes.empty() ? " with this TILE and PAD." : ", but at " + shapes + ".");
}

}  // namespace

AsCompiled as_compiled(const Trace& trace, const std::vector<SiteCounts>& sites,
                       const AsCompiledTable& table) {
    if (trace.launch.removed_barrier != 0)
        return {nullptr,
                {"There are no counts of the compiled kernel without one of its barriers."}};
    AsCompiled result{table.find(trace.launch.kernel, parameters_of(trace.launch)), {}};
    const bool of_ladder = trace.launch.tile != 0;
    if (!of_ladder) {
        result.row = nullptr;
        result.sentences.emplace_back(
            "These are the accesses of the source as it is written. The kernel that nvcc compiles "
            "may join or leave out some of them.");
        if (std::string missing = missing_facts(trace.recorded_by); !missing.empty())
            result.sentences.push_back(std::move(missing));
        return result;
    }
    if (result.row == nullptr) {
        result.sentences.push_back(missing_words(trace.launch, table));
        return result;
    }
    for (const Kind& kind : kKinds) explain(kind, trace, sites, *result.row, result.sentences);
    if (result.sentences.empty())
        result.sentences.emplace_back("The compiler left every access as it is written.");
    return result;
}

}  // namespace tilereel
