#include "app/cli/options/options.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/typed_numbers.h"
#include "app/ladder/kernel_of_trace.h"
#include "app/ladder/ladder.h"
#include "app/ladder/record_plan.h"
#include "app/workbench/launch/block_by_occupancy.h"
#include "app/workbench/launch/variant_limits.h"
#include "instrumentation/trace/file/trace_file.h"
#include "kernels/kernel_name.h"
#include "kernels/openings.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

constexpr int kMostWorkers = 1024;

Error unknown_kernel(const std::string& name) {
    std::string known;
    for (const KernelInfo& kernel : catalog())
        known += (known.empty() ? "" : ", ") + std::string(kernel.id);
    return wrong_call(no_kernel_text(name) + "; the kernels are " + known);
}

Status take_matrices(const KernelOptions& options, RecordRequest& request) {
    if (options.a.empty() || options.b.empty())
        return wrong_call("--a and --b belong together: give both matrices or none");
    if (options.m || options.n || options.k)
        return wrong_call("the sizes come from --a and --b; leave out --m, --n and --k");
    if (options.seed)
        return wrong_call("--seed is for random matrices; leave it out with --a and --b");
    auto a = TRY(read_npy_matrix(options.a));
    auto b = TRY(read_npy_matrix(options.b));
    const auto shape = [](const Matrix& matrix) {
        return std::to_string(matrix.rows) + "x" + std::to_string(matrix.columns);
    };
    if (a.columns != b.rows)
        return wrong_call("A is " + shape(a) + " and B is " + shape(b) +
                          ": A must have as many columns as B has rows");
    constexpr std::uint32_t kMost = kLargestExtent;
    if (a.rows > kMost || a.columns > kMost || b.columns > kMost)
        return wrong_call("A is " + shape(a) + " and B is " + shape(b) + ": no side may exceed " +
                          with_commas(kMost));
    request.parameters.m = static_cast<int>(a.rows);
    request.parameters.k = static_cast<int>(a.columns);
    request.parameters.n = static_cast<int>(b.columns);
    request.inputs.a = std::move(a.values);
    request.inputs.b = std::move(b.values);
    return Done{};
}

// Reads C as it is before the launch.
Status take_initial_c(const std::string& path, RecordRequest& request) {
    auto c = TRY(read_npy_matrix(path));
    const KernelParameters& p = request.parameters;
    if (c.rows != static_cast<std::uint32_t>(p.m) || c.columns != static_cast<std::uint32_t>(p.n))
        return wrong_call("--c is " + std::to_string(c.rows) + "x" + std::to_string(c.columns) +
                          ": C has M x N elements, here " + std::to_string(p.m) + "x" +
                          std::to_string(p.n));
    request.inputs.c = std::move(c.values);
    return Done{};
}

// If the user gave no TILE and the kernel does not have the usual one, TILE is that with which the
// kernel opens in the window.
void fit_usual_tile(const KernelInfo& kernel, const KernelOptions& options, KernelParameters& p) {
    if (options.tile || options.tile_by_occupancy) return;
    if (!check_variant(kernel, p.tile, kernel.pads.front())) p.tile = opening_of(kernel).tile;
}

// If the kernel does not accept the usual parameters, sizes that the user did not give are rounded
// up to multiples of TILE. If the kernel does not accept these either, and the user gave no size
// and no TILE, the parameters are those with which the kernel opens in the window.
void fit_usual_values(const KernelInfo& kernel, const KernelOptions& options, KernelParameters& p) {
    const bool gives_any =
        options.gives_sizes() || options.tile.has_value() || options.tile_by_occupancy;
    if (gives_any) fit_usual_tile(kernel, options, p);
    if (validate(kernel, p) || p.tile < 1) return;
    KernelParameters rounded = p;
    const auto up = [&p](int extent) { return (extent + p.tile - 1) / p.tile * p.tile; };
    if (!options.m) rounded.m = up(p.m);
    if (!options.n) rounded.n = up(p.n);
    if (!options.k) rounded.k = up(p.k);
    if (validate(kernel, rounded)) {
        p = rounded;
        return;
    }
    if (gives_any) return;
    KernelParameters opened = opening_of(kernel);
    opened.pad = options.pad.value_or(opened.pad);
    if (validate(kernel, opened)) p = opened;
}

constexpr int kMostTile = 1024, kMostPad = 1024;

// Takes "8", or "8,16" where the command takes lists.
bool take_numbers(const std::string& text, int least, int most, bool takes_lists,
                  std::optional<int>& first, std::vector<int>& more) {
    auto list = parse_list(text, least, most);
    if (!list || (list->size() > 1 && !takes_lists)) return false;
    first = list->front();
    list->erase(list->begin());
    more = *std::move(list);
    return true;
}

void add_tile_option(CLI::App& app, KernelOptions& options) {
    const auto parse = [&options](const std::string& text) -> std::string {
        options.tile_by_occupancy = text == "auto";
        if (options.tile_by_occupancy) return "";
        return take_numbers(text, 1, kMostTile, options.takes_lists, options.tile,
                            options.more_tiles)
                   ? ""
                   : "a whole number from 1 to 1,024 or auto";
    };
    add_checked_option(
        app, "--tile", parse,
        std::string("Edge of a tile: any that fits the kernel (default 16, or that with which the "
                    "kernel opens in the window); auto: the one "
                    "of highest occupancy, for kernels whose tile is set at launch") +
            (options.takes_lists ? "; of a page also a list such as 8,16" : ""),
        "NUMBER");
}

void add_pad_option(CLI::App& app, KernelOptions& options) {
    const auto parse = [&options](const std::string& text) -> std::string {
        return take_numbers(text, 0, kMostPad, options.takes_lists, options.pad, options.more_pads)
                   ? ""
                   : "a whole number from 0 to 1,024";
    };
    add_checked_option(app, "--pad", parse,
                       std::string("Unused floats at the end of each shared row (default 0)") +
                           (options.takes_lists ? "; of a page also a list (default: two)" : ""),
                       "NUMBER");
}

void add_device_option(CLI::App& app, KernelOptions& options) {
    const auto parse = [&options](const std::string& text) -> std::string {
        if (text == "gpu")
            options.device = Recorder::kGpu;
        else if (text == "cpu")
            options.device = Recorder::kCpu;
        else if (text == "auto")
            options.device = Recorder::kAuto;
        else
            return "gpu, cpu or auto";
        return "";
    };
    add_checked_option(app, "--device", parse,
                       "Record on the gpu or the cpu (default); auto: the gpu if one works",
                       "gpu|cpu|auto");
}

bool looks_like_path(const std::string& name) {
    return name.find('/') != std::string::npos || name.find('.') != std::string::npos;
}

bool on_disk(const std::string& name) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::path(name), ignored);
}

}  // namespace

bool KernelOptions::has_recording_option() const {
    return gives_sizes() || tile || tile_by_occupancy || pad || seed || !c.empty() || workers ||
           device || without_barrier || order || find_failing_order;
}

void add_memory_limit_option(CLI::App& app, std::optional<std::uint64_t>& bytes) {
    const auto parse = [&bytes](const std::string& text) -> std::string {
        bytes = parse_bytes(text);
        return bytes ? "" : "GiB or a size such as 512MiB";
    };
    add_checked_option(app, "--memory-limit", parse,
                       "Most memory a trace may take, in GiB or with a unit (default 4)", "SIZE");
}

void add_size_options(CLI::App& app, KernelOptions& options) {
    add_whole_option(app, "--m", options.m, 1, kLargestExtent, "Rows of A and C (default 64)");
    add_whole_option(app, "--n", options.n, 1, kLargestExtent, "Columns of B and C (default 64)");
    add_whole_option(app, "--k", options.k, 1, kLargestExtent,
                     "Columns of A, rows of B (default 64)");
    add_tile_option(app, options);
    add_pad_option(app, options);
}

void add_kernel_options(CLI::App& app, KernelOptions& options) {
    add_size_options(app, options);
    add_whole_option(app, "--seed", options.seed, 0, std::numeric_limits<std::int64_t>::max(),
                     "Seed of the random matrices (default 1)");
    add_file_option(app, "--a", options.a, "A from a .npy file: float32 or float64, C order");
    add_file_option(app, "--b", options.b, "B from a .npy file; the sizes come from A and B");
    add_file_option(app, "--c", options.c,
                    "C before the launch, from a .npy file (default: all zeros)");
    add_memory_limit_option(app, options.memory_limit_bytes);
    add_whole_option(app, "--workers", options.workers, 1, kMostWorkers,
                     "CPU threads that record (default: one for each core)");
    add_device_option(app, options);
    add_removed_barrier_options(app, options);
}

Result<const KernelInfo*> known_kernel(const std::string& id) {
    const KernelInfo* const info = find_kernel(id);
    if (!info) return unknown_kernel(id);
    return info;
}

Result<RecordRequest> request_of(const std::string& kernel, const KernelOptions& options) {
    const KernelInfo* const known = TRY(known_kernel(kernel));
    const KernelInfo* const info = known;
    RecordRequest request;
    request.kernel = kernel;
    KernelParameters& parameters = request.parameters;
    parameters.m = options.m.value_or(parameters.m);
    parameters.n = options.n.value_or(parameters.n);
    parameters.k = options.k.value_or(parameters.k);
    parameters.tile = options.tile.value_or(parameters.tile);
    parameters.pad = options.pad.value_or(parameters.pad);
    if (options.tile_by_occupancy) {
        const auto block = TRY(block_by_occupancy(*info, parameters.pad, *options.generation));
        parameters.tile = block.tile;
    }
    request.seed = options.seed.value_or(request.seed);
    request.workers = static_cast<unsigned>(options.workers.value_or(0));
    request.recorder = options.device.value_or(request.recorder);
    request.memory_limit_bytes = options.memory_limit_bytes.value_or(request.memory_limit_bytes);
    if (!options.a.empty() || !options.b.empty()) TRY(take_matrices(options, request));
    if (request.inputs.a.empty())
        fit_usual_values(*info, options, parameters);
    else
        fit_usual_tile(*info, options, parameters);
    TRY(validate(*info, parameters));
    TRY(check_generation_runs(*info, parameters, *options.generation));
    if (!options.c.empty()) TRY(take_initial_c(options.c, request));
    request.removed_barrier = static_cast<std::uint32_t>(options.without_barrier.value_or(0));
    request.order = options.order.value_or(request.order);
    request.find_failing_order = options.find_failing_order;
    request.lanes_may_diverge = options.generation->independent_lanes;
    TRY(check_removed_barrier(*info, request));
    if (options.block)
        if (const Result<RequestedLaunch> launch = launch_of(request); launch)
            request.block = options.block->second * launch->shape.grid_x + options.block->first;
    return request;
}

CLI::Option* add_block_option(CLI::App& app, std::uint32_t& x, std::uint32_t& y,
                              const std::string& description) {
    const auto parse = [&x, &y](const std::string& text) -> std::string {
        const std::size_t comma = text.find(',');
        const auto column = parse_whole(text.substr(0, comma));
        const auto row =
            comma == std::string::npos ? std::nullopt : parse_whole(text.substr(comma + 1));
        constexpr std::int64_t kMost = 0x7fffffff;
        if (!column || !row || *column < 0 || *row < 0 || *column > kMost || *row > kMost)
            return "the block's column and row, such as 2,1";
        x = static_cast<std::uint32_t>(*column);
        y = static_cast<std::uint32_t>(*row);
        return "";
    };
    return add_checked_option(app, "--block", parse, description, "X,Y");
}

CLI::Option* add_generation_option(CLI::App& app, const Generation*& generation) {
    const auto parse = [&generation](const std::string& text) -> std::string {
        const Generation* const found = find_generation(text);
        if (found) generation = found;
        if (found) return "";
        std::string known;
        for (const Generation& each : generations())
            known += (known.empty() ? "" : ", ") + std::string(each.id);
        return "a compute capability, one of " + known;
    };
    return add_checked_option(
        app, "--generation", parse,
        "GPU generation whose rules the counts follow, by compute capability (default 9.0)",
        "GENERATION");
}

void add_subject(CLI::App& app, NamedSubject& subject) {
    app.add_option("KERNEL-OR-FILE", subject.name,
                   "A kernel to record, a trace file, or a CUDA file")
        ->required()
        ->type_name("");
    add_kernel_options(app, subject.options);
}

Result<std::optional<FileKind>> kind_of_subject(const std::string& name,
                                                std::initializer_list<FileKind> kinds,
                                                const ProgramParts& parts) {
    if (find_kernel(name)) return std::optional<FileKind>();
    if (!looks_like_path(name) && !on_disk(name)) return unknown_kernel(name);
    const FileKind kind = TRY(kind_of_file(name, "this command", kinds, parts));
    return std::optional(kind);
}

Status check_no_kernel_options(const std::string& program, const KernelOptions& options) {
    KernelOptions others = options;
    others.device.reset();
    if (others.has_recording_option() || others.memory_limit_bytes)
        return wrong_call("'" + program + "' is a CUDA file: leave out the options of a kernel");
    return Done{};
}

Result<Trace> record_as_asked(const RecordRequest& request) {
    std::string without_gpu;
    Result<Trace> trace = record_ladder(request, nullptr, &without_gpu);
    if (trace && !without_gpu.empty())
        std::fprintf(stderr, "tilereel: recorded without a GPU: %s\n", without_gpu.c_str());
    return trace;
}

Result<Trace> obtain_trace(const NamedSubject& subject) {
    const auto kind = TRY(kind_of_subject(subject.name, {FileKind::kTrace}));
    if (!kind.has_value()) {
        const auto request = TRY(request_of(subject.name, subject.options));
        return record_as_asked(request);
    }
    if (subject.options.has_recording_option())
        return wrong_call(
            "'" + subject.name +
            "' is a recorded trace: leave out the options that choose what to record");
    TraceReadLimits limits;
    limits.memory_bytes = subject.options.memory_limit_bytes.value_or(limits.memory_bytes);
    return open_trace(subject.name, limits);
}

}  // namespace tilereel
