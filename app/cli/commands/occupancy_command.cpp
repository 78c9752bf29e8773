#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/cli/subcommands.h"
#include "app/cli/text_table.h"
#include "app/cli/typed_numbers.h"
#include "app/ladder/ladder.h"
#include "app/workbench/launch/block_by_occupancy.h"
#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/tables/registers.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kLimits = {OccupancyLimit::kWarps, OccupancyLimit::kBlocks,
                                OccupancyLimit::kRegisters, OccupancyLimit::kSharedMemory};

std::string counted(std::int64_t count) { return with_commas(static_cast<std::uint64_t>(count)); }

std::string limits_in_words(const Occupancy& occupancy) {
    std::string words;
    for (const OccupancyLimit limit : kLimits)
        if (occupancy.limited_by(limit))
            words += (words.empty() ? "" : ", ") + std::string(name_of(limit));
    return words;
}

// A row of the table: a TILE of a kernel, or the requested block.
struct Row {
    int tile = 0;  // 0: the block was given by threads
    BlockResources block;
    Registers registers;
    Result<Occupancy> occupancy;
};

// Records the smallest launch with this TILE and PAD. The returned shared_bytes exclude dynamic
// shared memory.
Result<Launch> smallest_launch(const KernelInfo& kernel, KernelParameters parameters) {
    parameters.m = parameters.n = parameters.k = parameters.tile;
    const FittedParameters fitted = TRY(fit_parameters(kernel, parameters));
    const LaunchShape shape = TRY(validate(kernel, fitted.parameters));
    RecordRequest request;
    request.kernel = std::string(kernel.id);
    request.parameters = fitted.parameters;
    const Trace trace = TRY(record_ladder(request));
    Launch launch = trace.launch;
    launch.shared_bytes -= shape.dynamic_shared_bytes;
    return launch;
}

// The resources of a block do not depend on the sizes, except for dynamic shared memory, which the
// launch computes from them (kernel 06: all of its shared memory). So a recording of the smallest
// launch gives the rest.
Result<Row> row_of(const KernelInfo& kernel, const KernelOptions& options, int tile,
                   const std::optional<Registers>& given, const Generation& generation) {
    KernelParameters parameters;
    parameters.tile = tile;
    parameters.pad = options.pad.value_or(0);
    parameters.m = options.m.value_or(tile);
    parameters.n = options.n.value_or(tile);
    parameters.k = options.k.value_or(tile);
    const FittedParameters fitted = TRY(fit_parameters(kernel, parameters));
    const LaunchShape shape = TRY(validate(kernel, fitted.parameters));
    const Launch smallest = TRY(smallest_launch(kernel, parameters));
    const Registers registers = given.value_or(registers_of(kernel.id, tile, parameters.pad));
    const BlockResources block{.threads = static_cast<int>(shape.block_x * shape.block_y),
                               .registers_per_thread = registers.a_thread,
                               .shared_bytes = smallest.shared_bytes + shape.dynamic_shared_bytes};
    return Row{tile, block, registers, occupancy_of(block, generation)};
}

Result<std::vector<Row>> rows_of(const OccupancyCommand& command,
                                 const std::optional<Registers>& given) {
    std::vector<Row> rows;
    if (command.kernel.empty()) {
        const Registers registers = given.value_or(Registers{});
        const BlockResources block{
            .threads = *command.threads,
            .registers_per_thread = registers.a_thread,
            .shared_bytes = static_cast<std::uint32_t>(command.shared.value_or(0))};
        rows.push_back({0, block, registers, occupancy_of(block, *command.generation)});
        return rows;
    }
    const KernelInfo* const known = TRY(known_kernel(command.kernel));
    const KernelInfo& kernel = *known;
    if (kernel.on_cpu)
        return wrong_call(std::string(kernel.id) +
                          " runs on the CPU, which has no SM to fill; name a kernel for the GPU");
    for (const int tile : kernel.tiles) {
        if (command.options.tile && *command.options.tile != tile) continue;
        Row row = TRY(row_of(kernel, command.options, tile, given, *command.generation));
        rows.push_back(std::move(row));
    }
    if (rows.empty())
        return wrong_call(std::string(kernel.id) + " does not offer TILE " +
                          std::to_string(*command.options.tile) + "; see tilereel kernels");
    return rows;
}

Json json_of(const Row& row, const Generation& generation) {
    Json json;
    if (row.tile > 0) json["tile"] = row.tile;
    json["threads"] = row.block.threads;
    json["registers"] = row.registers.a_thread;
    json["registers_assumed"] = row.registers.from == Registers::From::kAssumed;
    json["shared_bytes"] = row.block.shared_bytes;
    if (!row.occupancy) {
        json["error"] = row.occupancy.error().message;
        return json;
    }
    const Occupancy& found = *row.occupancy;
    json["active_blocks"] = found.blocks;
    json["active_warps"] = found.warps;
    json["active_threads"] = found.threads;
    json["warps_of_sm"] = found.most_warps;
    json["occupancy"] = found.share();
    json["classical_occupancy"] =
        classical_occupancy(found.blocks, row.block.threads, found.most_threads);
    Json& blocks = json["blocks_by"] = Json::object();
    Json& limits = json["limited_by"] = Json::array();
    for (const OccupancyLimit limit : kLimits) {
        const int by = found.blocks_by[static_cast<std::size_t>(limit)];
        blocks[std::string(name_of(limit))] =
            by == std::numeric_limits<int>::max() ? Json(nullptr) : Json(by);
        if (found.limited_by(limit)) limits.push_back(name_of(limit));
    }
    json["registers_given"] = found.registers_per_block;
    json["shared_bytes_given"] = found.shared_bytes_per_block;
    json["asks_for_shared_memory"] =
        row.block.shared_bytes >
        static_cast<std::uint32_t>(generation.limits.default_shared_bytes_per_block);
    return json;
}

Json json_of(const BlockByOccupancy& block) {
    return {{"threads", block.threads},
            {"tile", block.tile},
            {"occupancy", block.of_threads.share()},
            {"occupancy_of_tile", block.of_tile.share()}};
}

// The registers of the rows if they are the same for all, otherwise the source of the numbers.
std::string registers_in_words(const std::vector<Row>& rows) {
    const Registers& first = rows.front().registers;
    const auto all = [&](auto member) {
        return std::ranges::all_of(
            rows, [&](const Row& row) { return row.registers.*member == first.*member; });
    };
    const bool alike = all(&Registers::a_thread), one_source = all(&Registers::from);
    if (alike && one_source) return text_of(first);
    return one_source ? "registers a thread as compiled for 9.0"
                      : "registers a thread as compiled for 9.0, else " + text_of(Registers{});
}

std::string text_of(const std::vector<Row>& rows) {
    Table table("rrrrrrrl");
    table.add(
        {"TILE", "THREADS", "REGISTERS", "SHARED", "BLOCKS", "WARPS", "OCCUPANCY", "LIMITED BY"});
    for (const Row& row : rows) {
        std::vector<std::string> cells = {
            row.tile > 0 ? std::to_string(row.tile) : "-", counted(row.block.threads),
            counted(row.registers.a_thread), counted(row.block.shared_bytes)};
        if (row.occupancy) {
            const Occupancy& found = *row.occupancy;
            cells.push_back(counted(found.blocks));
            cells.push_back(counted(found.warps) + " of " + counted(found.most_warps));
            cells.push_back(with_decimals(100 * found.share()) + " %");
            cells.push_back(limits_in_words(found));
        } else {
            cells.insert(cells.end(), {"0", "0", "-", row.occupancy.error().message});
        }
        table.add(std::move(cells));
    }
    return table.text();
}

}  // namespace

void OccupancyCommand::add_to(CLI::App& app) {
    CLI::Option* const of_kernel =
        app.add_option("KERNEL", kernel, "A kernel, for the blocks that it launches")
            ->type_name("");
    const auto of_block = [&](CLI::Option* option) { option->excludes(of_kernel); };
    of_block(add_whole_option(app, "--threads", threads, 1, 1024, "Threads a block"));
    of_block(add_whole_option(app, "--shared", shared, 0, 1 << 20,
                              "Bytes of shared memory a block, static and dynamic (default 0)"));
    add_whole_option(
        app, "--registers", registers, 1, 255,
        "Registers a thread, as nvcc -Xptxas -v says (default: as the kernel was compiled for "
        "9.0, or " +
            std::to_string(kAssumedRegisters) + " where that is not known)");
    add_generation_option(app, generation);
    const auto of_launch = [&](const char* name, std::optional<int>& value, const char* says) {
        add_whole_option(app, name, value, 0, kLargestExtent, says)->needs(of_kernel);
    };
    of_launch("--tile", options.tile, "Only this TILE of the kernel");
    of_launch("--pad", options.pad, "Unused floats at the end of each shared row (default 0)");
    of_launch("--m", options.m, "Rows of C, where the block depends on it (06_single_block)");
    of_launch("--n", options.n, "Columns of C, for the same kernel");
    of_launch("--k", options.k, "Columns of A, for the same kernel");
    app.add_flag("--json", json, "Print JSON");
}

Result<std::string> OccupancyCommand::run() const {
    if (kernel.empty() && !threads)
        return wrong_call(
            "there is no block; name a kernel, or give --threads (with --registers and --shared)");
    std::optional<Registers> given;
    if (registers) given = Registers{*registers, Registers::From::kGiven};
    const std::vector<Row> rows = TRY(rows_of(*this, given));
    if (rows.size() == 1 && !rows.front().occupancy) return rows.front().occupancy.error();
    const KernelInfo* info = find_kernel(kernel);
    std::optional<BlockByOccupancy> suggested;
    if (info != nullptr && info->shared_bytes_of_block != nullptr) {
        const BlockByOccupancy block =
            TRY(block_by_occupancy(*info, options.pad.value_or(0), *generation, given));
        suggested = block;
    }
    if (json) {
        const bool assumed = std::ranges::any_of(
            rows, [](const Row& row) { return row.registers.from == Registers::From::kAssumed; });
        Json out = {{"generation", generation->id}, {"registers_assumed", assumed}};
        if (info != nullptr) out["kernel"] = info->id;
        Json& blocks = out["blocks"] = Json::array();
        for (const Row& row : rows) blocks.push_back(json_of(row, *generation));
        if (suggested) out["suggested"] = json_of(*suggested);
        return json_text(out, 1) + "\n";
    }
    std::string text =
        std::string(generation->title) + ", " + registers_in_words(rows) + "\n" + text_of(rows);
    if (suggested) text += sentence_of(*suggested, *generation) + "\n";
    return text;
}

}  // namespace tilereel
