// Repeats a session of the window from the log that --commands wrote, without a window, and draws
// its last frame.
//
//   replay_commands LOG PICTURE.png
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "app/export/export.h"
#include "app/ladder/kernel_of_trace.h"
#include "app/lesson/shipped.h"
#include "app/shell/command_replay.h"
#include "app/subject/file_kind.h"
#include "app/subject/program_launch.h"
#include "app/subject/rung_launch.h"
#include "app/ui/frame/offscreen.h"

namespace tilereel {
namespace {

std::unique_ptr<ProgramBench> programs() {
    return std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = false, .run = program::run_program});
}

Result<std::unique_ptr<Workbench>> workbench_of(const Subject& subject) {
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = programs();
    options.make_programs = programs;
    options.lessons = std::make_unique<LessonBench>(LessonBenchOptions{
        .on_thread = false, .tools = {}, .offered = lessons_in(shipped_folder("lessons"))});
    if (is_rung(subject)) options.request = record_request(subject);
    if (has_ending_of(subject.file, FileKind::kTrace)) {
        Result<Trace> trace = open_trace(subject.file);
        if (!trace) return trace.error();
        options.trace = std::move(trace).value();
        options.trace_file = subject.file;
    }
    auto workbench = std::make_unique<Workbench>(std::move(options));
    if (has_ending_of(subject.file, FileKind::kProgram))
        workbench->apply(OpenProgram{program_request(subject), {}});
    workbench->advance(0);
    workbench->apply(SetGeneration{std::string(generation_of(subject).id)});
    return workbench;
}

Status replay(const char* log, const char* picture) {
    std::ostringstream text;
    text << std::ifstream(log).rdbuf();
    const Result<LoggedSession> session = parse_log(text.str());
    if (!session) return session.error();
    auto renderer = OffscreenRenderer::create(session->width, session->height);
    if (!renderer) return renderer.error();
    auto workbench = workbench_of(session->view.subject);
    if (!workbench) return workbench.error();
    (*workbench)
        ->apply(
            Commands{SetTheme{session->view.view.light}, SetTextSize{session->view.view.text_px}});
    FrameState state;
    double now = 0;
    const auto draw = [&](double seconds) {
        now += seconds;
        draw_frame(**workbench, state,
                   look_of(**workbench, static_cast<float>(session->width),
                           static_cast<float>(session->height), now, seconds));
    };
    play_log(*session, **workbench, state,
             [&](double seconds) { (*renderer)->build(seconds, [&] { draw(seconds); }); });
    (*renderer)->draw_settled(0, draw);
    return save_png((*renderer)->read(), picture);
}

}  // namespace
}  // namespace tilereel

int main(int argc, char** argv) {
    if (argc != 3) return std::fprintf(stderr, "usage: replay_commands LOG PICTURE.png\n"), 2;
    const tilereel::Status done = tilereel::replay(argv[1], argv[2]);
    if (!done) std::fprintf(stderr, "replay_commands: %s\n", done.error().message.c_str());
    return done ? 0 : 1;
}
