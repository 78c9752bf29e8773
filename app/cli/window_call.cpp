#include "app/cli/window_call.h"

#include <utility>

#include "app/cli/options/compare_option.h"
#include "app/cli/subcommands.h"
#include "app/subject/rung_launch.h"
#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/view/kept_state.h"
#include "app/workbench/view/saved_view.h"
#include "app/workbench/view/side_text.h"
#include "instrumentation/program/program.h"
#include "kernels/openings.h"

namespace tilereel {
namespace {

// Options that are kept from one start to the next.
void add_motion_options(CLI::App& app, WindowCall& call) {
    add_checked_option(
        app, "--motion",
        [&call](const std::string& text) -> std::string {
            if (text != "on" && text != "off") return "on or off";
            call.motion = text == "on";
            return "";
        },
        "on, or off: nothing flies or glides (default: as the last time)", "on|off");
    add_checked_option(
        app, "--speed",
        [&call](const std::string& text) -> std::string {
            const auto speed = parse_decimal(text);
            if (!speed || !(*speed >= 0.125 && *speed <= 64)) return "a number from 0.125 to 64";
            call.speed = *speed;
            return "";
        },
        "Speed of the replay, from 0.125 to 64 (default: as the last time)", "X");
}

// The look of the window, and options for pictures and tests.
void add_frame_options(CLI::App& app, WindowCall& call) {
    add_picture_options(app, call.picture);
    add_compare_option(app, call.compare);
    add_motion_options(app, call);
    add_test_options(app, call);
}

// Without sizes, a kernel opens with the sizes that show its idea best. If TILE or PAD are given,
// with the nearest sizes that fit them.
KernelOptions opening_options(KernelOptions options, const std::string& id) {
    const KernelInfo* const kernel = find_kernel(id);
    if (kernel == nullptr || options.gives_sizes() || options.tile_by_occupancy) return options;
    KernelParameters wanted = opening_of(*kernel);
    wanted.tile = options.tile.value_or(wanted.tile);
    wanted.pad = options.pad.value_or(wanted.pad);
    const Result<FittedParameters> fitted = fit_parameters(*kernel, wanted);
    if (!fitted) return options;
    options.m = fitted->parameters.m;
    options.n = fitted->parameters.n;
    options.k = fitted->parameters.k;
    if (!options.tile) options.tile = wanted.tile;
    if (!options.pad) options.pad = wanted.pad;
    return options;
}

// Takes the file, or the kernel and its parameters.
void take_subject(WindowCall& call, const Subject& subject) {
    if (!subject.kernel.empty())
        call.kernel = subject.kernel;
    else
        call.subject = subject.file.string();
    call.options.m = subject.m;
    call.options.n = subject.n;
    call.options.k = subject.k;
    call.options.tile = subject.tile;
    call.options.pad = subject.pad;
}

// Takes the rest of the subject of a saved view.
void take_details(WindowCall& call, const Subject& subject) {
    call.options.seed = subject.seed;
    if (subject.removed_barrier != 0)
        call.options.without_barrier = static_cast<int>(subject.removed_barrier);
    if (subject.order != ThreadOrder::kRoundRobin) call.options.order = subject.order;
    call.options.find_failing_order = subject.find_failing_order;
    if (subject.on_gpu) call.options.device = Recorder::kGpu;
    if (const Generation* generation = find_generation(subject.generation))
        call.options.generation = generation;
    ProgramOptions& program = call.program;
    program.arguments = subject.arguments;
    program.defines = subject.defines;
    program.launch_lines = subject.launch_lines;
    if (!subject.standard.empty()) program.standard = subject.standard;
    for (const auto& folder : subject.include_folders)
        program.include_folders.push_back(folder.string());
    for (const auto& file : subject.more_files) program.more_files.push_back(file.string());
}

// The call that opens a saved view. Look options of the command line take precedence over the view.
Result<WindowCall> call_of_view(WindowCall call, const SavedView& view) {
    if (!call.subject.empty() || !call.kernel.empty() || call.options.has_recording_option())
        return wrong_call("--state says what is opened: leave out the other options that do");
    if (call.picture.tick || call.picture.block_given || !call.compare.empty() || call.speed)
        return wrong_call(
            "--state says what is shown: leave out --tick, --block, --compare and "
            "--speed");
    take_subject(call, view.subject);
    take_details(call, view.subject);
    call.picture.light |= view.view.light;
    if (!call.picture.text_px) call.picture.text_px = view.view.text_px;
    if (!call.motion) call.motion = view.view.motion;
    return call;
}

// Fills what the command line leaves open with what was shown last.
WindowCall with_kept(WindowCall call, const KeptState& kept) {
    const Result<SavedView> view = parse_view(kept.view);
    if (!view) return call;
    call.picture.light |= view->view.light;
    if (!call.picture.text_px) call.picture.text_px = view->view.text_px;
    if (!call.motion) call.motion = view->view.motion;
    if (!call.speed) call.speed = view->speed;
    const bool names_any =
        !call.subject.empty() || !call.kernel.empty() || call.options.has_recording_option();
    if (names_any || view->subject.kernel.empty()) return call;
    WindowCall shown_last = call;
    shown_last.as_last_time = true;
    take_subject(shown_last, view->subject);
    // A newer version of the kernel may refuse these parameters.
    const bool can_be = request_of(view->subject.kernel, shown_last.options).has_value();
    return can_be ? shown_last : call;
}

// Whether the sizes differ from those with which the kernel opens. Then the user chose them.
bool chose_sizes(const KernelInfo& kernel, const KernelOptions& options) {
    const KernelParameters usual = opening_of(kernel);
    return options.m != usual.m || options.n != usual.n || options.k != usual.k;
}

// What the window opens with, without the block.
Subject opened_subject(const WindowCall& call, const WindowOptions& window) {
    if (window.program != nullptr)
        return subject_of_program(call.subject, call.program, window.generation);
    const bool trace = window.file && !has_ending_of(*window.file, FileKind::kRace);
    Subject subject = trace ? Subject{.file = *window.file} : subject_of(window.request);
    subject.generation = window.generation;
    return subject;
}

}  // namespace

void add_test_options(CLI::App& app, WindowCall& call) {
    constexpr const char* kGroup = "For pictures and tests of the real window";
    CLI::Option* const frames =
        add_whole_option(app, "--frames", call.frames, 1, 1'000'000, "Close after so many frames")
            ->group(kGroup);
    add_file_option(app, "--screenshot", call.screenshot,
                    "Write the last frame as PNG; needs --frames")
        ->group(kGroup)
        ->needs(frames);
    add_file_option(app, "--commands", call.commands,
                    "Write what is done in the window, a line for each command")
        ->group(kGroup);
    app.add_flag("--print-state", call.print_state, "Print what the window shows, as JSON lines")
        ->group(kGroup);
}

void add_open_options(CLI::App& app, WindowCall& call) {
    app.add_option("FILE", call.subject, "A CUDA program (.cu), a trace or a race to open")
        ->required()
        ->type_name("");
    add_program_options(app, call.program);
    add_frame_options(app, call);
}

void add_window_options(CLI::App& app, WindowCall& call) {
    app.add_option("KERNEL-OR-FILE", call.subject,
                   "A CUDA program, a trace file or a kernel to open in the window")
        ->type_name("");
    app.add_option("--kernel", call.kernel,
                   "The kernel to open (default: the one shown last; at first 09_tiled)")
        ->type_name("KERNEL");
    app.add_option("--state", call.state, "Show a view that Ctrl+C copied in the window")
        ->type_name("VIEW");
    add_kernel_options(app, call.options);
    for (const auto& [name, what] :
         {std::pair("--m", "Rows of A and C"), std::pair("--n", "Columns of B and C"),
          std::pair("--k", "Columns of A, rows of B")})
        app.get_option(name)->description(std::string(what) + " (default: small, by the kernel)");
    app.get_option("--tile")->description(
        "Edge of a tile (default: by the kernel); auto: the one of highest occupancy, for kernels "
        "whose tile is set at launch");
    add_frame_options(app, call);
}

Result<WindowOptions> window_of(WindowCall call) {
    WindowOptions window;
    std::optional<KeptState> kept;
    if (!call.state.empty()) {
        const SavedView view = TRY(parse_view(call.state));
        WindowCall opened = TRY(call_of_view(std::move(call), view));
        call = std::move(opened);
        window.view = view;
        if (!view.subject.generation.empty()) window.generation = view.subject.generation;
    } else if (!call.frames) {
        kept = read_kept_state(kept_state_file());
        call = with_kept(std::move(call), *kept);
    }
    if (!call.subject.empty() && !call.kernel.empty())
        return wrong_call("name one thing to open: '" + call.subject + "' or --kernel " +
                          call.kernel);
    const NamedSubject subject{call.subject.empty() ? call.kernel : call.subject, call.options};
    std::optional<FileKind> kind;  // nullopt: a kernel
    if (!call.subject.empty()) {
        const auto found = TRY(kind_of_subject(
            call.subject,
            {FileKind::kProgram, FileKind::kTrace, FileKind::kRace, FileKind::kLesson},
            parts_of(call.program)));
        kind = found;
    }
    const bool program = kind == FileKind::kProgram;
    if (!program) TRY(check_no_program_options(subject.name, call.program));
    if (program && call.state.empty()) {
        TRY(check_no_kernel_options(call.subject, call.options));
        if (call.options.device)
            return wrong_call("the window records a CUDA program on the CPU; leave out --device");
    }
    if (program) {
        window.program = std::make_shared<const program::ProgramRequest>(
            request_of_program(call.subject, call.program, window.generation));
        window.product = call.program.product;
    } else if (kind) {
        if (call.options.has_recording_option())
            return wrong_call("'" + call.subject + "' is " + words_of(*kind) +
                              ", already recorded: leave out the options that choose what to "
                              "record");
        (*kind == FileKind::kLesson ? window.lesson : window.file) = call.subject;
        window.request.memory_limit_bytes =
            call.options.memory_limit_bytes.value_or(window.request.memory_limit_bytes);
    } else {
        const std::string id = subject.name.empty() ? window.request.kernel : subject.name;
        auto request = TRY(request_of(id, opening_options(call.options, id)));
        window.request = std::move(request);
        window.sizes_chosen = call.as_last_time ? chose_sizes(*find_kernel(id), call.options)
                                                : call.options.gives_sizes();
    }
    if (!call.compare.empty()) {
        const auto side = TRY(compare_side(call.compare, opened_subject(call, window)));
        window.compare = side;
    }
    if (window.view && window.view->compared) TRY(check_compared_file(*window.view->compared));
    window.width = call.picture.size.width;
    window.height = call.picture.size.height;
    window.size_given = call.picture.size_given;
    if (kept && !window.size_given && kept->width > 0 && kept->height > 0) {
        window.width = kept->width;
        window.height = kept->height;
        window.size_kept = true;
    }
    window.light = call.picture.light;
    window.text_px = call.picture.text_px.value_or(window.text_px);
    // With --frames every run must show the same.
    window.text_given = call.picture.text_px || call.frames;
    window.motion = call.motion.value_or(window.motion);
    window.speed = call.speed.value_or(window.speed);
    window.tick = call.picture.tick;
    window.block_x = call.picture.block_x;
    window.block_y = call.picture.block_y;
    window.frames = call.frames;
    if (!call.screenshot.empty()) window.screenshot = call.screenshot;
    window.print_state = call.print_state;
    window.opened = opened_subject(call, window);
    if (!call.commands.empty()) window.commands = call.commands;
    return window;
}

}  // namespace tilereel
