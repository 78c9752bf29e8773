#include <algorithm>
#include <tuple>

#include "app/workbench/tables/as_compiled.h"
#include "app/workbench/tables/csv_fields.h"
#include "app/workbench/tables/tables_text.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::array<std::string_view, kCompiledCounters> kKeys = {
    "shared_load_requests",  "shared_load_wavefronts",  "shared_load_conflicts",
    "shared_store_requests", "shared_store_wavefronts", "shared_store_conflicts",
    "global_load_requests",  "global_load_sectors",     "global_store_requests",
    "global_store_sectors"};
constexpr std::size_t kLaunchColumns = 6, kMachineColumns = 4;
constexpr std::size_t kColumns = kLaunchColumns + 2 * kCompiledCounters + kMachineColumns;

std::string header() {
    std::string text = "kernel,tile,pad,m,n,k";
    for (const std::string_view build : {"written_", "native_"})
        for (const std::string_view key : kKeys) text.append(",").append(build).append(key);
    return text + ",gpu,driver,toolkit,date";
}

// Returns what is wrong with the line, or "".
std::string parse_row(const std::vector<std::string_view>& fields, AsCompiledRow& row) {
    if (fields.size() != kColumns) return "does not have " + std::to_string(kColumns) + " fields";
    row.kernel = fields[0];
    if (find_kernel(row.kernel) == nullptr) return "names no kernel of the ladder";
    KernelParameters& p = row.parameters;
    std::size_t next = 1;
    for (int* number : {&p.tile, &p.pad, &p.m, &p.n, &p.k})
        if (!parse_count(fields[next++], *number)) return "has a size that is no whole number";
    for (CompiledCounts* counts : {&row.written, &row.compiled})
        for (std::uint64_t& count : *counts)
            if (!parse_count(fields[next++], count)) return "has a count that is no whole number";
    return "";
}

auto launch_of(const AsCompiledRow& row) {
    const KernelParameters& p = row.parameters;
    return std::tie(row.kernel, p.tile, p.pad, p.m, p.n, p.k);
}

}  // namespace

std::string_view key_of(CompiledCounter counter) {
    return kKeys[static_cast<std::size_t>(counter)];
}

std::string text_of(CompiledCounter counter) {
    std::string words(key_of(counter));
    std::ranges::replace(words, '_', ' ');
    return words;
}

const AsCompiledRow* AsCompiledTable::find(std::string_view kernel,
                                           const KernelParameters& parameters) const {
    const auto found = std::ranges::find_if(rows, [&](const AsCompiledRow& row) {
        return row.kernel == kernel && row.parameters == parameters;
    });
    return found == rows.end() ? nullptr : &*found;
}

Result<AsCompiledTable> read_as_compiled(std::string_view csv) {
    AsCompiledTable table;
    if (next_line(csv) != header())
        return failed("the table of compiled kernels has other columns; measure it anew");
    for (int number = 2; !csv.empty(); ++number) {
        const std::vector<std::string_view> fields = fields_of(next_line(csv));
        const auto wrong = [number](const std::string& what) {
            return failed("line " + std::to_string(number) + " of the table of compiled kernels " +
                          what + "; measure it anew");
        };
        AsCompiledRow row;
        if (const std::string problem = parse_row(fields, row); !problem.empty())
            return wrong(problem);
        row.gpu = fields[kColumns - 4];
        row.driver = fields[kColumns - 3];
        row.toolkit = fields[kColumns - 2];
        row.date = fields[kColumns - 1];
        const auto same = std::ranges::find(table.rows, row.kernel, &AsCompiledRow::kernel);
        if (same != table.rows.end() && std::tie(row.gpu, row.driver, row.toolkit) !=
                                            std::tie(same->gpu, same->driver, same->toolkit))
            return wrong("was measured with another GPU, driver or toolkit than others of " +
                         row.kernel);
        if (table.find(row.kernel, row.parameters) != nullptr) return wrong("repeats a launch");
        table.rows.push_back(std::move(row));
    }
    std::ranges::sort(table.rows, {}, launch_of);
    return table;
}

const AsCompiledTable& as_compiled_table() {
    static const AsCompiledTable table = [] {
        Result<AsCompiledTable> read = read_as_compiled(as_compiled_text());
        check(read.has_value());  // a test reads the file that ships
        return std::move(read).value();
    }();
    return table;
}

}  // namespace tilereel
