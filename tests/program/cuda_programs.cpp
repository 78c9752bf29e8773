#include "tests/program/cuda_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel::program {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void add_options(const std::filesystem::path& file, ProgramRequest& request) {
    const std::string text = text_of(file);
    const std::size_t begin = text.find("// test: ");
    if (begin == std::string::npos) return;
    std::istringstream words(text.substr(begin + 9, text.find('\n', begin) - begin - 9));
    const std::filesystem::path folder = file.parent_path();
    for (std::string option, value; words >> option >> value;) {
        if (option == "--with") request.more_files.push_back(folder / value);
        if (option == "-I") request.include_folders.push_back(folder / value);
        if (option == "-D") request.defines.push_back(value);
        if (option == "--std") request.standard = value;
        if (option == "--generation") request.generation = value;
        if (option == "--blocks") request.blocks = {static_cast<std::uint32_t>(std::stoul(value))};
        if (option == "--seconds") request.limits.seconds = std::stod(value);
    }
}

}  // namespace

std::vector<NamedRequest> programs_in(const std::filesystem::path& folder, bool all) {
    std::vector<NamedRequest> programs;
    std::set<std::filesystem::path> more_files;  // that another program lists with --with
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".cu") continue;
        NamedRequest program{entry.path().lexically_relative(folder).string(), {}};
        program.request.file = entry.path();
        program.request.limits.seconds = 20;
        add_options(entry.path(), program.request);
        more_files.insert(program.request.more_files.begin(), program.request.more_files.end());
        programs.push_back(std::move(program));
    }
    // "needs: thrust/version.h": a library that not every machine has.
    std::erase_if(programs, [all](const NamedRequest& program) {
        if (all) return false;
        const std::string text = text_of(program.request.file);
        const std::size_t begin = text.find("// needs: ");
        if (begin == std::string::npos) return false;
        const std::string header = text.substr(begin + 10, text.find('\n', begin) - begin - 10);
        return !std::filesystem::exists(std::filesystem::path("/usr/include") / header);
    });
    std::erase_if(programs, [&](const NamedRequest& program) {
        return more_files.contains(program.request.file);
    });
    std::ranges::sort(programs, {}, &NamedRequest::name);
    return programs;
}

void run_all(const std::vector<NamedRequest>& programs,
             const std::function<void(const NamedRequest&, const Result<ProgramRun>&)>& take) {
    std::atomic<std::size_t> next = 0;
    std::mutex taking;
    const auto work = [&] {
        for (std::size_t i; (i = next++) < programs.size();) {
            const Result<ProgramRun> run = run_program(programs[i].request);
            const std::lock_guard lock(taking);
            take(programs[i], run);
        }
    };
    const std::jthread helper(work);
    work();
}

std::string text_of(const ProgramRun& run) {
    std::string words = run.output.substr(0, 2000);
    for (const CompileError& error : run.compile_errors)
        words += error.file + ":" + std::to_string(error.line) + ": " + error.message + "\n";
    for (const LaunchSummary& launch : run.launches)
        for (const RecordedFinding& finding : launch.findings)
            words += "FINDING: " + finding.what + " " + finding.advice + "\n";
    for (const RecordedFinding& finding : run.findings)
        words += "FINDING: " + finding.what + " " + finding.advice + "\n";
    return words + run.end_sentence;
}

std::string expectation(const std::filesystem::path& file, const std::string& of) {
    const std::string text = text_of(file), mark = "// " + of + ": ";
    if (text.find(mark) == std::string::npos) return {};
    const std::size_t begin = text.find(mark) + mark.size();
    return text.substr(begin, text.find('\n', begin) - begin);
}

std::string end_of(const ProgramRun& run) {
    if (!run.compile_errors.empty()) return "not compiled";
    switch (run.end) {
        case ProgramEnd::kExit:
            return "exit " + std::to_string(run.exit_code);
        case ProgramEnd::kSignal:
            return "signal " + std::to_string(run.exit_code);
        case ProgramEnd::kTimeLimit:
            return "time";
        case ProgramEnd::kLimit:
            return "limit";
        default:
            return "another end";
    }
}

std::string reported_text(const ProgramRun& run) {
    std::string words = text_of(run);
    for (const LaunchSummary& launch : run.launches) {
        words += "\n" + launch.reason;
        if (launch.trace.empty()) continue;
        const Result<Trace> trace = read_trace(launch.trace);
        EXPECT_TRUE(trace) << launch.kernel << ": " << trace.error().message;
        if (!trace) continue;
        for (const Finding& finding : find_hazards(*trace))
            words += "\n" + sentence_of(*trace, finding);
    }
    return words;
}

}  // namespace tilereel::program
