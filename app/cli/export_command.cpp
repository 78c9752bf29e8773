#include "app/cli/checked_option.h"
#include "app/cli/interrupt.h"
#include "app/cli/numbers.h"
#include "app/cli/picture_options.h"
#include "app/cli/program_report.h"
#include "app/cli/subcommands.h"
#include "app/export/export.h"
#include "instrumentation/trace/trace_file.h"

namespace tilereel {
namespace {

Status take_subject(const ExportCommand& command, PictureRequest& picture) {
    const Subject& subject = command.subject;
    if (is_program(subject.name)) {
        auto trace = trace_of_launch(
            subject.name, on_device(command.program, subject.options.device), *command.generation);
        if (!trace) return trace.error();
        picture.trace = *std::move(trace);
        return Done{};
    }
    if (const Status sound = check_no_program_options(subject.name, command.program); !sound)
        return sound;
    if (const Status checked = check_subject(subject); !checked) return checked;
    // A GPU records here, so that its failure is this command's; the emulator within the picture.
    const bool on_gpu = subject.options.device.value_or(Recorder::kEmulator) != Recorder::kEmulator;
    if (find_kernel(subject.name) && !on_gpu) {
        auto request = request_of(subject.name, subject.options);
        if (!request) return request.error();
        picture.request = *std::move(request);
        return Done{};
    }
    auto trace = obtain_trace(subject);
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
    return picture;
}

}  // namespace

void ExportCommand::add_to(CLI::App& app) {
    add_subject(app, subject);
    add_file_option(app, "--png", png, "Picture to write");
    add_file_option(app, "--gif", gif, "Film to write, from the start or --tick to the end");
    add_picture_options(app, picture);
    add_program_options(app, program);
    add_generation_option(app, generation);
}

Result<std::string> ExportCommand::run() const {
    if (png.empty() && gif.empty())
        return wrong_call("there is nothing to export; give --png FILE or --gif FILE");
    if (!png.empty()) {
        auto request = picture_of(*this);
        if (!request) return request.error();
        request->generation = generation;
        if (const Status done = export_png(*std::move(request), png); !done) return done.error();
    }
    if (!gif.empty()) {
        auto request = picture_of(*this);
        if (!request) return request.error();
        request->generation = generation;
        // A signal ends the recording at once, but the film only between two frames: then
        // nothing is left behind.
        std::optional<InterruptFlag> interrupt;
        FilmOptions film;
        film.interrupted = [&interrupt] {
            if (!interrupt) interrupt.emplace();
            return interrupt->flag().load();
        };
        if (const Status done = export_gif(*std::move(request), gif, film); !done)
            return done.error();
    }
    return std::string();
}

}  // namespace tilereel
