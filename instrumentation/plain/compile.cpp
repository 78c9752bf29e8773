#include "instrumentation/plain/compile.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <thread>

#include "instrumentation/plain/assembly.h"
#include "instrumentation/plain/compile_errors.h"
#include "instrumentation/plain/launch_line.h"
#include "instrumentation/plain/launch_text.h"
#include "instrumentation/plain/process.h"
#include "instrumentation/plain/program_facts.h"
#include "instrumentation/plain/text_file.h"
#include "instrumentation/plain/unsupported.h"

namespace tilereel::plain {
namespace {

// Writes the rewritten files of the program and its headers into a folder that mirrors their real
// paths.
class Mirror {
  public:
    Mirror(std::filesystem::path folder, const ProgramRequest& request)
        : folder_(std::move(folder)), request_(request) {}

    std::filesystem::path add(const std::filesystem::path& file) {
        const std::filesystem::path real = std::filesystem::weakly_canonical(file);
        const std::filesystem::path mirrored = folder_ / real.relative_path();
        if (!seen_.insert(real).second) return mirrored;
        const std::string text = read_text(real), masked = masked_text(text);
        for (UnsupportedFeature& call : find_unsupported(text, masked))
            unsupported_.push_back({real.string(), call.line, 0, std::move(call.message)});
        openmp_ = openmp_ || masked.find("#pragma omp") != std::string::npos ||
                  text.find("#include <omp.h>") != std::string::npos;
        has_main_ = has_main_ || has_main(masked);
        for (DeviceFunction& function : find_device_functions(masked))
            functions_.push_back(std::move(function));
        for (LaunchLine& line : find_launch_lines(comments_of(text), real.string()))
            launch_lines_.push_back(std::move(line));
        const std::string rewritten = rewrite_launches(text);
        // A file without changes is written, too: g++ looks for its includes beside it.
        std::error_code error;
        std::filesystem::create_directories(mirrored.parent_path(), error);
        std::ofstream(mirrored, std::ios::binary) << "#line 1 \"" << real.string() << "\"\n"
                                                  << rewritten;
        folders_.insert(real.parent_path());
        add_included(text, real.parent_path());
        return mirrored;
    }
    // The include folders: the mirrored ones before the real ones.
    [[nodiscard]] std::vector<std::string> flags() const {
        std::vector<std::string> result;
        for (const std::filesystem::path& folder : request_.include_folders) {
            const std::filesystem::path real = std::filesystem::weakly_canonical(folder);
            result.push_back("-I" + (folder_ / real.relative_path()).string());
            result.push_back("-I" + real.string());
        }
        for (const std::filesystem::path& folder : folders_) {
            result.insert(result.end(), {"-iquote", (folder_ / folder.relative_path()).string()});
            result.insert(result.end(), {"-iquote", folder.string()});
            result.push_back("-I" + folder.string());
        }
        return result;
    }
    [[nodiscard]] const std::vector<CompileError>& unsupported() const { return unsupported_; }
    [[nodiscard]] bool uses_openmp() const { return openmp_; }
    [[nodiscard]] bool has_own_main() const { return has_main_; }
    [[nodiscard]] const std::vector<DeviceFunction>& functions() const { return functions_; }
    // The launch lines of the command, or else those in the files' comments.
    [[nodiscard]] std::vector<LaunchLine> launch_lines() const {
        if (request_.launch_lines.empty()) return launch_lines_;
        std::vector<LaunchLine> lines;
        for (const std::string& line : request_.launch_lines)
            lines.push_back({line, 0, std::filesystem::weakly_canonical(request_.file).string()});
        return lines;
    }

  private:
    void add_included(const std::string& text, const std::filesystem::path& from) {
        static const std::regex include(
            R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">])re");
        for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) {
            const std::filesystem::path name = (*it)[1].str();
            std::vector<std::filesystem::path> places = {from};
            places.insert(places.end(), request_.include_folders.begin(),
                          request_.include_folders.end());
            for (const std::filesystem::path& place : places) {
                std::error_code error;
                if (!std::filesystem::is_regular_file(place / name, error)) continue;
                add(place / name);
                break;
            }
        }
    }

    std::filesystem::path folder_;
    const ProgramRequest& request_;
    std::set<std::filesystem::path> seen_, folders_;
    std::vector<CompileError> unsupported_;
    bool openmp_ = false, has_main_ = false;
    std::vector<DeviceFunction> functions_;
    std::vector<LaunchLine> launch_lines_;
};

// Whether the file is compiled as host code: it is C++ by its extension and has no device code.
bool is_host_file(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (ending != ".cpp" && ending != ".cc" && ending != ".cxx") return false;
    const std::string text = masked_text(read_text(file));
    return text.find("__global__") == std::string::npos &&
           text.find("__device__") == std::string::npos && text.find("<<<") == std::string::npos;
}

struct Unit {
    std::filesystem::path source, object;
    bool host = false;
    Result<ProcessResult> result = failed("not run");
};

Result<ProcessResult> run_tool(std::vector<std::string> command,
                               const std::filesystem::path& folder,
                               const std::atomic<bool>* cancel) {
    ProcessRequest request;
    request.command = std::move(command);
    request.folder = folder;
    request.seconds = 300;
    request.cancel = cancel;
    return run_process(request);
}

// Without the plugin, device code is compiled to assembly, which mark_assembly() changes before it
// is assembled.
Result<ProcessResult> compile_unit(const Unit& unit, std::vector<std::string> command,
                                   const Toolchain& tools, const std::filesystem::path& folder,
                                   const std::atomic<bool>* cancel) {
    const bool marks = !tools.has_plugin && !unit.host;
    std::filesystem::path assembly = unit.object;
    assembly.replace_extension(".s");
    command.insert(command.end(), {"-x", "c++", marks ? "-S" : "-c", unit.source.string(), "-o",
                                   (marks ? assembly : unit.object).string()});
    Result<ProcessResult> compiled = run_tool(std::move(command), folder, cancel);
    if (!marks || !compiled || !compiled->succeeded()) return compiled;
    const std::string marked = mark_assembly(read_text(assembly));
    if (const Status written = write_text(assembly, marked); !written) return written.error();
    return run_tool({tools.compiler, "-c", assembly.string(), "-o", unit.object.string()}, folder,
                    cancel);
}

// "9.0" -> "900", as __CUDA_ARCH__ has it.
std::string architecture(const std::string& generation) {
    std::string digits = generation;
    std::erase(digits, '.');
    return digits + "0";
}

// Appends a main() to the first file if the program has none or the command gives launch lines.
// Returns the errors.
std::vector<CompileError> add_main(const Mirror& mirror, const ProgramRequest& request,
                                   const std::filesystem::path& source) {
    if (mirror.has_own_main() && request.launch_lines.empty()) return {};
    const std::vector<LaunchLine> lines = mirror.launch_lines();
    const std::string file = std::filesystem::weakly_canonical(request.file).string();
    if (lines.empty()) return {{file, 0, 0, no_main_sentence(mirror.functions())}};
    const MadeMain made = make_main(lines, mirror.functions());
    std::vector<CompileError> errors;
    for (const LaunchLineError& error : made.errors)
        errors.push_back({error.file, error.line, 0, error.message});
    std::ofstream(source, std::ios::binary | std::ios::app) << made.text;
    return errors;
}

}  // namespace

Result<Compiled> compile_program(const ProgramRequest& request, const Toolchain& tools,
                                 const std::filesystem::path& folder,
                                 const std::atomic<bool>* cancel) {
    Mirror mirror(folder / "source", request);
    std::vector<Unit> units;
    const auto add_unit = [&](const std::filesystem::path& file) {
        units.push_back({.source = mirror.add(file),
                         .object = folder / (std::to_string(units.size()) + ".o"),
                         .host = is_host_file(file)});
    };
    add_unit(request.file);
    for (const std::filesystem::path& file : request.more_files) add_unit(file);
    Compiled compiled;
    compiled.errors = add_main(mirror, request, units[0].source);
    if (!compiled.errors.empty() && !request.launch_lines.empty())
        return wrong_call("--call: " + compiled.errors[0].message);
    if (!compiled.errors.empty()) return compiled;
    std::vector<std::string> flags = {"-w", "-fpermissive", "-fdiagnostics-color=never",
                                      "-D__TILEREEL_ARCH__=" + architecture(request.generation)};
    if (mirror.uses_openmp()) flags.push_back("-fopenmp");
    if (!request.keeps_assignments && tools.has_plugin)
        flags.push_back("-fplugin-arg-plugin-sums-only");
    if (!request.launch_lines.empty()) flags.push_back("-Dmain=tilereel_main_of_the_file");
    for (const std::string& define : request.defines) flags.push_back("-D" + define);
    for (const std::string& flag : mirror.flags()) flags.push_back(flag);
    std::vector<std::jthread> helpers;
    for (Unit& unit : units)
        helpers.emplace_back([&] {
            std::vector<std::string> command = {tools.compiler};
            for (const std::vector<std::string>& part :
                 {unit.host ? tools.host_flags(request.standard) : tools.flags(request.standard),
                  flags})
                command.insert(command.end(), part.begin(), part.end());
            unit.result = compile_unit(unit, std::move(command), tools, folder, cancel);
        });
    helpers.clear();
    for (const Unit& unit : units) {
        if (!unit.result) return unit.result.error();
        compiled.compiler_output += without_our_headers(unit.result->output, tools.folder.string());
        if (unit.result->succeeded()) continue;
        const std::vector<CompileError> errors =
            errors_in(unit.result->output, tools.folder.string());
        compiled.errors.insert(compiled.errors.end(), errors.begin(), errors.end());
        if (errors.empty())
            compiled.errors.push_back({request.file.string(), 0, 0, unit.result->output});
    }
    if (!compiled.errors.empty()) {
        // An unsupported feature explains more than the compiler errors that follow from it.
        compiled.errors.insert(compiled.errors.begin(), mirror.unsupported().begin(),
                               mirror.unsupported().end());
        remove_repeated(compiled.errors);
        return compiled;
    }
    std::vector<std::string> objects;
    for (const Unit& unit : units) objects.push_back(unit.object.string());
    std::vector<std::string> link =
        tools.link_command(folder / "program", objects, request.hands_trace_over);
    if (mirror.uses_openmp()) link.push_back("-fopenmp");
    const Result<ProcessResult> linked = run_tool(std::move(link), folder, cancel);
    if (!linked) return linked.error();
    compiled.compiler_output += linked->output;
    if (!linked->succeeded()) {
        compiled.errors = mirror.unsupported();
        for (CompileError& error : link_errors(linked->output, request.file.string()))
            compiled.errors.push_back(std::move(error));
        remove_repeated(compiled.errors);
        return compiled;
    }
    compiled.program = folder / "program";
    if (!tools.has_plugin)
        if (const Status written = write_program_facts(compiled.program, tools.folder.string(),
                                                       folder / kProgramFacts);
            !written)
            return written.error();
    return compiled;
}

}  // namespace tilereel::plain
