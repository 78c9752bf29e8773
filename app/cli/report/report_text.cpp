// The text of a report.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/report/as_compiled_report.h"
#include "app/cli/report/findings.h"
#include "app/cli/report/removed_barrier.h"
#include "app/cli/report/report.h"
#include "app/cli/report/report_parts.h"
#include "app/cli/text_table.h"
#include "app/cli/typed_numbers.h"
#include "app/ladder/kernel_of_trace.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/trace/launch_names.h"
#include "instrumentation/trace/stopped_warps.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

// A row for each kind of access, and a column for each counter of a memory space.
class CountsTable {
  public:
    CountsTable(std::string title, CounterPlace place) : place_(place) {
        std::vector<std::string> head{std::move(title)};
        for (const Counter& counter : kCounters)
            if (is_shown(counter, place)) head.emplace_back(counter.title);
        table_ = Table("l" + std::string(head.size() - 1, 'r'));
        table_.add(std::move(head));
    }
    void add(const char* name, const AccessCounts& counts) {
        std::vector<std::string> row{name};
        for (const Counter& counter : kCounters)
            if (is_shown(counter, place_)) row.push_back(with_commas(counts.*counter.sum));
        table_.add(std::move(row));
    }
    [[nodiscard]] std::string text() const { return table_.text(); }

  private:
    CounterPlace place_;
    Table table_{""};
};

std::string totals_text(const KernelCounts& counts) {
    CountsTable global("GLOBAL", kOfGlobal), shared("SHARED", kOfShared);
    global.add("loads", counts.global_load);
    global.add("stores", counts.global_store);
    if (counts.global_atomic.requests > 0) global.add("atomics", counts.global_atomic);
    shared.add("loads", counts.shared_load);
    shared.add("stores", counts.shared_store);
    if (counts.shared_copy.requests > 0) shared.add("copies", counts.shared_copy);
    if (counts.shared_atomic.requests > 0) shared.add("atomics", counts.shared_atomic);
    std::string text = global.text() + "\n" + shared.text();
    const std::uint64_t collisions =
        counts.global_atomic.collisions + counts.shared_atomic.collisions;
    if (collisions > 0)
        text += "\n" + with_commas(collisions) +
                " atomics change an address that another lane of their request changes, too. The "
                "hardware serves these one after another; the figures do not include that\n";
    if (counts.constant_load.requests > 0)
        text += "\nConstant memory: " + with_commas(counts.constant_load.requests) + " requests, " +
                with_commas(counts.constant_load.wavefronts) + " different addresses\n";
    if (counts.cluster_access.requests > 0)
        text += "\nShared memory of other blocks: " + with_commas(counts.cluster_access.requests) +
                " requests, " + with_commas(counts.cluster_access.bytes_requested) + " bytes\n";
    return text;
}

std::string arithmetic_text(const KernelCounts& counts, bool has_sums) {
    const auto ratio = [](const std::optional<double>& value) {
        return value ? with_decimals(*value) : std::string("-");
    };
    Table table("lr");
    table.add({"Lanes on", std::to_string(counts.lanes_on_percent()) + "%"});
    table.add({"Barriers a block", with_commas(counts.barriers)});
    if (!has_sums) {
        table.add({"Multiply-adds", "not recorded"});
        return table.text();
    }
    table.add({"Multiply-adds", with_commas(counts.multiply_adds)});
    table.add({"FLOP", with_commas(counts.flop())});
    table.add({"FLOP per byte asked", ratio(counts.flop_per_byte_requested())});
    table.add({"FLOP per byte moved", ratio(counts.flop_per_byte_moved())});
    return table.text();
}

std::string sites_text(const Trace& trace, const std::vector<SiteCounts>& sites) {
    std::vector<std::string> head{"LINE", "ARRAY", "OPERATION"};
    for (const Counter& counter : kCounters)
        if (is_shown(counter, kOfEachLine)) head.emplace_back(counter.title);
    Table table("rll" + std::string(head.size() - 3, 'r'));
    table.add(std::move(head));
    for (const SiteCounts& counted : sites) {
        const Site& site = trace.sites[counted.site];
        std::vector<std::string> row{std::to_string(site.line),
                                     site.array == kNoArray ? "" : trace.arrays[site.array].name,
                                     std::string(words_for(site.operation).name)};
        for (const Counter& counter : kCounters)
            if (is_shown(counter, kOfEachLine))
                row.push_back(is_shown(counter, counter_place_of(trace, site))
                                  ? with_commas(counted.counts.*counter.sum)
                                  : "");
        table.add(std::move(row));
    }
    return table.text();
}

// " (256 x 128 of C)" if the tile is not square; otherwise empty.
std::string tile_of_c(const Trace& trace) {
    const KernelInfo* kernel = kernel_of_trace(trace);
    if (kernel == nullptr) return {};
    const std::string words = tile_size_text(*kernel, static_cast<int>(trace.launch.tile));
    return words.find('x') == std::string::npos ? std::string() : " (" + words + " of C)";
}

// The kernel with the sizes of its product, then TILE and PAD (ladder) or the other integer
// arguments (program).
std::string title_text(const Trace& trace) {
    const Launch& launch = trace.launch;
    const auto number = [](const std::string& name, std::int64_t value) {
        return "  " + name + " " + std::to_string(value);
    };
    std::string text = launch.kernel;
    if (trace.product)
        text += number("M", launch.m) + number("N", launch.n) + number("K", launch.k);
    if (launch.tile != 0)  // of the ladder
        return text + number("TILE", launch.tile) + tile_of_c(trace) + number("PAD", launch.pad);
    const auto is_extent_of_product = [&](const NamedInteger& integer) {
        return trace.product &&
               ((integer.name == "M" || integer.name == "m") ? integer.value == launch.m
                : (integer.name == "N" || integer.name == "n")
                    ? integer.value == launch.n
                    : (integer.name == "K" || integer.name == "k") && integer.value == launch.k);
    };
    for (const NamedInteger& integer : launch.integers)
        if (!is_extent_of_product(integer)) text += number(integer.name, integer.value);
    return text;
}

std::string recorder_text(const RecordedBy& by) {
    if (!by.device.empty()) return by.device;
    if (by.recorder.empty()) return "an unknown recorder";
    if (by.recorder != kCpuRecorder) return "the " + by.recorder;
    return "the CPU, as the source is written" +
           (by.compiler.empty() ? "" : " (" + by.compiler + ")");
}

// "A product: C = 2 A B + 0.5 C with A = x, B = w, C = y; column-major: A". Empty for a kernel
// of the ladder.
std::string product_text(const Trace& trace) {
    if (!trace.product || kernel_of_trace(trace) != nullptr) return {};
    const MatrixProduct& product = *trace.product;
    const Array &a = trace.arrays[product.a], &b = trace.arrays[product.b],
                &c = trace.arrays[product.c];
    std::string text = "A product: C = " + product_formula(product) + " with A = " + a.name +
                       ", B = " + b.name + ", C = " + c.name;
    std::string by_columns;
    for (const auto& [name, array] : {std::pair("A", &a), std::pair("B", &b), std::pair("C", &c)})
        if (array->by_columns) by_columns += (by_columns.empty() ? "" : ", ") + std::string(name);
    if (!by_columns.empty()) text += "; column-major: " + by_columns;
    if (const std::string other = product_by_rows(trace); !other.empty())
        text += ".\nIf your matrices lie row by row, this is " + other + ", not A times B.";
    return text + "\n";
}

// Where the warps of the first blocks were that were not recorded to their end.
std::string stops_of_blocks(const Trace& trace) {
    constexpr std::size_t kMostBlocks = 4;
    const std::vector<std::uint32_t> blocks = stopped_blocks(trace);
    std::string text;
    for (std::size_t i = 0; i < std::min(blocks.size(), kMostBlocks); ++i)
        text += "  block " + block_name(trace.launch.grid, blocks[i]) + ", " +
                stops_text(trace, blocks[i]) + "\n";
    if (blocks.size() > kMostBlocks)
        text += "  and " + with_commas(blocks.size() - kMostBlocks) + " more blocks\n";
    return text;
}

std::string launch_text(const Trace& trace, const Generation& generation) {
    const Launch& launch = trace.launch;
    const auto extent = [](const Dim3& d) {
        return std::to_string(d.x) + " x " + std::to_string(d.y) +
               (d.z > 1 ? " x " + std::to_string(d.z) : "");
    };
    std::string chosen;
    if (!trace.chosen_blocks.empty())
        chosen = "Recorded: " + with_commas(trace.chosen_blocks.size()) + " of " +
                 with_commas(launch.blocks()) + " blocks; the counts are of these blocks\n";
    return title_text(trace) + "\n" + product_text(trace) + "Grid " + extent(launch.grid) +
           (launch.cluster.count() > 1 ? ", clusters of " + extent(launch.cluster) + " blocks"
                                       : "") +
           ", blocks of " + extent(launch.block) + " threads, " + with_commas(launch.shared_bytes) +
           " bytes of shared memory a block\n" + "Recorded by " + recorder_text(trace.recorded_by) +
           ", counted for " + std::string(generation.title) + "\n" + chosen +
           removed_barrier_text(trace) +
           (trace.complete ? ""
                           : "Incomplete: the recording was cut off, and these counts with it\n" +
                                 stops_of_blocks(trace));
}

}  // namespace

std::string report_text(const Trace& trace, const Generation& generation,
                        bool searched_failing_order) {
    const std::vector<SiteCounts> sites = count_sites(trace, {}, generation);
    const KernelCounts counts = sum_of(trace, sites);
    return launch_text(trace, generation) + "\n" + totals_text(counts) + "\n" +
           arithmetic_text(counts, has_sums(trace, counts)) + "\n" + sites_text(trace, sites) +
           "\n" + compiled_text(as_compiled(trace, sites)) + findings_text(trace, generation) +
           wrong_elements_text(trace, searched_failing_order);
}

}  // namespace tilereel
