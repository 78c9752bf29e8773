#include <nlohmann/json.hpp>

#include "app/cli/as_compiled_report.h"
#include "app/cli/findings.h"
#include "app/cli/numbers.h"
#include "app/cli/phase_report.h"
#include "app/cli/program_report.h"
#include "app/cli/removed_barrier.h"
#include "app/cli/subcommands.h"
#include "app/cli/table.h"
#include "app/workbench/wrong_product.h"
#include "instrumentation/analysis/counters.h"
#include "instrumentation/record/kernel_of_trace.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Operation operation) {
    switch (operation) {
        case Operation::kLoad:
            return "load";
        case Operation::kStore:
            return "store";
        case Operation::kMultiplyAdd:
            return "multiply_add";
        case Operation::kBarrier:
            return "barrier";
        case Operation::kWarpBarrier:
            return "warp_barrier";
        case Operation::kCopyLoad:
            return "copy_load";
        case Operation::kCopyStore:
            return "copy_store";
        case Operation::kCommitCopies:
            return "commit_copies";
        case Operation::kWaitCopies:
            return "wait_copies";
        case Operation::kArrive:
            return "arrive";
        case Operation::kStartBulkCopy:
            return "start_bulk_copy";
        case Operation::kWaitPhase:
            return "wait_phase";
        case Operation::kInitBarrier:
            return "init_barrier";
        case Operation::kAtomic:
            return "atomic";
        case Operation::kExchange:
            return "exchange";
        case Operation::kAssign:
            return "assign";
    }
    return "";
}

bool is_access(const Site& site) { return tilereel::is_access(site.operation); }

// `places`: bits of CounterPlace.
void put_counts(Json& json, const AccessCounts& counts, unsigned places) {
    for (const Counter& counter : kCounters)
        if (is_shown(counter, places)) json[counter.key] = counts.*counter.sum;
}

Json counts_json(const AccessCounts& counts, unsigned places) {
    Json json;
    put_counts(json, counts, places);
    return json;
}

// Counters that only programs have: atomics and constant memory.
void put_others(Json& json, const KernelCounts& counts) {
    if (counts.global_atomic.requests > 0)
        json["global_atomic"] = counts_json(counts.global_atomic, kOfGlobal | kOfAtomics);
    if (counts.shared_atomic.requests > 0)
        json["shared_atomic"] = counts_json(counts.shared_atomic, kOfShared | kOfAtomics);
    if (counts.constant_load.requests > 0)
        json["constant_load"] = counts_json(counts.constant_load, kOfConstant);
}

// Whether the recorder can record multiply-adds, or has recorded some.
bool has_sums(const Trace& trace, const KernelCounts& counts) {
    return !trace.recorded_by.accesses_only || counts.multiply_adds > 0;
}

// Values that were not recorded are null.
Json totals_json(const KernelCounts& counts, bool has_sums) {
    const auto ratio = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    Json json = {{"global_load", counts_json(counts.global_load, kOfGlobal)},
                 {"global_store", counts_json(counts.global_store, kOfGlobal)},
                 {"shared_load", counts_json(counts.shared_load, kOfShared)},
                 {"shared_store", counts_json(counts.shared_store, kOfShared)},
                 {"shared_copy", counts_json(counts.shared_copy, kOfShared)}};
    put_others(json, counts);
    json["barriers"] = counts.barriers;
    json["multiply_adds"] = counts.multiply_adds;
    json["flop"] = counts.flop();
    json["flop_per_byte_requested"] = ratio(counts.flop_per_byte_requested());
    json["flop_per_byte_moved"] = ratio(counts.flop_per_byte_moved());
    if (!has_sums)
        for (const char* const sum :
             {"multiply_adds", "flop", "flop_per_byte_requested", "flop_per_byte_moved"})
            json[sum] = nullptr;
    return json;
}

CounterPlace place_of(const Trace& trace, const Site& site) {
    if (!is_access(site)) return kOfOthers;
    return trace.arrays[site.array].space == Space::kGlobal ? kOfGlobal : kOfShared;
}

Json site_json(const Trace& trace, const SiteCounts& counted) {
    const Site& site = trace.sites[counted.site];
    Json json;
    json["line"] = site.line;
    if (site.column != 0) json["column"] = site.column;
    if (site.file != 0) json["file"] = source_name(trace, site.file);
    json["width"] = site.width_bytes;
    json["array"] = site.array == kNoArray ? Json(nullptr) : Json(trace.arrays[site.array].name);
    json["operation"] = name_of(site.operation);
    put_counts(json, counted.counts, place_of(trace, site));
    return json;
}

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
    return text;
}

std::string arithmetic_text(const KernelCounts& counts, bool has_sums) {
    const auto ratio = [](const std::optional<double>& value) {
        return value ? with_decimals(*value) : std::string("-");
    };
    Table table("lr");
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
                                     name_of(site.operation)};
        for (const Counter& counter : kCounters)
            if (is_shown(counter, kOfEachLine))
                row.push_back(is_shown(counter, place_of(trace, site))
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

// The kernel with the sizes of its product or, without a product, its integer arguments.
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
    const auto is_told = [&](const NamedInteger& integer) {
        return trace.product &&
               ((integer.name == "M" || integer.name == "m") ? integer.value == launch.m
                : (integer.name == "N" || integer.name == "n")
                    ? integer.value == launch.n
                    : (integer.name == "K" || integer.name == "k") && integer.value == launch.k);
    };
    for (const NamedInteger& integer : launch.integers)
        if (!is_told(integer)) text += number(integer.name, integer.value);
    return text;
}

std::string recorder_text(const RecordedBy& by) {
    if (!by.device.empty()) return by.device;
    if (by.recorder.empty()) return "an unknown recorder";
    if (by.recorder != "plain") return "the " + by.recorder;
    return "the CPU, as the source is written" +
           (by.compiler.empty() ? "" : " (" + by.compiler + ")");
}

Json matrix_json(const Array& array) {
    return {{"array", array.name},
            {"type", type_name(array.type)},
            {"rows", array.rows},
            {"columns", array.columns},
            {"by_columns", array.by_columns},
            {"pitch", array.leading_dimension}};
}

// C(M,N) = alpha A(M,K) B(K,N) + beta C(M,N). C on the right-hand side is its value before the
// launch.
Json product_json(const Trace& trace) {
    const MatrixProduct& product = *trace.product;
    return {{"a", matrix_json(trace.arrays[product.a])},
            {"b", matrix_json(trace.arrays[product.b])},
            {"c", matrix_json(trace.arrays[product.c])},
            {"m", trace.launch.m},
            {"n", trace.launch.n},
            {"k", trace.launch.k},
            {"alpha", product.alpha},
            {"beta", product.beta},
            {"wrong_elements", wrong_elements_of(trace).size()}};
}

// "C = 2 A B + 0.5 C, A stored by columns". Empty for a kernel of the ladder.
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
    if (!by_columns.empty()) text += "; stored by columns: " + by_columns;
    return text + "\n";
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
                 with_commas(launch.blocks()) + " blocks; the counts are theirs\n";
    return title_text(trace) + "\n" + product_text(trace) + "Grid " + extent(launch.grid) +
           ", blocks of " + extent(launch.block) + " threads, " + with_commas(launch.shared_bytes) +
           " bytes of shared memory a block\n" + "Recorded by " + recorder_text(trace.recorded_by) +
           ", counted for " + std::string(generation.title) + "\n" + chosen +
           removed_barrier_text(trace) +
           (trace.complete ? ""
                           : "Incomplete: the recording was cut off, and these counts with it\n");
}

}  // namespace

Json report_object(const Trace& trace, const Generation& generation) {
    const std::vector<SiteCounts> sites = count_sites(trace, {}, generation);
    const Launch& launch = trace.launch;
    Json json = {{"kernel", launch.kernel},
                 {"m", launch.m},
                 {"n", launch.n},
                 {"k", launch.k},
                 {"tile", launch.tile},
                 {"pad", launch.pad},
                 {"generation", generation.id},
                 {"recorded_by", trace.recorded_by.recorder},
                 {"complete", trace.complete}};
    if (trace.product) json["product"] = product_json(trace);
    if (trace.recorded_by.accesses_only) json["not_recorded"] = missing_facts(trace.recorded_by);
    put_removed_barrier(json, trace);
    const KernelCounts counts = sum_of(trace, sites);
    json["totals"] = totals_json(counts, has_sums(trace, counts));
    json["sites"] = Json::array();
    for (const SiteCounts& counted : sites) json["sites"].push_back(site_json(trace, counted));
    put_as_compiled(json, as_compiled(trace, sites));
    json["findings"] = findings_json(trace, generation);
    put_wrong_elements(json, trace);
    return json;
}

std::string report_json(const Trace& trace, const Generation& generation) {
    return report_object(trace, generation).dump(1, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

std::string report_text(const Trace& trace, const Generation& generation,
                        bool searched_failing_order) {
    const std::vector<SiteCounts> sites = count_sites(trace, {}, generation);
    const KernelCounts counts = sum_of(trace, sites);
    return launch_text(trace, generation) + "\n" + totals_text(counts) + "\n" +
           arithmetic_text(counts, has_sums(trace, counts)) + "\n" + sites_text(trace, sites) +
           "\n" + compiled_text(as_compiled(trace, sites)) + findings_text(trace, generation) +
           wrong_elements_text(trace, searched_failing_order);
}

void ReportCommand::add_to(CLI::App& app) {
    add_subject(app, subject);
    add_program_options(app, program);
    add_generation_option(app, generation);
    CLI::Option* const as_json = app.add_flag("--json", json, "Print JSON");
    app.add_flag(
        "--phases", phases,
        "Print what each thread of one block loads and adds in each phase, counted from 1; "
        "with --json, the first of a thread's phases is phase 1");
    app.add_flag("--csv", csv, "Print the phases, or what leaving out a barrier does, as CSV")
        ->excludes(as_json);
    add_block_option(app, block_x, block_y,
                     "With --phases, the block by column and row of the grid (default 0,0)");
}

Result<std::string> ReportCommand::run_phases(const Trace& trace) const {
    const Dim3& grid = trace.launch.grid;
    if (block_x >= grid.x || block_y >= grid.y)
        return wrong_call("the grid is " + with_commas(grid.x) + " x " + with_commas(grid.y) +
                          " blocks: --block " + std::to_string(block_x) + "," +
                          std::to_string(block_y) + " is outside it");
    const auto table = phase_table(trace, block_y * grid.x + block_x);
    if (!table) return table.error();
    if (json) return phases_json(trace, *table);
    return csv ? phases_csv(trace, *table) : phases_text(trace, *table);
}

Result<std::string> ReportCommand::run() const {
    if (is_program(subject.name))
        return report_program(subject.name, on_device(program, subject.options.device), *generation,
                              json);
    if (const Status sound = check_no_program_options(subject.name, program); !sound)
        return sound.error();
    Subject wanted = subject;
    wanted.options.generation = generation;
    const Error needs_phases = wrong_call(
        "--csv requires --phases, or a kernel that lost a barrier (--without-barrier LINE)");
    if (csv && !phases && find_kernel(subject.name) && !subject.options.without_barrier)
        return needs_phases;
    const auto trace = obtain_trace(wanted);
    if (!trace) return trace.error();
    if (phases) return run_phases(*trace);
    if (csv && trace->launch.removed_barrier == 0) return needs_phases;
    if (csv) return removed_barrier_csv(*trace, *generation);
    return json ? report_json(*trace, *generation)
                : report_text(*trace, *generation, subject.options.find_failing_order);
}

}  // namespace tilereel
