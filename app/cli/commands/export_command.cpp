#include <algorithm>
#include <array>
#include <optional>

#include "app/cli/commands/page_launches.h"
#include "app/cli/options/checked_option.h"
#include "app/cli/options/compare_option.h"
#include "app/cli/options/film_files.h"
#include "app/cli/options/picture_options.h"
#include "app/cli/program/program_report.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "app/export/counters_csv.h"
#include "app/export/export.h"
#include "app/export/perfetto.h"
#include "app/subject/rung_launch.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

// The kernel is recorded as --generation runs it.
NamedSubject subject_of(const ExportCommand& command) {
    NamedSubject subject = command.subject;
    subject.options.generation = command.generation;
    if (command.picture.block_given)
        subject.options.block = {command.picture.block_x, command.picture.block_y};
    return subject;
}

Result<std::optional<FileKind>> kind_of(const ExportCommand& command) {
    return kind_of_subject(command.subject.name, {FileKind::kProgram, FileKind::kTrace},
                           parts_of(command.program));
}

// The trace of a program's launch, a kernel or a file.
Result<Trace> recorded(const ExportCommand& command) {
    const NamedSubject subject = subject_of(command);
    const auto kind = TRY(kind_of(command));
    if (kind == FileKind::kProgram) {
        TRY(check_no_kernel_options(subject.name, subject.options));
        return trace_of_launch(subject.name, on_device(command.program, subject.options.device),
                               *command.generation);
    }
    TRY(check_no_program_options(subject.name, command.program));
    return obtain_trace(subject);
}

Status take_subject(const ExportCommand& command, PictureRequest& picture) {
    const NamedSubject subject = subject_of(command);
    // A GPU records here, so that an error is reported by this command. The CPU records within
    // export_png() and similar functions.
    const bool on_gpu = subject.options.device.value_or(Recorder::kCpu) != Recorder::kCpu;
    if (find_kernel(subject.name) && !on_gpu) {
        TRY(check_no_program_options(subject.name, command.program));
        auto request = TRY(request_of(subject.name, subject.options));
        picture.request = std::move(request);
        return Done{};
    }
    auto trace = TRY(recorded(command));
    picture.trace = std::move(trace);
    return Done{};
}

// What is drawn, without the block.
Subject exported_subject(const ExportCommand& command) {
    const std::string& name = command.subject.name;
    const std::string generation(command.generation->id);
    if (has_ending_of(name, FileKind::kProgram))
        return subject_of_program(name, command.program, generation);
    Subject subject{.file = name};
    const bool rung = find_kernel(name) != nullptr;
    if (const auto request = request_of(name, subject_of(command).options); rung && request)
        subject = subject_of(*request);
    subject.generation = generation;
    return subject;
}

Result<PictureRequest> picture_of(const ExportCommand& command) {
    PictureRequest picture;
    TRY(take_subject(command, picture));
    const PictureOptions& options = command.picture;
    picture.look = look_of(options);
    picture.tick = options.tick;
    picture.block_x = options.block_x;
    picture.block_y = options.block_y;
    picture.generation = command.generation;
    if (command.compare.empty()) return picture;
    const auto side = TRY(compare_side(command.compare, exported_subject(command)));
    picture.compare = side;
    return picture;
}

// Returns what the page holds, where this must be said.
Result<std::string> write_html(const ExportCommand& command) {
    auto trace = TRY(recorded(command));
    const PageLaunches others = TRY(other_launches_of(subject_of(command)));
    Interruption interruption;
    HtmlRequest request{.block_x = command.picture.block_x,
                        .block_y = command.picture.block_y,
                        .generation = command.generation,
                        .light = command.picture.light,
                        .tick = command.picture.tick,
                        .interrupted = interruption.callback()};
    for (const Trace& other : others.traces) request.others.push_back(&other);
    const WrittenPage page = TRY(export_html(trace, request, command.html));
    return words_for_page(others, page, command.subject, command.html);
}

Status write_perfetto(const ExportCommand& command) {
    const auto trace = TRY(recorded(command));
    return export_perfetto(trace, command.picture.block_x, command.picture.block_y,
                           *command.generation, command.perfetto);
}

Status write_csv(const ExportCommand& command) {
    const auto trace = TRY(recorded(command));
    return export_csv(trace, *command.generation, command.csv);
}

Status write_png(const ExportCommand& command) {
    auto request = TRY(picture_of(command));
    return export_png(std::move(request), command.png);
}

Status write_vector(const ExportCommand& command, VectorKind kind, const std::string& path) {
    auto request = TRY(picture_of(command));
    return export_vector(std::move(request), kind, path);
}

Status write_svg(const ExportCommand& command) {
    return write_vector(command, VectorKind::kSvg, command.svg);
}

Status write_pdf(const ExportCommand& command) {
    return write_vector(command, VectorKind::kPdf, command.pdf);
}

Status write_films(const ExportCommand& command) {
    if (command.until && *command.until <= command.picture.tick.value_or(0.0))
        return wrong_call("a film ends after it begins; choose an --until larger than --tick");
    return command.films.write_all(
        [&](FilmKind kind, const std::string& path, FilmOptions film) -> Status {
            auto request = TRY(picture_of(command));
            film.until = command.until;
            return export_film(std::move(request), kind, path, film);
        });
}

}  // namespace

void ExportCommand::add_to(CLI::App& app) {
    subject.options.takes_lists = true;
    add_subject(app, subject);
    add_file_option(app, "--png", png, "Picture to write");
    add_file_option(app, "--svg", svg, "The stage alone as SVG");
    add_file_option(app, "--pdf", pdf, "The stage alone as PDF");
    films.add_to(app, "Film to write, from the start or --tick to --until");
    add_checked_option(
        app, "--until",
        [this](const std::string& text) -> std::string {
            const auto shown = parse_decimal(text);
            if (!shown || *shown <= 0) return "a number of ticks, more than 0";
            until = *shown;
            return "";
        },
        "The tick with which a film ends, by the number that the timeline shows (default: the end)",
        "TICK");
    add_file_option(app, "--html", html, "Page to write: replays the block in any browser");
    add_file_option(app, "--perfetto", perfetto,
                    "Trace of the block to write, for ui.perfetto.dev and chrome://tracing");
    add_file_option(app, "--csv", csv,
                    "Counters of the launch to write, a row for each line and array");
    add_compare_option(app, compare);
    add_picture_options(app, picture);
    add_program_options(app, program);
    add_generation_option(app, generation);
}

Status ExportCommand::check_options() const {
    const bool pictures = !png.empty() || !svg.empty() || !pdf.empty() || films.any();
    const bool replays = pictures || !html.empty();
    const bool lists = !subject.options.more_tiles.empty() || !subject.options.more_pads.empty();
    if (lists && (html.empty() || pictures || !perfetto.empty() || !csv.empty()))
        return wrong_call(
            "several TILEs or PADs are for a page: give --html alone with them, or one of each");
    if (until && !films.any())
        return wrong_call("--until is for a film; give --gif, --mp4 or --webm with a FILE");
    if (!pictures && (picture.size_given || picture.text_px))
        return wrong_call("--size and --text are for pictures and films; leave them out");
    if (!replays && (picture.light || picture.tick))
        return wrong_call("--light and --tick are for pictures, films and pages; leave them out");
    if (!replays && perfetto.empty() && picture.block_given)
        return wrong_call("--csv counts the whole launch; leave out --block");
    if (!compare.empty() && !(html.empty() && perfetto.empty() && csv.empty()))
        return wrong_call("--compare draws pictures and films; leave it out for other formats");
    return Done{};
}

Result<std::string> ExportCommand::run() const {
    struct Kind {
        bool wanted;
        Status (*write)(const ExportCommand& command);
    };
    const std::array<Kind, 6> kinds = {{{!png.empty(), write_png},
                                        {!svg.empty(), write_svg},
                                        {!pdf.empty(), write_pdf},
                                        {films.any(), write_films},
                                        {!perfetto.empty(), write_perfetto},
                                        {!csv.empty(), write_csv}}};
    if (html.empty() && std::ranges::none_of(kinds, &Kind::wanted))
        return wrong_call(
            "there is nothing to export; give --png, --svg, --pdf, --gif, --mp4, --webm, --html, "
            "--perfetto or --csv with a FILE");
    TRY(check_options());
    for (const auto& [wanted, write] : kinds)
        if (wanted) TRY(write(*this));
    return html.empty() ? std::string() : write_html(*this);
}

}  // namespace tilereel
