#include "instrumentation/program/build/compile.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "instrumentation/base/files/file_ending.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/brackets.h"
#include "instrumentation/cuda/text/host_functions.h"
#include "instrumentation/cuda/text/includes.h"
#include "instrumentation/cuda/text/launch_line_text.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/specifier_macros.h"
#include "instrumentation/cuda/text/text_words.h"
#include "instrumentation/cuda/text/unsupported.h"
#include "instrumentation/program/build/compile_errors.h"
#include "instrumentation/program/build/cuda_code.h"
#include "instrumentation/program/build/missing_definitions.h"
#include "instrumentation/program/build/own_c_functions.h"
#include "instrumentation/program/process.h"

namespace tilereel::program {
namespace {

constexpr std::uint64_t kMostProgramBytes = std::uint64_t{256} << 20;

std::filesystem::path real_path(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::path real = std::filesystem::weakly_canonical(file, error);
    return error ? file : real;
}

// Writes the rewritten files of the program and its headers into a folder that mirrors their real
// paths.
class Mirror {
  public:
    Mirror(std::filesystem::path folder, const ProgramRequest& request)
        : folder_(std::move(folder)), request_(request) {
        for (const std::string& define : request.defines) macros_.add_option(define);
        for (const std::string& flag : request.compiler_flags)
            if (flag.starts_with("-D")) macros_.add_option(std::string_view(flag).substr(2));
    }

    // Adds a file of the program and all that it includes. Returns its rewritten file, which
    // write() makes.
    Result<std::filesystem::path> add(const std::filesystem::path& file) {
        const std::filesystem::path real = real_path(file);
        if (seen_.insert(real).second) waiting_.push_back({real, {}, 0});
        while (!waiting_.empty()) {
            const Included next = std::move(waiting_.back());
            waiting_.pop_back();
            const Result<std::string> text = read_source(next.file);
            if (!text && next.line == 0) return text.error();
            if (!text)
                refused_.push_back({next.from.string(), next.line, 0, text.error().message});
            else if (const Status added = add_text(next.file, *text); !added)
                return added.error();
        }
        return mirrored(real);
    }
    // Writes all files, once they have all been read: a header can define a macro that stands for
    // __device__.
    Status write() {
        macros_.resolve();
        for (Read& file : std::exchange(read_, {}))
            if (const Status written = write_file(file.path, file.text); !written) return written;
        return Done{};
    }
    // The include folders: the mirrored ones before the real ones.
    [[nodiscard]] std::vector<std::string> flags() const {
        std::vector<std::string> result;
        for (const std::filesystem::path& folder : request_.include_folders) {
            const std::filesystem::path real = real_path(folder);
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
    // Included files that are not read, such as pipes, and texts that g++ needs too long for. The
    // compiler must not read them either.
    [[nodiscard]] const std::vector<CompileError>& refused() const { return refused_; }
    // What explains the errors. A library that the compiler has found needs no explanation.
    [[nodiscard]] std::vector<CompileError> explanations(
        const std::vector<CompileError>& errors) const {
        std::vector<CompileError> found;
        for (const auto& [explanation, header] : unsupported_)
            if (header.empty() || std::ranges::any_of(errors, [&](const CompileError& error) {
                    return error.message.starts_with(header + ": No such file");
                }))
                found.push_back(explanation);
        return found;
    }
    // Whether the program's file at `path` is host code: it is C++ by its extension and has no
    // device code.
    [[nodiscard]] bool is_host_file(const std::filesystem::path& path) const {
        const std::string ending = ending_of(path);
        return (ending == ".cpp" || ending == ".cc" || ending == ".cxx") &&
               !with_device_code_.contains(real_path(path));
    }
    // Whether it is C. Our headers for CUDA are C++, so a file that includes them is compiled as
    // that.
    [[nodiscard]] bool is_c_file(const std::filesystem::path& path) const {
        if (path.extension() != ".c") return false;
        std::set<std::filesystem::path> reached = {real_path(path)};
        std::vector<std::filesystem::path> waiting(reached.begin(), reached.end());
        while (!waiting.empty()) {
            const std::filesystem::path file = std::move(waiting.back());
            waiting.pop_back();
            if (with_device_code_.contains(file) || with_cuda_headers_.contains(file)) return false;
            for (auto [at, end] = included_.equal_range(file); at != end; ++at)
                if (reached.insert(at->second).second) waiting.push_back(at->second);
        }
        return true;
    }
    [[nodiscard]] std::vector<std::filesystem::path> folders() const {
        return {folders_.begin(), folders_.end()};
    }
    // The compiler's output with the names of files in one line each. g++ writes a line end in a
    // name as it is.
    [[nodiscard]] std::string in_lines(std::string output) const {
        for (const std::filesystem::path& file : seen_)
            if (file.native().find('\n') != std::string::npos)
                replace_all(output, file.string(), one_line(file));
        return output;
    }
    // Gives the files of the errors in such an output their real names.
    void set_real_names(std::vector<CompileError>& errors) const {
        for (const std::filesystem::path& file : seen_)
            if (file.native().find('\n') != std::string::npos)
                for (CompileError& error : errors)
                    if (error.file == one_line(file)) error.file = file.string();
    }
    [[nodiscard]] bool uses_openmp() const { return openmp_; }
    [[nodiscard]] bool has_own_main() const { return has_main_; }
    [[nodiscard]] const std::vector<DeviceFunction>& functions() const { return functions_; }
    // Of host and device code.
    [[nodiscard]] const std::vector<DefinedFunction>& defined() const { return defined_; }
    // The launch lines of the command, or else those in the files' comments.
    [[nodiscard]] std::vector<LaunchLine> launch_lines() const {
        if (request_.launch_lines.empty()) return launch_lines_;
        std::vector<LaunchLine> lines;
        for (const std::string& line : request_.launch_lines)
            lines.push_back({line, 0, real_path(request_.file).string()});
        return lines;
    }

  private:
    struct Included {
        std::filesystem::path file, from;
        unsigned line = 0;  // in `from`; 0: a file of the command
    };
    [[nodiscard]] std::filesystem::path mirrored(const std::filesystem::path& real) const {
        return folder_ / real.relative_path();
    }
    static std::string one_line(const std::filesystem::path& file) {
        std::string name = file.string();
        replace_all(name, "\n", "\\n");
        return name;
    }
    static void replace_all(std::string& text, std::string_view from, std::string_view to) {
        std::string out;
        std::size_t kept = 0;
        for (std::size_t at; (at = text.find(from, kept)) != std::string::npos;
             kept = at + from.size())
            out.append(text, kept, at - kept).append(to);
        text = out.append(text, kept);
    }
    Status add_text(const std::filesystem::path& real, const std::string& text) {
        bytes_ += text.size();
        if (bytes_ > kMostProgramBytes)
            return failed("the program's files have more than " +
                          std::to_string(kMostProgramBytes >> 20) + " MiB; open a smaller program");
        const std::string masked = masked_text(text);
        if (const std::optional<DeepNesting> deep = find_deep_nesting(masked))
            refused_.push_back({real.string(), LineCounter(masked).line_of(deep->at), 0,
                                deep_nesting_sentence(*deep)});
        macros_.add_text(masked);
        openmp_ = openmp_ || masked.find("#pragma omp") != std::string::npos ||
                  text.find("#include <omp.h>") != std::string::npos;
        has_main_ = has_main_ || has_main(masked);
        if (has_device_words(masked)) with_device_code_.insert(real);
        for (DefinedFunction& function : find_defined_functions(masked))
            defined_.push_back(std::move(function));
        for (LaunchLine& line : find_launch_lines(comments_of(text), real.string()))
            launch_lines_.push_back(std::move(line));
        folders_.insert(real.parent_path());
        add_included(text, masked, real);
        read_.push_back({real, text});
        return Done{};
    }
    // A file without changes is written, too: g++ looks for its includes beside it.
    Status write_file(const std::filesystem::path& real, const std::string& text) {
        const std::string masked = masked_text(text);
        for (UnsupportedFeature& call : find_unsupported(text, masked, macros_))
            unsupported_.push_back(
                {{real.string(), call.line, 0, std::move(call.message)}, std::move(call.header)});
        for (DeviceFunction& function : find_device_functions(masked, macros_))
            functions_.push_back(std::move(function));
        std::error_code error;
        std::filesystem::create_directories(mirrored(real).parent_path(), error);
        return write_text(mirrored(real),
                          line_directive(1, real.string()) + rewrite_launches(text, macros_));
    }
    // The last include comes first off the list of those that wait.
    void add_included(const std::string& text, const std::string& masked,
                      const std::filesystem::path& from) {
        LineCounter lines(text);
        const std::size_t first = waiting_.size();
        for (const Include& include : find_includes(text, masked)) {
            if (is_cuda_header(include.name)) with_cuda_headers_.insert(from);
            std::vector<std::filesystem::path> places = {from.parent_path()};
            places.insert(places.end(), request_.include_folders.begin(),
                          request_.include_folders.end());
            for (const std::filesystem::path& place : places) {
                const std::filesystem::path file = place / include.name;
                std::error_code error;
                const auto type = std::filesystem::status(file, error).type();
                if (error || type == std::filesystem::file_type::not_found ||
                    type == std::filesystem::file_type::directory)
                    continue;
                const std::filesystem::path real = real_path(file);
                included_.emplace(from, real);
                if (seen_.insert(real).second)
                    waiting_.push_back({real, from, lines.line_of(include.at)});
                break;
            }
        }
        std::ranges::reverse(waiting_.begin() + static_cast<std::ptrdiff_t>(first), waiting_.end());
    }

    std::filesystem::path folder_;
    const ProgramRequest& request_;
    std::set<std::filesystem::path> seen_, folders_, with_device_code_, with_cuda_headers_;
    std::multimap<std::filesystem::path, std::filesystem::path> included_;  // by each file
    std::vector<Included> waiting_;
    struct Read {
        std::filesystem::path path;
        std::string text;
    };
    std::vector<Read> read_;
    SpecifierMacros macros_;
    std::uint64_t bytes_ = 0;
    std::vector<std::pair<CompileError, std::string>>
        unsupported_;  // and UnsupportedFeature::header
    std::vector<CompileError> refused_;
    bool openmp_ = false, has_main_ = false;
    std::vector<DeviceFunction> functions_;
    std::vector<DefinedFunction> defined_;
    std::vector<LaunchLine> launch_lines_;
};

enum class Language { kCuda, kHostCpp, kC };

struct Unit {
    std::filesystem::path source, object;
    Language language = Language::kCuda;
    Result<ProcessResult> result = failed("not run");
};

Result<ProcessResult> run_tool(std::vector<std::string> command,
                               const std::filesystem::path& folder,
                               const std::atomic<bool>* cancel) {
    ProcessRequest request;
    request.command = std::move(command);
    request.folder = folder;
    request.variables = in_english();
    // What an interrupted tool leaves goes with the folder.
    request.variables.emplace_back("TMPDIR", folder.string());
    constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
    request.seconds = 300;
    request.address_bytes = 8 * kGiB;
    request.file_bytes = 2 * kGiB;
    request.cancel = cancel;
    return run_process(request);
}

Result<ProcessResult> compile_unit(const Unit& unit, std::vector<std::string> command,
                                   const std::filesystem::path& folder,
                                   const std::atomic<bool>* cancel) {
    command.insert(command.end(), {"-x", unit.language == Language::kC ? "c" : "c++", "-c",
                                   unit.source.string(), "-o", unit.object.string()});
    return run_tool(std::move(command), folder, cancel);
}

// "9.0" -> "900", as __CUDA_ARCH__ has it.
std::string architecture(const std::string& generation) {
    std::string digits = generation;
    std::erase(digits, '.');
    return digits + "0";
}

std::vector<std::string> flags_of_all(const Mirror& mirror, const ProgramRequest& request) {
    std::vector<std::string> flags = {"-w", "-fdiagnostics-color=never",
                                      "-D__TILEREEL_ARCH__=" + architecture(request.generation)};
    if (mirror.uses_openmp()) flags.push_back("-fopenmp");
    if (!request.launch_lines.empty()) flags.push_back("-Dmain=tilereel_main_of_the_file");
    for (const std::string& define : request.defines) flags.push_back("-D" + define);
    for (const std::string& flag : mirror.flags()) flags.push_back(flag);
    return flags;
}
std::vector<std::string> flags_of_cpp(const ProgramRequest& request) {
    std::vector<std::string> flags = {"-fpermissive"};
    if (!request.keeps_assignments) flags.push_back("-fplugin-arg-plugin-sums-only");
    flags.insert(flags.end(), request.compiler_flags.begin(), request.compiler_flags.end());
    return flags;
}

// Appends a main() to the first file if the program has none or the command gives launch lines.
// Returns the errors.
std::vector<CompileError> add_main(const Mirror& mirror, const ProgramRequest& request,
                                   const std::filesystem::path& source) {
    if (mirror.has_own_main() && request.launch_lines.empty()) return {};
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
Status explain_launch_lines(const Mirror& mirror, const ProgramRequest& request,
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
                                 const std::atomic<bool>* cancel) {
    Mirror mirror(folder / "source", request);
    std::vector<Unit> units;
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    for (const std::filesystem::path& file : files) {
        const Result<std::filesystem::path> source = mirror.add(file);
        if (!source) return source.error();
        units.push_back({.source = *source,
                         .object = folder / (std::to_string(units.size()) + ".o"),
                         .language = mirror.is_host_file(file) ? Language::kHostCpp
                                     : mirror.is_c_file(file)  ? Language::kC
                                                               : Language::kCuda});
    }
    if (const Status written = mirror.write(); !written) return written.error();
    Compiled compiled;
    compiled.errors = mirror.refused();
    if (!compiled.errors.empty()) return compiled;
    compiled.errors = add_main(mirror, request, units[0].source);
    if (!compiled.errors.empty() && !request.launch_lines.empty())
        return wrong_call("--call: " + compiled.errors[0].message);
    if (!compiled.errors.empty()) return compiled;
    const std::vector<std::string> flags = flags_of_all(mirror, request);
    const std::vector<std::string> cpp_flags = flags_of_cpp(request);
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
            unit.result = compile_unit(unit, std::move(command), folder, cancel);
        });
    helpers.clear();
    for (const Unit& unit : units) {
        if (!unit.result) return unit.result.error();
        const std::string output = mirror.in_lines(unit.result->output);
        compiled.compiler_output += without_our_headers(output, tools.folder.string());
        if (unit.result->succeeded()) continue;
        std::vector<CompileError> errors = errors_in(output, tools.folder.string());
        mirror.set_real_names(errors);
        if (Status known = explain_launch_lines(mirror, request, errors); !known)
            return known.error();
        if (errors.empty())
            errors.push_back({request.file.string(), 0, 0, tool_failure(*unit.result, "g++")});
        compiled.errors.insert(compiled.errors.end(), errors.begin(), errors.end());
    }
    if (!compiled.errors.empty()) {
        // An unsupported feature explains more than the compiler errors that follow from it.
        const std::vector<CompileError> explanations = mirror.explanations(compiled.errors);
        compiled.errors.insert(compiled.errors.begin(), explanations.begin(), explanations.end());
        remove_repeated(compiled.errors);
        return compiled;
    }
    std::vector<std::string> objects;
    for (const Unit& unit : units) objects.push_back(unit.object.string());
    if (const Status kept = keep_own_c_functions({objects.begin(), objects.end()}, folder, cancel);
        !kept)
        return kept.error();
    std::vector<std::string> link =
        tools.link_command(folder / "program", objects, request.hands_trace_over);
    if (mirror.uses_openmp()) link.push_back("-fopenmp");
    const Result<ProcessResult> linked = run_tool(std::move(link), folder, cancel);
    if (!linked) return linked.error();
    compiled.compiler_output += linked->output;
    if (!linked->succeeded()) {
        compiled.errors = mirror.explanations({});
        std::vector<CompileError> missing = link_errors(linked->output, request.file.string());
        find_definitions(missing, request, mirror.folders());
        for (CompileError& error : missing) compiled.errors.push_back(std::move(error));
        if (compiled.errors.empty())
            compiled.errors.push_back(
                {request.file.string(), 0, 0, tool_failure(*linked, "the linker")});
        remove_repeated(compiled.errors);
        return compiled;
    }
    compiled.program = folder / "program";
    return compiled;
}

}  // namespace tilereel::program
