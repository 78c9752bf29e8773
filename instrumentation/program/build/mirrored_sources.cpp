#include "instrumentation/program/build/mirrored_sources.h"

#include <algorithm>

#include "instrumentation/base/files/file_ending.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/brackets.h"
#include "instrumentation/cuda/text/includes.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/text_words.h"
#include "instrumentation/cuda/text/unsupported.h"
#include "instrumentation/program/build/cuda_code.h"
#include "instrumentation/program/build/special_functions.h"
#include "instrumentation/program/stranger.h"

namespace tilereel::program {
namespace {

constexpr std::uint64_t kMostProgramBytes = std::uint64_t{256} << 20;

}  // namespace

std::filesystem::path real_path(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::path real = std::filesystem::weakly_canonical(file, error);
    return error ? file : real;
}

Result<std::filesystem::path> MirroredSources::add(const std::filesystem::path& file) {
    const std::filesystem::path real = real_path(file);
    if (seen_.insert(real).second) waiting_.push_back({real, {}, 0});
    while (!waiting_.empty()) {
        const Included next = std::move(waiting_.back());
        waiting_.pop_back();
        if (next.line != 0 && request_.in_sandbox && !is_within(next.file, readable_of(request_))) {
            refused_.push_back({next.from.string(), next.line, 0,
                                std::string(kIncludesInSandbox) +
                                    "headers of the system and files of its own folder, if that "
                                    "is not the home folder; with --trust, of all folders"});
            continue;
        }
        const Result<std::string> text = read_source(next.file);
        if (!text && next.line == 0) return text.error();
        if (!text)
            refused_.push_back({next.from.string(), next.line, 0, text.error().message});
        else
            TRY(add_text(next.file, *text));
    }
    return mirrored(real);
}

Status MirroredSources::write() {
    macros_.resolve();
    for (Read& file : std::exchange(read_, {})) TRY(write_file(file.path, file.text));
    return Done{};
}

std::vector<std::string> MirroredSources::flags() const {
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

std::vector<CompileError> MirroredSources::explanations(
    const std::vector<CompileError>& errors) const {
    std::vector<CompileError> found;
    for (const auto& [explanation, header] : unsupported_)
        if (header.empty() || std::ranges::any_of(errors, [&](const CompileError& error) {
                return error.message.starts_with(header + ": No such file");
            }))
            found.push_back(explanation);
    return found;
}

bool MirroredSources::is_host_file(const std::filesystem::path& path) const {
    const std::string ending = ending_of(path);
    return (ending == ".cpp" || ending == ".cc" || ending == ".cxx") &&
           !with_device_code_.contains(real_path(path));
}

bool MirroredSources::is_c_file(const std::filesystem::path& path) const {
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

std::vector<std::filesystem::path> MirroredSources::folders() const {
    return {folders_.begin(), folders_.end()};
}

std::string MirroredSources::in_lines(std::string output) const {
    for (const std::filesystem::path& file : seen_)
        if (file.native().find('\n') != std::string::npos)
            replace_all(output, file.string(), one_line(file));
    return output;
}

void MirroredSources::set_real_names(std::vector<CompileError>& errors) const {
    for (const std::filesystem::path& file : seen_)
        if (file.native().find('\n') != std::string::npos)
            for (CompileError& error : errors)
                if (error.file == one_line(file)) error.file = file.string();
}

std::vector<LaunchLine> MirroredSources::launch_lines() const {
    if (request_.launch_lines.empty()) return launch_lines_;
    std::vector<LaunchLine> lines;
    for (const std::string& line : request_.launch_lines)
        lines.push_back({line, 0, real_path(request_.file).string()});
    return lines;
}

std::filesystem::path MirroredSources::mirrored(const std::filesystem::path& real) const {
    return folder_ / real.relative_path();
}

std::string MirroredSources::one_line(const std::filesystem::path& file) {
    std::string name = file.string();
    replace_all(name, "\n", "\\n");
    return name;
}

void MirroredSources::replace_all(std::string& text, std::string_view from, std::string_view to) {
    std::string out;
    std::size_t kept = 0;
    for (std::size_t at; (at = text.find(from, kept)) != std::string::npos; kept = at + from.size())
        out.append(text, kept, at - kept).append(to);
    text = out.append(text, kept);
}

Status MirroredSources::add_text(const std::filesystem::path& real, const std::string& text) {
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
    special_functions_ = special_functions_ || names_special_function(masked);
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
Status MirroredSources::write_file(const std::filesystem::path& real, const std::string& text) {
    const std::string masked = masked_text(text);
    for (UnsupportedFeature& call : find_unsupported(text, masked))
        unsupported_.push_back(
            {{real.string(), call.line, 0, std::move(call.message)}, std::move(call.header)});
    for (DeviceFunction& function : find_device_functions(masked, macros_))
        functions_.push_back(std::move(function));
    std::error_code error;
    std::filesystem::create_directories(mirrored(real).parent_path(), error);
    return write_text(mirrored(real),
                      line_directive(1, real.string()) + rewrite_launches(text, macros_));
}

void MirroredSources::add_included(const std::string& text, const std::string& masked,
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

}  // namespace tilereel::program
