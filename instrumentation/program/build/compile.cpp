#include "instrumentation/program/build/compile.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>

#include "instrumentation/cuda/text/host_functions.h"
#include "instrumentation/cuda/text/launch_line_text.h"
#include "instrumentation/program/build/compile_errors.h"
#include "instrumentation/program/build/mirrored_sources.h"
#include "instrumentation/program/build/missing_definitions.h"
#include "instrumentation/program/build/own_c_functions.h"
#include "instrumentation/program/process.h"
#include "instrumentation/program/stranger.h"

namespace tilereel::program {
namespace {

enum class Language { kCuda, kHostCpp, kC };

struct Unit {
    std::filesystem::path source, object;
    Language language = Language::kCuda;
    Result<ProcessResult> result = failed("not run");
};

// What nvcc takes in device code, or with the compiler of another system, and g++ only with
// -fpermissive. With that flag alone g++ would take much that nvcc refuses, too: a lost const, or
// `return` without a semicolon before the next statement of a function that returns nothing.
bool is_tolerated(const CompileError& error) {
    constexpr std::array<std::string_view, 5> kTolerated = {
        "ordered comparison of pointer with integer zero",
        "there are no arguments to ",
        "extra qualification ",
        "taking address of rvalue",
        "specialization of ",  // in another namespace
    };
    return std::ranges::any_of(
        kTolerated, [&](std::string_view part) { return error.message.starts_with(part); });
}

// Where the tools of a program run, and who may cancel them.
struct Workplace {
    const std::filesystem::path& folder;
    std::optional<Sandbox> sandbox;
    double seconds = 0;  // limit of each tool
    const std::atomic<bool>* cancel = nullptr;
    std::string ours{};  // folder of our headers
};

Result<ProcessResult> run_tool(std::vector<std::string> command, const Workplace& at) {
    const std::filesystem::path& folder = at.folder;
    ProcessRequest request;
    request.command = std::move(command);
    request.folder = folder;
    request.variables = in_english();
    // What an interrupted tool leaves goes with the folder.
    request.variables.emplace_back("TMPDIR", folder.string());
    constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
    request.seconds = at.seconds;
    request.address_bytes = 8 * kGiB;
    request.file_bytes = 2 * kGiB;
    request.sandbox = at.sandbox;
    request.cancel = at.cancel;
    return run_process(request);
}

Result<ProcessResult> compile_unit(const Unit& unit, std::vector<std::string> command,
                                   const Workplace& at) {
    command.insert(command.end(), {"-x", unit.language == Language::kC ? "c" : "c++", "-c",
                                   unit.source.string(), "-o", unit.object.string()});
    Result<ProcessResult> first = run_tool(command, at);
    if (unit.language == Language::kC || !first || first->succeeded()) return first;
    const std::vector<CompileError> errors = errors_in(first->output, at.ours);
    if (errors.empty() || !std::ranges::all_of(errors, is_tolerated)) return first;
    command.emplace_back("-fpermissive");
    return run_tool(std::move(command), at);
}

// What the tools read in a sandbox: the program's files, our headers and our libraries.
std::optional<Sandbox> sandbox_of(const ProgramRequest& request, const Toolchain& tools,
                                  const std::filesystem::path& folder) {
    if (!request.in_sandbox) return std::nullopt;
    Sandbox sandbox{.readable = readable_of(request), .writable = {folder}};
    sandbox.readable.push_back(tools.folder);
    for (const std::string& library : tools.libraries) sandbox.readable.emplace_back(library);
    return sandbox;
}

// "9.0" -> "900", as __CUDA_ARCH__ has it.
std::string architecture(const std::string& generation) {
    std::string digits = generation;
    std::erase(digits, '.');
    return digits + "0";
}

std::vector<std::string> flags_of_all(const MirroredSources& mirror,
                                      const ProgramRequest& request) {
    // g++ looks for similar names at each error, which takes long.
    std::vector<std::string> flags = {"-w", "-fdiagnostics-color=never", "-fmax-errors=100",
                                      "-D__TILEREEL_ARCH__=" + architecture(request.generation)};
    if (mirror.uses_openmp()) flags.push_back("-fopenmp");
    if (!request.launch_lines.empty()) flags.push_back("-Dmain=tilereel_main_of_the_file");
    for (const std::string& define : request.defines) flags.push_back("-D" + define);
    for (const std::string& flag : mirror.flags()) flags.push_back(flag);
    return flags;
}
std::vector<std::string> flags_of_cpp(const ProgramRequest& request) {
    std::vector<std::string> flags;
    if (!request.keeps_assignments) flags.push_back("-fplugin-arg-plugin-sums-only");
    flags.insert(flags.end(), request.compiler_flags.begin(), request.compiler_flags.end());
    return flags;
}

bool is_object(const std::filesystem::path& file) { return file.extension() == ".o"; }

// Appends a main() to the first file if the program has none or the command gives launch lines.
// Returns the errors.
std::vector<CompileError> add_main(const MirroredSources& mirror, const ProgramRequest& request,
                                   const std::filesystem::path& source) {
    const bool has_main =
        mirror.has_own_main() || std::ranges::any_of(request.more_files, is_object);
    if (has_main && request.launch_lines.empty()) return {};
    const std::vector<LaunchLine> lines = mirror.launch_lines();
    const std::string file = real_path(request.file).string();
    if (lines.empty())
        return {{file, 0, 0, no_main_sentence(mirror.functions(), mirror.defined())}};
    const MadeMain made = make_main(lines, mirror.functions(), mirror.defined());
    std::vector<CompileError> errors;
    for (const LaunchLineError& error : made.errors)
        errors.push_back({error.file, error.line, 0, error.message});
    std::ofstream(source, std::ios::binary | std::ios::app) << made.text;
    return errors;
}

// Says which name of a launch line is not defined. A wrong call if the command gives the line.
Status explain_launch_lines(const MirroredSources& mirror, const ProgramRequest& request,
                            std::vector<CompileError>& errors) {
    const std::vector<LaunchLine> lines = mirror.launch_lines();
    for (CompileError& error : errors) {
        std::string sentence = undefined_in_launch_line(lines, mirror.functions(), mirror.defined(),
                                                        {error.line, error.file, error.message});
        if (sentence.empty()) continue;
        if (!request.launch_lines.empty()) return wrong_call("--call: " + sentence);
        error.message = std::move(sentence);
        error.column = 0;
    }
    return Done{};
}

}  // namespace

Result<Compiled> compile_program(const ProgramRequest& request, const Toolchain& tools,
                                 const std::filesystem::path& folder,
                                 const std::atomic<bool>* cancel, Made what) {
    MirroredSources mirror(folder / "source", request);
    std::vector<Unit> units;
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    std::vector<std::string> objects;
    for (const std::filesystem::path& file : files) {
        if (is_object(file)) {
            objects.push_back(file.string());
            continue;
        }
        const std::filesystem::path source = TRY(mirror.add(file));
        units.push_back({.source = source,
                         .object = folder / (std::to_string(units.size()) + ".o"),
                         .language = mirror.is_host_file(file) ? Language::kHostCpp
                                     : mirror.is_c_file(file)  ? Language::kC
                                                               : Language::kCuda});
    }
    TRY(mirror.write());
    Compiled compiled;
    compiled.errors = mirror.refused();
    if (!compiled.errors.empty()) return compiled;
    compiled.errors = add_main(mirror, request, units[0].source);
    if (!compiled.errors.empty() && !request.launch_lines.empty())
        return wrong_call("--call: " + compiled.errors[0].message);
    if (!compiled.errors.empty()) return compiled;
    const std::vector<std::string> flags = flags_of_all(mirror, request);
    const std::vector<std::string> cpp_flags = flags_of_cpp(request);
    const Workplace workplace{folder, sandbox_of(request, tools, folder),
                              request.limits.compile_seconds, cancel, tools.folder.string()};
    std::vector<std::jthread> helpers;
    for (Unit& unit : units)
        helpers.emplace_back([&] {
            std::vector<std::string> command = {tools.compiler};
            for (const std::vector<std::string>& part :
                 {unit.language == Language::kC         ? tools.c_flags()
                  : unit.language == Language::kHostCpp ? tools.host_flags(request.standard)
                                                        : tools.flags(request.standard),
                  unit.language == Language::kC ? std::vector<std::string>() : cpp_flags, flags})
                command.insert(command.end(), part.begin(), part.end());
            if (unit.language == Language::kCuda && mirror.uses_special_functions())
                command.insert(command.end(), {"-include", "tilereel/special_math.h"});
            unit.result = compile_unit(unit, std::move(command), workplace);
        });
    helpers.clear();
    for (const Unit& unit : units) {
        if (!unit.result) return unit.result.error();
        const std::string output = mirror.in_lines(unit.result->output);
        compiled.compiler_output += without_our_headers(output, tools.folder.string());
        if (unit.result->succeeded()) continue;
        std::vector<CompileError> errors = errors_in(output, tools.folder.string());
        mirror.set_real_names(errors);
        TRY(explain_launch_lines(mirror, request, errors));
        if (errors.empty())
            errors.push_back(failure_of_tool(*unit.result, "g++", request.file.string()));
        compiled.errors.insert(compiled.errors.end(), errors.begin(), errors.end());
    }
    if (!compiled.errors.empty()) {
        // An unsupported feature explains more than the compiler errors that follow from it.
        const std::vector<CompileError> explanations = mirror.explanations(compiled.errors);
        compiled.errors.insert(compiled.errors.begin(), explanations.begin(), explanations.end());
        remove_repeated(compiled.errors);
        return compiled;
    }
    std::vector<std::filesystem::path> own;
    for (const Unit& unit : units) own.push_back(unit.object);
    if (what == Made::kObject) {
        compiled.program = own.front();
        return compiled;
    }
    TRY(keep_own_c_functions(own, [&](std::vector<std::string> command) {
        return run_tool(std::move(command), workplace);
    }));
    for (const std::filesystem::path& object : own) objects.push_back(object.string());
    std::vector<std::string> link =
        tools.link_command(folder / "program", objects, request.hands_trace_over);
    if (mirror.uses_openmp()) link.push_back("-fopenmp");
    const ProcessResult linked = TRY(run_tool(std::move(link), workplace));
    compiled.compiler_output += linked.output;
    if (!linked.succeeded()) {
        compiled.errors = mirror.explanations({});
        std::vector<CompileError> missing = link_errors(linked.output, request.file.string());
        find_definitions(missing, request, mirror.folders());
        for (CompileError& error : missing) compiled.errors.push_back(std::move(error));
        if (compiled.errors.empty())
            compiled.errors.push_back(failure_of_tool(linked, "the linker", request.file.string()));
        remove_repeated(compiled.errors);
        return compiled;
    }
    compiled.program = folder / "program";
    return compiled;
}

}  // namespace tilereel::program
