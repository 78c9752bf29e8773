#include "app/export/counters_csv.h"

#include <vector>

#include "app/replay/elements.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/format/csv_text.h"

namespace tilereel {
namespace {

std::string csv_row(const std::vector<std::string>& fields) {
    std::string row;
    for (const std::string& field : fields) row += (row.empty() ? "" : ",") + csv_field(field);
    return row + "\r\n";
}

std::string row_of_site(const Trace& trace, const SiteCounts& counted) {
    const Site& site = trace.sites[counted.site];
    const Array& array = trace.arrays[site.array];
    const AccessCounts& counts = counted.counts;
    const bool global = array.space == Space::kGlobal;
    const auto number = [](bool applies, std::uint64_t value) {
        return applies ? std::to_string(value) : std::string();
    };
    return csv_row({csv_name(std::string(source_name(trace, site.file))), std::to_string(site.line),
                    number(site.column != 0, site.column), csv_name(array.name),
                    std::string(space_name(array.space)),
                    std::string(words_for(site.operation).access),
                    is_copy(site.operation) ? "yes" : "no", std::to_string(site.width_bytes),
                    std::to_string(counts.accesses), std::to_string(counts.requests),
                    number(global, counts.sectors), number(global, counts.lines),
                    number(global, counts.bytes_requested), number(global, counts.bytes_moved),
                    number(!global, counts.wavefronts), number(!global, counts.bank_conflicts),
                    number(!global, counts.worst_wavefronts)});
}

}  // namespace

std::string counters_csv(const Trace& trace, const Generation& generation) {
    std::string text =
        csv_row({"file", "line", "column", "array", "space", "operation", "asynchronous", "width",
                 "accesses", "requests", "sectors", "lines", "bytes_requested", "bytes_moved",
                 "wavefronts", "bank_conflicts", "worst_wavefronts"});
    for (const SiteCounts& counted : count_sites(trace, {}, generation))
        if (accesses(trace, trace.sites[counted.site])) text += row_of_site(trace, counted);
    return text;
}

Status export_csv(const Trace& trace, const Generation& generation,
                  const std::filesystem::path& path) {
    const std::string text = counters_csv(trace, generation);
    return replace_file(path, std::as_bytes(std::span(text)));
}

}  // namespace tilereel
