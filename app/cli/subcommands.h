#pragma once
// The subcommands: each adds its options to a CLI::App and, once parsed, turns them into the text
// to print.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/explain_pattern.h"
#include "app/cli/film_files.h"
#include "app/cli/options.h"
#include "app/cli/picture_options.h"
#include "app/cli/program_options.h"
#include "app/cli/race_command.h"
#include "app/workbench/race_action.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct KernelsCommand {
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// What the documents say about a kernel, and what a launch of it shows of that.
struct FactsCommand {
    Subject subject;
    const Generation* generation = &default_generation();
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

struct OccupancyCommand {
    std::string kernel;
    KernelOptions options;  // m, n, k, tile and pad
    std::optional<int> threads, registers, shared;
    const Generation* generation = &default_generation();
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

struct TraceCommand {
    std::string kernel, output;
    KernelOptions options;
    ProgramOptions program;
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// Reads a trace file: fails if it is damaged, and says what is in it.
struct CheckCommand {
    std::string file;
    std::optional<std::uint64_t> memory_limit_bytes;
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

struct ReportCommand {
    Subject subject;
    ProgramOptions program;
    const Generation* generation = &default_generation();
    bool json = false, csv = false;
    bool phases = false;  // the phase table of one block instead of the counts
    std::uint32_t block_x = 0, block_y = 0;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;

  private:
    [[nodiscard]] Result<std::string> run_phases(const Trace& trace) const;
};
[[nodiscard]] nlohmann::ordered_json report_object(const Trace& trace,
                                                   const Generation& generation);
[[nodiscard]] std::string report_json(const Trace& trace, const Generation& generation);
// `searched_failing_order`: other orders of the threads were tried, to find one that makes C wrong.
[[nodiscard]] std::string report_text(const Trace& trace, const Generation& generation,
                                      bool searched_failing_order = false);

// Runs a CUDA program without a GPU: what it prints, and how it ends.
struct RunCommand {
    std::string file;
    ProgramOptions program;
    const Generation* generation = &default_generation();
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// Checks a lesson, prints what it says, or writes it as a picture or a film. Without any of these
// it opens in the window, which is not this command's part.
struct LessonCommand {
    std::string file;
    std::optional<int> scene;  // that the window opens at, or that is written; from 1 on
    bool check = false, script_wanted = false, json = false;
    std::string png;
    FilmFiles films;
    std::optional<int> words_a_minute;
    PictureOptions picture;
    [[nodiscard]] Result<std::filesystem::path> found() const;
    [[nodiscard]] bool writes() const { return !png.empty() || films.any(); }
    [[nodiscard]] bool opens_window() const {
        return !file.empty() && !check && !script_wanted && !writes() && !words_a_minute;
    }
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;

  private:
    [[nodiscard]] Status write(const std::filesystem::path& lesson) const;
};

struct ExplainCommand {
    std::string csv;  // a path, "-" for standard input
    std::string space = "shared", operation = "load", lanes;
    std::optional<int> width_bytes;
    PatternOptions pattern;
    const Generation* generation = &default_generation();
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// `race` with a picture of it.
struct RacePictureCommand {
    RaceCommand race;
    std::string png, svg, pdf;
    FilmFiles films;
    std::optional<RaceTab> plot;
    bool linear = false;
    PictureOptions picture;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

struct ExportCommand {
    Subject subject;
    ProgramOptions program;
    std::string png, svg, pdf, html, perfetto, csv, compare;
    FilmFiles films;
    std::optional<double> until;  // tick at which a film ends
    PictureOptions picture;
    const Generation* generation = &default_generation();
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

}  // namespace tilereel
