#include <unistd.h>

#include <array>
#include <cstdio>
#include <functional>
#include <optional>

#include "app/cli/checked_option.h"
#include "app/cli/compare_option.h"
#include "app/cli/interrupt.h"
#include "app/cli/numbers.h"
#include "app/cli/picture_options.h"
#include "app/cli/program_report.h"
#include "app/cli/subcommands.h"
#include "app/export/counters_csv.h"
#include "app/export/export.h"
#include "app/export/html/export_html.h"
#include "app/export/perfetto.h"
#include "instrumentation/trace/trace_file.h"

namespace tilereel {
namespace {

constexpr int kVideoFrames = 30;       // a second
constexpr double kLongestVideo = 120;  // seconds; longer replays are sped up to fit

// The program's launch, the kernel or the file that the call names.
Result<Trace> recorded(const ExportCommand& command) {
    const Subject& subject = command.subject;
    if (is_program(subject.name))
        return trace_of_launch(subject.name, on_device(command.program, subject.options.device),
                               *command.generation);
    if (const Status sound = check_no_program_options(subject.name, command.program); !sound)
        return sound.error();
    return obtain_trace(subject);
}

Status take_subject(const ExportCommand& command, PictureRequest& picture) {
    const Subject& subject = command.subject;
    // A GPU records here, so that its failure is this command's; the CPU within the picture.
    const bool on_gpu = subject.options.device.value_or(Recorder::kEmulator) != Recorder::kEmulator;
    if (!is_program(subject.name) && find_kernel(subject.name) && !on_gpu) {
        if (const Status sound = check_no_program_options(subject.name, command.program); !sound)
            return sound.error();
        auto request = request_of(subject.name, subject.options);
        if (!request) return request.error();
        picture.request = *std::move(request);
        return Done{};
    }
    auto trace = recorded(command);
    if (!trace) return trace.error();
    picture.trace = *std::move(trace);
    return Done{};
}

Result<PictureRequest> picture_of(const ExportCommand& command) {
    PictureRequest picture;
    if (const Status taken = take_subject(command, picture); !taken) return taken.error();
    const PictureOptions& options = command.picture;
    picture.width = options.size.width;
    picture.height = options.size.height;
    picture.light = options.light;
    picture.text_px = options.text_px.value_or(picture.text_px);
    picture.tick = options.tick;
    picture.block_x = options.block_x;
    picture.block_y = options.block_y;
    picture.generation = command.generation;
    if (command.compare.empty()) return picture;
    RecordRequest own = picture.request;
    if (picture.trace) own.kernel.clear();
    const auto side = compare_side(command.compare, own, *command.generation);
    if (!side) return side.error();
    picture.compare = *side;
    return picture;
}

// Ctrl+C as a question that work in progress asks. A signal ends the recording at once, but the
// work behind it only here and there: then nothing is left behind.
class Interruption {
  public:
    [[nodiscard]] std::function<bool()> question() {
        return [this] {
            if (!flag_) flag_.emplace();
            return flag_->flag().load();
        };
    }

  private:
    std::optional<InterruptFlag> flag_;
};

Status write_html(const ExportCommand& command) {
    auto trace = recorded(command);
    if (!trace) return trace.error();
    Interruption interruption;
    return export_html(*trace,
                       {.block_x = command.picture.block_x,
                        .block_y = command.picture.block_y,
                        .generation = command.generation,
                        .light = command.picture.light,
                        .tick = command.picture.tick,
                        .interrupted = interruption.question()},
                       command.html);
}

Status write_perfetto(const ExportCommand& command) {
    const auto trace = recorded(command);
    if (!trace) return trace.error();
    return export_perfetto(*trace, command.picture.block_x, command.picture.block_y,
                           *command.generation, command.perfetto);
}

Status write_csv(const ExportCommand& command) {
    const auto trace = recorded(command);
    if (!trace) return trace.error();
    return export_csv(*trace, *command.generation, command.csv);
}

Status write_png(const ExportCommand& command) {
    auto request = picture_of(command);
    if (!request) return request.error();
    return export_png(*std::move(request), command.png);
}

Status write_vector(const ExportCommand& command, VectorKind kind, const std::string& path) {
    auto request = picture_of(command);
    if (!request) return request.error();
    return export_vector(*std::move(request), kind, path);
}

Status write_svg(const ExportCommand& command) {
    return write_vector(command, VectorKind::kSvg, command.svg);
}

Status write_pdf(const ExportCommand& command) {
    return write_vector(command, VectorKind::kPdf, command.pdf);
}

// On a terminal: one line that counts.
void show_progress(int done, int all) {
    if (::isatty(STDERR_FILENO) == 0) return;
    std::fprintf(stderr, "\rframe %d of %d", done + 1, all);
    if (done + 2 >= all) std::fputs("\r\x1b[K", stderr);
}

Result<FilmOptions> film_of(const ExportCommand& command, Interruption& interruption) {
    if (command.until && *command.until <= command.picture.tick.value_or(0.0))
        return wrong_call("a film ends behind its begin; choose an --until larger than --tick");
    FilmOptions film;
    film.until = command.until;
    film.interrupted = interruption.question();
    film.progress = show_progress;
    return film;
}

Status write_gif(const ExportCommand& command) {
    Interruption interruption;
    const auto film = film_of(command, interruption);
    if (!film) return film.error();
    auto request = picture_of(command);
    if (!request) return request.error();
    return export_gif(*std::move(request), command.gif, *film);
}

Status write_film(const ExportCommand& command, VideoKind kind, const std::string& path) {
    Interruption interruption;
    auto film = film_of(command, interruption);
    if (!film) return film.error();
    auto request = picture_of(command);
    if (!request) return request.error();
    film->frames_per_second = kVideoFrames;
    film->longest_seconds = kLongestVideo;
    return export_video(*std::move(request), kind, path, *film);
}

Status write_mp4(const ExportCommand& command) {
    return write_film(command, VideoKind::kMp4, command.mp4);
}

Status write_webm(const ExportCommand& command) {
    return write_film(command, VideoKind::kWebm, command.webm);
}

}  // namespace

void ExportCommand::add_to(CLI::App& app) {
    add_subject(app, subject);
    add_file_option(app, "--png", png, "Picture to write");
    add_file_option(app, "--svg", svg, "The stage alone as SVG");
    add_file_option(app, "--pdf", pdf, "The stage alone as PDF");
    add_file_option(app, "--gif", gif, "Film to write, from the start or --tick to --until");
    add_file_option(app, "--mp4", mp4, "The same as MP4 (H.264), 30 frames a second");
    add_file_option(app, "--webm", webm, "The same as WebM (VP9), 30 frames a second");
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

Result<std::string> ExportCommand::run() const {
    struct Kind {
        const std::string& path;
        Status (*write)(const ExportCommand& command);
    };
    const std::array<Kind, 9> kinds = {{{png, write_png},
                                        {svg, write_svg},
                                        {pdf, write_pdf},
                                        {gif, write_gif},
                                        {mp4, write_mp4},
                                        {webm, write_webm},
                                        {html, write_html},
                                        {perfetto, write_perfetto},
                                        {csv, write_csv}}};
    if (!compare.empty() && !(html.empty() && perfetto.empty() && csv.empty()))
        return wrong_call("--compare draws pictures and films; leave it out for other formats");
    bool any = false;
    for (const auto& [path, write] : kinds) {
        if (path.empty()) continue;
        any = true;
        if (const Status done = write(*this); !done) return done.error();
    }
    if (!any)
        return wrong_call(
            "there is nothing to export; give --png, --svg, --pdf, --gif, --mp4, --webm, --html, "
            "--perfetto or --csv with a FILE");
    return std::string();
}

}  // namespace tilereel
