#include "app/cli/options/program_options.h"

#include <limits>

#include "app/cli/options/checked_option.h"
#include "app/cli/typed_numbers.h"
#include "app/subject/program_launch.h"
#include "app/subject/trust.h"
#include "instrumentation/program/program.h"

namespace tilereel {

void add_program_options(CLI::App& app, ProgramOptions& options) {
    constexpr const char* kGroup = "Of a CUDA program";
    add_whole_option(app, "--launch", options.launch, 0, std::numeric_limits<int>::max(),
                     "Only this launch, counted from 0; the program stops after it")
        ->group(kGroup);
    app.add_flag("--all-blocks", options.all_blocks,
                 "Run all blocks of a launch, even if those that are not recorded take longer than "
                 "20 seconds")
        ->group(kGroup);
    app.add_option("--blocks", options.blocks, "Record these blocks, by number")
        ->delimiter(',')
        ->check([](const std::string& text) -> std::string {
            const std::optional<std::int64_t> number = parse_whole(text);
            const bool fits = number && *number >= 0 && *number < 0x7fffffff;
            return fits ? "" : "takes whole numbers with commas between them, not '" + text + "'";
        })
        ->type_name("NUMBERS")
        ->group(kGroup);
    add_whole_option(app, "--accesses", options.accesses, 1,
                     std::numeric_limits<std::int64_t>::max(),
                     "Most accesses to record of a launch (default 16,777,216; if it has more, "
                     "4,194,304)")
        ->group(kGroup);
    add_whole_option(app, "--seconds", options.seconds, 1, 86'400,
                     "Stop the program after so many seconds without progress (default 60)")
        ->group(kGroup);
    add_checked_option(
        app, "--product",
        [&options](const std::string& text) {
            const Result<NamedProduct> product = parse_product(text);
            if (!product) return std::string("the names of three arrays, A,B,C, or A,B,C,M,N,K");
            options.product = *product;
            return std::string();
        },
        "Show the arrays A,B,C as the product C = A B where it is not recognised; A,B,C,M,N,K "
        "where the arrays do not tell the sizes; ^T after a name: column-major",
        "A,B,C[,M,N,K]")
        ->group(kGroup);
    app.add_option("-I,--include", options.include_folders, "Folder to look for headers in")
        ->type_name("FOLDER")
        ->allow_extra_args(false)
        ->group(kGroup);
    app.add_option("-D,--define", options.defines, "Macro, NAME or NAME=VALUE")
        ->type_name("MACRO")
        ->allow_extra_args(false)
        ->group(kGroup);
    app.add_option("--with", options.more_files, "Another source file of the program")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->group(kGroup);
    app.add_option("--call", options.launch_lines,
                   "Launch a kernel in this way instead of running main(): 'NAME<...> grid=4x4 "
                   "block=256 n=100 "
                   "x[100]=random', with each parameter by name. Content: zeros, ones, index, "
                   "random, identity, or an expression of i, row and col")
        ->type_name("LAUNCH")
        ->allow_extra_args(false)
        ->group(kGroup);
    app.add_option("--std", options.standard, "C++ standard (default c++17)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"c++14", "c++17", "c++20"}))
        ->group(kGroup);
    app.add_flag_callback(
           "--trust",
           [&options] {
               options.trusted = true;
               trust_all_programs();
           },
           "Run it with your rights instead of in a sandbox: for your own work that reads or "
           "writes other files, or needs the network")
        ->group(kGroup);
    app.add_option("ARGUMENTS", options.arguments, "Arguments of the program itself, after --")
        ->type_name("");
}

ProgramOptions on_device(const ProgramOptions& options, const std::optional<Recorder>& device) {
    ProgramOptions result = options;
    result.on_gpu =
        device == Recorder::kGpu || (device == Recorder::kAuto && program::can_record_on_gpu());
    return result;
}

Status check_no_program_options(const std::string& subject, const ProgramOptions& options) {
    if (!options.arguments.empty())
        return wrong_call("'" + options.arguments[0] + "' is one argument too many: only a CUDA " +
                          "file has arguments of its own");
    const bool any = options.all_blocks || options.trusted || options.launch || options.standard ||
                     options.accesses || options.seconds || !options.blocks.empty() ||
                     !options.include_folders.empty() || !options.defines.empty() ||
                     !options.more_files.empty() || !options.launch_lines.empty() ||
                     options.product;
    if (any)
        return wrong_call("'" + subject + "' is no CUDA file: leave out the options of a program");
    return Done{};
}

ProgramParts parts_of(const ProgramOptions& options) {
    return {.more_files = {options.more_files.begin(), options.more_files.end()},
            .include_folders = {options.include_folders.begin(), options.include_folders.end()}};
}

Subject subject_of_program(const std::string& file, const ProgramOptions& options,
                           std::string generation) {
    ProgramParts parts = parts_of(options);
    return {.file = file,
            .arguments = options.arguments,
            .defines = options.defines,
            .include_folders = std::move(parts.include_folders),
            .more_files = std::move(parts.more_files),
            .launch_lines = options.launch_lines,
            .standard = options.standard.value_or(""),
            .launch = static_cast<std::uint32_t>(options.launch.value_or(0)),
            .generation = std::move(generation)};
}

program::ProgramRequest request_of_program(const std::string& file, const ProgramOptions& options,
                                           std::string generation) {
    program::ProgramRequest request =
        program_request(subject_of_program(file, options, std::move(generation)));
    request.on_gpu = options.on_gpu;
    choose_sandbox(request);
    if (options.launch) request.launch = static_cast<std::uint32_t>(*options.launch);
    request.blocks = options.blocks;
    request.all_blocks = options.all_blocks;
    if (options.accesses) {
        request.limits.accesses_a_launch = request.limits.accesses_of_sample = *options.accesses;
        request.limits.accesses =
            std::max(request.limits.accesses, request.limits.accesses_a_launch);
    }
    if (options.seconds) request.limits.seconds = *options.seconds;
    return request;
}

}  // namespace tilereel
