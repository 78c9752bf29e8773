#include "app/cli/options/race_options.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "app/cli/options/checked_option.h"
#include "app/cli/typed_numbers.h"
#include "app/race/other_kernels/work_runner.h"
#include "app/race/other_kernels/work_sizes.h"
#include "app/race/runners/cpu_runner.h"
#include "app/race/runners/gpu_runner.h"
#include "app/race/runners/make_runner.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

constexpr int kMostThreads = 1024, kMostSeconds = 86'400;
constexpr int kUsualTile = 32;  // a block of 1024 threads, if each thread computes one element of C

// Parses "512" or "1000x3000x700". A single number may be the n of a kernel that is no product.
std::optional<ProductSize> parse_size(const std::string& text) {
    std::vector<int> extents;
    const std::vector<std::string> parts = parts_between(text, 'x');
    for (const std::string& part : parts) {
        const auto extent = parse_whole(part);
        const int most = parts.size() == 1 ? kLargestCount : kLargestExtent;
        if (!extent || *extent < 1 || *extent > most) return std::nullopt;
        extents.push_back(static_cast<int>(*extent));
    }
    if (extents.size() == 1) return ProductSize{extents[0], extents[0], extents[0]};
    if (extents.size() == 3) return ProductSize{extents[0], extents[1], extents[2]};
    return std::nullopt;
}

void add_list_option(CLI::App& app, const char* name, std::vector<int>& values, int least,
                     const char* description) {
    constexpr int kMost = 1024;
    const auto parse = [&values, least](const std::string& text) -> std::string {
        const auto list = parse_list(text, least, kMost);
        if (list) values = *list;
        return list ? "" : "whole numbers such as 16,32";
    };
    add_checked_option(app, name, parse, description, "LIST");
}

bool holds(std::span<const int> values, int value) {
    return std::ranges::find(values, value) != values.end();
}

// The wanted values that the kernel offers. If there are none: the largest offered value up to
// `usual`, or else the smallest.
std::vector<int> chosen(const std::vector<int>& wanted, std::span<const int> offered, int usual) {
    std::vector<int> values;
    for (const int value : wanted)
        if (holds(offered, value)) values.push_back(value);
    if (!values.empty()) return values;
    const auto above = std::ranges::upper_bound(offered, usual);
    return {above == offered.begin() ? offered.front() : *(above - 1)};
}

void add_variants(const KernelInfo& kernel, const std::vector<int>& tiles,
                  const std::vector<int>& pads, std::vector<Contender>& contenders) {
    if (kernel.id == kChampion) return contenders.push_back({std::string(kernel.id)});
    for (const int tile : chosen(tiles, kernel.tiles, kernel.on_cpu ? 64 : kUsualTile))
        for (const int pad : chosen(pads, kernel.pads, 0))
            contenders.push_back({std::string(kernel.id), tile, pad});
}

// Whether the name is a file with a kernel of the user's own.
bool is_own_file(const std::string& name) { return name.ends_with(".cu") || name.ends_with(".so"); }

// Adds the kernel of "09_tiled:32:1" with its TILE and PAD, if given. A TILE that the kernel does
// not have is rejected later, with all other impossible contenders.
Status add_named(const std::string& name, const RaceOptions& options,
                 std::vector<Contender>& contenders) {
    if (is_own_file(name)) return Done{};  // own_kernels()
    const std::vector<std::string> parts = parts_between(name, ':');
    const bool reference = is_reference({parts[0]});
    if (reference && parts.size() > 1)
        return wrong_call(parts[0] + " takes neither TILE nor PAD; name it alone");
    if (reference || name == kChampion) {
        contenders.push_back({parts[0]});
        return Done{};
    }
    const KernelInfo* const kernel = find_kernel(parts[0]);
    if (!kernel) return options.no_contender(std::filesystem::exists(name) ? name : parts[0]);
    std::vector<int> numbers;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto number = parse_whole(parts[i]);
        if (!number || *number < 0 || *number > 1024 || i > 2)
            return wrong_call("'" + name + "' is not KERNEL, KERNEL:TILE or KERNEL:TILE:PAD");
        numbers.push_back(static_cast<int>(*number));
    }
    if (numbers.empty()) {
        for (const auto& [what, wanted, offered] :
             {std::tuple{"TILE ", options.tiles, kernel->tiles},
              {"PAD ", options.pads, kernel->pads}})
            for (const int value : wanted)
                if (!holds(offered, value))
                    return wrong_call(parts[0] + " is not built in with " + what +
                                      std::to_string(value) +
                                      ", and only what is built in can race; 'tilereel kernels' "
                                      "lists the TILEs and PADs that are");
        add_variants(*kernel, options.tiles, options.pads, contenders);
    } else {
        contenders.push_back({parts[0], numbers[0], numbers.size() > 1 ? numbers[1] : 0});
    }
    return Done{};
}

bool on_cpu(const Contender& contender) {
    const KernelInfo* const kernel = find_kernel(contender.kernel);
    return contender.kernel == kOpenblas || (kernel && kernel->on_cpu);
}

// The device on which the named contenders run, if they or an option determine it.
Result<RaceOn> device_of(const RaceOptions& options, const std::vector<Contender>& contenders) {
    if (options.cpu) return RaceOn::kCpu;
    if (options.gpu) return RaceOn::kGpu;
    const auto of_cpu = std::ranges::find_if(contenders, on_cpu);
    const auto of_gpu = std::ranges::find_if_not(contenders, on_cpu);
    if (of_cpu != contenders.end() && of_gpu != contenders.end())
        return wrong_call(of_cpu->kernel + " races on the CPU and " + of_gpu->kernel +
                          " on the GPU: name kernels of one of them");
    if (of_cpu != contenders.end()) return RaceOn::kCpu;
    return of_gpu != contenders.end() ? RaceOn::kGpu : RaceOn::kAny;
}

// The kernels of the user's own, and how each is launched.
Result<std::vector<OwnKernel>> own_kernels(const RaceOptions& options, PlannedRace& plan) {
    std::vector<OwnKernel> kernels;
    for (const std::string& name : options.kernels) {
        if (!is_own_file(name)) continue;
        for (OwnKernel& kernel : TRY(options.own_kernels(options, name))) {
            if (std::ranges::find(kernels, kernel.name, &OwnKernel::name) != kernels.end())
                return wrong_call("two files are named " + kernel.name + ": rename one of them");
            plan.note += kernel.name + " is launched as " + kernel.call + "\n";
            plan.request.contenders.push_back({kernel.name});
            kernels.push_back(std::move(kernel));
        }
    }
    for (const auto& [option, given] : {std::pair{"--call", !options.call.empty()},
                                        {"--define", !options.values.empty()},
                                        {"--launch", options.launch.has_value()}})
        if (kernels.empty() && given)
            return wrong_call(std::string(option) +
                              " is for a kernel of your own: name its .cu file");
    return kernels;
}

// Kernels that are no products, which race over n and by their bytes.
bool has_work(const std::vector<OwnKernel>& kernels) {
    return std::ranges::any_of(kernels,
                               [](const OwnKernel& each) { return each.work.has_value(); });
}

// Sets the sizes and the bytes at each of them.
Result<std::unique_ptr<Runner>> work_runner(const RaceOptions& options,
                                            std::vector<OwnKernel> kernels, RaceRequest& request) {
    for (const Contender& contender : request.contenders)
        if (!is_own(contender))
            return wrong_call(kernels.front().name + " is no product, so it cannot race beside " +
                              contender.kernel);
    for (const OwnKernel& kernel : kernels)
        if (!kernel.work)
            return wrong_call(kernel.name +
                              " is a product, and another file is none: race them one "
                              "by one");
    if (options.cpu) return wrong_call("a kernel of your own races on a GPU; leave out --cpu");
    const OwnWork& work = *kernels.front().work;
    request.sizes = options.sizes.empty()
                        ? sizes_of_work(work.recorded_n, work.multiple, work.dimensions)
                        : options.sizes;
    for (const ProductSize& size : request.sizes)
        request.bytes.push_back(std::max(bytes_at(work, size.n), 1.0));
    auto device = TRY(make_gpu_work_device());
    return make_work_runner(std::move(device), std::move(kernels));
}

Result<std::unique_ptr<Runner>> runner_on(RaceOn device, const RaceOptions& options,
                                          std::vector<OwnKernel> own, std::string& note) {
    const int threads = options.threads.value_or(0);
    if (device == RaceOn::kGpu)
        return make_gpu_runner({.reference = !options.no_reference, .own = std::move(own)});
    if (device == RaceOn::kCpu)
        return make_cpu_runner({.threads = threads, .reference = !options.no_reference});
    FoundRunner found = make_runner({.reference = !options.no_reference, .threads = threads});
    if (!found.why_no_gpu.empty()) note += found.why_no_gpu + ": this race is on the CPU\n";
    return std::move(found.runner);
}

Error threads_of_gpu() {
    return wrong_call("--threads is for a race on the CPU, and this one is on the GPU; add --cpu");
}

std::vector<ProductSize> usual_sizes(bool gpu) {
    std::vector<ProductSize> sizes;
    for (const int n :
         gpu ? std::vector{256, 512, 1024, 2048, 4096} : std::vector{64, 128, 256, 512, 1024})
        sizes.push_back({n, n, n});
    return sizes;
}

// kWrongCall if --tile or --pad has no effect: no racing kernel takes it.
Status check_variants(const RaceOptions& options, bool gpu) {
    if (!options.kernels.empty()) {
        const bool taken = std::ranges::any_of(options.kernels, [](const std::string& name) {
            return name != kChampion && find_kernel(name) != nullptr;
        });
        if (taken || (options.tiles.empty() && options.pads.empty())) return Done{};
        return wrong_call(
            "--tile and --pad are for kernels that are named without a TILE; leave them out");
    }
    const auto check = [gpu](const char* what, const std::vector<int>& wanted,
                             std::span<const int> KernelInfo::*offered) -> Status {
        for (const int value : wanted)
            if (std::ranges::none_of(catalog(), [&](const KernelInfo& kernel) {
                    return kernel.on_cpu != gpu && holds(kernel.*offered, value);
                }))
                return wrong_call("no kernel for the " + std::string(gpu ? "GPU" : "CPU") +
                                  " is built in with " + what + std::to_string(value) +
                                  ", and only what is built in can race; 'tilereel kernels' lists "
                                  "the TILEs and PADs that are");
        return Done{};
    };
    const Status tiles = check("TILE ", options.tiles, &KernelInfo::tiles);
    return tiles ? check("PAD ", options.pads, &KernelInfo::pads) : tiles;
}

// All kernels that run on the device and support any of the sizes. The others are listed in the
// note.
std::vector<Contender> whole_ladder(const RaceOptions& options,
                                    const std::vector<ProductSize>& sizes, bool gpu,
                                    std::string& note) {
    std::vector<Contender> ladder, racing;
    for (const KernelInfo& kernel : catalog())
        if (kernel.on_cpu != gpu) add_variants(kernel, options.tiles, options.pads, ladder);
    std::string left_out;
    for (const Contender& contender : ladder) {
        if (std::ranges::any_of(
                sizes, [&](const ProductSize& size) { return takes(contender, size).has_value(); }))
            racing.push_back(contender);
        else
            left_out += (left_out.empty() ? "" : ", ") + contender.kernel;
    }
    if (!left_out.empty())
        note += "left out, because they take none of the sizes: " + left_out + "\n";
    return racing;
}

void add_references(bool gpu, const RaceMachine& machine, PlannedRace& plan) {
    std::vector<Contender>& contenders = plan.request.contenders;
    if (machine.reference.empty()) {
        plan.note +=
            "no " + std::string(gpu ? kCublas : kOpenblas) + " here: racing without a reference\n";
        return;
    }
    for (const Contender& reference : references_of(contenders, gpu))
        if (std::ranges::find(contenders, reference) == contenders.end())
            contenders.push_back(reference);
}

}  // namespace

Result<std::vector<OwnKernel>> RaceOptions::load_own_kernels(const RaceOptions& options,
                                                             const std::string& file) {
    if (file.ends_with(".cu") || !options.call.empty() || !options.own_library.empty() ||
        !options.values.empty() || options.launch)
        return wrong_call(
            "this program compiles no kernel: 'tilereel race FILE.cu --library "
            "FILE.so' does, and FILE.so can race here");
    return std::vector<OwnKernel>{TRY(open_own_kernel(file))};
}

bool RaceOptions::any() const {
    return !kernels.empty() || !sizes.empty() || !tiles.empty() || !pads.empty() || repeats ||
           seconds || threads || seed || cold || warm || cpu || gpu || wants_reference ||
           no_reference;
}

void add_race_options(CLI::App& app, RaceOptions& options) {
    app.add_option("KERNEL", options.kernels,
                   "What to race: KERNEL, KERNEL:TILE or KERNEL:TILE:PAD (default: the ladder), a "
                   "kernel of your own (.cu); or a saved race (.json) to show")
        ->type_name("");
    const auto parse_sizes = [&options](const std::string& text) -> std::string {
        options.sizes.clear();
        for (const std::string& part : parts_between(text, ',')) {
            const auto size = parse_size(part);
            if (!size) return "sizes such as 256,512 or 1000x3000x700";
            options.sizes.push_back(*size);
        }
        return "";
    };
    add_checked_option(app, "--sizes", parse_sizes,
                       "Sizes of the matrices: N or MxNxK, separated by commas; n of what is no "
                       "product",
                       "LIST");
    app.add_option("--call", options.call,
                   "How the kernel of a .cu file is launched, in A, B, C, M, N and K, or in n and "
                   "its arrays; without it, recognised by recording the file's program")
        ->type_name("LAUNCH");
    app.add_flag("--trust", options.trusts_files,
                 "Race a .cu file with your rights, outside a sandbox: for your own work");
    app.add_option("--define", options.values,
                   "Values of a macro or constant of a .cu file, such as TILE=8,16,32: a contender "
                   "for each")
        ->type_name("NAME=LIST");
    add_whole_option(app, "--launch", options.launch, 0, 1'000'000,
                     "The launch of a .cu file's program that races, counted from 0 (default: the "
                     "first that is recorded)");
    add_file_option(
        app, "--library", options.own_library,
        "Write what nvcc compiles of the .cu file, to race it on another machine (.so)");
    add_list_option(app, "--tile", options.tiles, 1, "TILE of each kernel (default 32)");
    add_list_option(app, "--pad", options.pads, 0, "PAD of each kernel (default 0)");
    add_whole_option(app, "--repeats", options.repeats, 1, kMostRepeats,
                     "Samples of each kernel at each size (default 7)");
    add_whole_option(
        app, "--seconds", options.seconds, 0, kMostSeconds,
        "Seconds after which a kernel gets no more samples at a size, if it has 3 (default 5)");
    add_whole_option(app, "--seed", options.seed, 0, std::numeric_limits<std::int64_t>::max(),
                     "Seed of the random matrices (default 1)");
    CLI::Option* const cold =
        app.add_flag("--cold", options.cold, "Other matrices each launch (the default)");
    app.add_flag("--warm", options.warm, "The same matrices each launch: they may stay in a cache")
        ->excludes(cold);
    CLI::Option* const cpu = app.add_flag("--cpu", options.cpu, "Race on the CPU");
    app.add_flag("--gpu", options.gpu, "Race on the GPU (the default where there is one)")
        ->excludes(cpu);
    add_whole_option(app, "--threads", options.threads, 1, kMostThreads,
                     "CPU threads (default: one for each core)");
    CLI::Option* const reference =
        app.add_flag("--reference", options.wants_reference,
                     "Race against cuBLAS or OpenBLAS, where it is installed (the default)");
    app.add_flag("--no-reference", options.no_reference, "Race without cuBLAS and OpenBLAS")
        ->excludes(reference);
}

Result<PlannedRace> plan_race(const RaceOptions& options) {
    PlannedRace plan;
    RaceRequest& request = plan.request;
    for (const std::string& name : options.kernels)
        TRY(add_named(name, options, request.contenders));
    std::vector<OwnKernel> own = TRY(own_kernels(options, plan));
    const auto device = TRY(device_of(options, request.contenders));
    if (device == RaceOn::kGpu && options.threads) return threads_of_gpu();
    const bool has_own = !own.empty(), of_products = !has_work(own);
    auto runner = of_products ? runner_on(device, options, std::move(own), plan.note)
                              : work_runner(options, std::move(own), request);
    if (!runner && has_own && of_products)
        return failed(runner.error().message +
                      "; without a GPU 'tilereel estimate' takes the file, too");
    if (!runner) return runner.error();
    plan.runner = *std::move(runner);
    const std::atomic<bool> never = false;  // Ctrl+C ends the program until the race begins
    const RaceMachine machine = plan.runner->machine(never);
    const bool gpu = machine.gpu;
    if (gpu && options.threads) return threads_of_gpu();
    TRY(check_variants(options, gpu));
    if (of_products) request.sizes = options.sizes.empty() ? usual_sizes(gpu) : options.sizes;
    if (options.kernels.empty())
        request.contenders = whole_ladder(options, request.sizes, gpu, plan.note);
    if (of_products && !options.no_reference && !options.only_named)
        add_references(gpu, machine, plan);
    request.repeats = options.repeats.value_or(request.repeats);
    if (options.seconds) request.enough_ms = *options.seconds * 1000.0;
    request.seed = options.seed.value_or(request.seed);
    request.caches = options.warm ? Caches::kWarm : Caches::kCold;
    TRY(check_request(request));
    return plan;
}

}  // namespace tilereel
