#pragma once
// The subcommands. Each adds its options to a CLI::App. run() returns the text to print.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "app/cli/commands/explain_pattern.h"
#include "app/cli/commands/race_command.h"
#include "app/cli/options/film_files.h"
#include "app/cli/options/options.h"
#include "app/cli/options/picture_options.h"
#include "app/cli/options/program_options.h"
#include "app/workbench/race/race_action.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct KernelsCommand {
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// Facts from the documents about a kernel, beside the values of a launch.
struct FactsCommand {
    NamedSubject subject;
    const Generation* generation = &default_generation();
    bool json = false;
    bool explains_choice = false;  // --why
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

// Writes a kernel of the ladder as a program of one's own.
struct NewCommand {
    std::string kernel, output;
    KernelOptions options;  // m, n, k, tile and pad
    bool force = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

struct GradeRequest;

// Grades a submission by what its launches do; without a file, lists the exercises that ship.
struct GradeCommand {
    std::string file, exercise, junit, gradescope;
    std::vector<std::string> requirements;
    std::optional<std::uint64_t> seed;
    std::optional<int> runs, seconds;
    bool trusted = false, json = false, all = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;

  private:
    [[nodiscard]] Result<GradeRequest> request() const;
};

// Opens an exercise in the window; without one, lists those that ship with the learner's progress.
// run() is not called if the window is to open (opens_window()).
struct ExerciseCommand {
    std::string exercise, file;
    [[nodiscard]] bool opens_window() const { return !exercise.empty(); }
    // kWrongCall if there is no such exercise.
    [[nodiscard]] Result<std::filesystem::path> find_exercise() const;
    // Absolute. Without a FILE: that of the last time or, at first, NAME.cu in the current folder.
    [[nodiscard]] std::filesystem::path copy_of(const std::filesystem::path& exercise) const;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

struct EstimatedLaunch;
struct TimeQuestion;
struct GpuModel;

// Estimates how long a launch takes on a GPU, and what limits it.
struct EstimateCommand {
    NamedSubject subject;
    ProgramOptions program;
    std::string sizes, gpu = "h100", tier;
    bool warm = false, only = false, json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;

  private:
    [[nodiscard]] Result<std::vector<EstimatedLaunch>> of_kernel(const GpuModel& times) const;
    [[nodiscard]] Result<std::vector<EstimatedLaunch>> of_recording(const GpuModel& times,
                                                                    Trace trace,
                                                                    bool of_program) const;
    [[nodiscard]] Status add_machine_code(TimeQuestion& question) const;
};

struct TraceCommand {
    std::string kernel, output;
    KernelOptions options;
    ProgramOptions program;
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// Reads a trace file and describes its contents. Fails if it is damaged.
struct CheckCommand {
    std::string file;
    std::optional<std::uint64_t> memory_limit_bytes;
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

struct ReportCommand {
    NamedSubject subject;
    ProgramOptions program;
    const Generation* generation = &default_generation();
    bool json = false, csv = false;
    bool phases = false;  // print the phase table of one block instead of counters
    std::uint32_t block_x = 0, block_y = 0;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;

  private:
    [[nodiscard]] Result<std::string> run_phases(const Trace& trace) const;
};

// Runs a CUDA program without a GPU. Prints the program's output and the recorder's findings. Fails
// if the program does not exit with 0.
struct RunCommand {
    std::string file;
    ProgramOptions program;
    const Generation* generation = &default_generation();
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// Checks a lesson, prints its text, or writes it as a page, a picture or a film; without a lesson,
// lists those that are shipped. run() is not called if the window is to open the lesson
// (opens_window()).
struct LessonCommand {
    std::string file;
    std::optional<int> scene;  // the scene to open or to write, counted from 1
    bool runs_programs = false;
    bool check = false, script_wanted = false, json = false;
    std::string png, html;
    FilmFiles films;
    std::optional<int> words_a_minute;
    PictureOptions picture;
    [[nodiscard]] Result<std::filesystem::path> find_file() const;
    [[nodiscard]] bool writes() const { return !png.empty() || !html.empty() || films.any(); }
    [[nodiscard]] bool opens_window() const {
        return !file.empty() && !check && !script_wanted && !json && !writes() && !words_a_minute;
    }
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;

  private:
    // kWrongCall if an option would have no effect.
    [[nodiscard]] Status check_options() const;
    [[nodiscard]] Status write(const std::filesystem::path& lesson) const;
    [[nodiscard]] Result<std::string> write_page(const std::filesystem::path& lesson) const;
};

struct ExplainCommand {
    std::string csv;  // a path; "-": standard input
    std::string space = "shared", operation = "load", lanes;
    std::optional<int> width_bytes;
    PatternOptions pattern;
    const Generation* generation = &default_generation();
    bool json = false;
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;
};

// `race`, and pictures of the race.
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
    NamedSubject subject;
    ProgramOptions program;
    std::string png, svg, pdf, html, perfetto, csv, compare;
    FilmFiles films;
    std::optional<double> until;  // last tick of a film
    PictureOptions picture;
    const Generation* generation = &default_generation();
    void add_to(CLI::App& app);
    [[nodiscard]] Result<std::string> run() const;

  private:
    // kWrongCall if an option has no effect on the formats that are written.
    [[nodiscard]] Status check_options() const;
};

}  // namespace tilereel
