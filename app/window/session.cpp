#include "app/window/session.h"

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/exercise/read_exercise.h"
#include "app/export/export.h"
#include "app/ladder/kernel_of_trace.h"
#include "app/ladder/whole_program.h"
#include "app/lesson/shipped.h"
#include "app/panels/paragraph.h"
#include "app/shell/frame.h"
#include "app/shell/frame_pace.h"
#include "app/shell/shown_view.h"
#include "app/shell/window_title.h"
#include "app/subject/file_kind.h"
#include "app/subject/program_launch.h"
#include "app/subject/trust.h"
#include "app/ui/frame/window.h"
#include "app/ui/widgets/widgets.h"
#include "app/window/copy_picture.h"
#include "app/window/editor_call.h"
#include "app/window/file_watch.h"
#include "app/window/save_source.h"
#include "app/window/state_line.h"
#include "app/window/window_races.h"
#include "app/workbench/view/kept_state.h"
#include "app/workbench/view/side_text.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {
namespace {

class Session {
  public:
    Session(const WindowOptions& options, Window& window, std::optional<Trace> trace)
        : options_(options), window_(window) {
        WorkbenchOptions start;
        start.request = options_.request;
        start.sizes_chosen = options_.sizes_chosen || trace.has_value();
        start.trace = std::move(trace);
        if (options_.file) start.trace_file = *options_.file;
        start.playing = !options_.tick.has_value() && !options_.view;
        // With --frames every run must show the same, so recordings do not run on a worker thread.
        start.record_on_worker = !options_.frames.has_value();
        start.races = std::make_unique<RaceBench>(window_races(start.record_on_worker));
        start.make_programs = program_maker(start.record_on_worker);
        start.programs = start.make_programs();
        start.lessons = std::make_unique<LessonBench>(
            LessonBenchOptions{.on_thread = start.record_on_worker,
                               .tools = {},
                               .offered = lessons_in(shipped_folder("lessons"))});
        start.exercises = std::make_unique<ExerciseBench>(ExerciseBenchOptions{
            .on_thread = start.record_on_worker,
            .offered = exercises_in(shipped_folder("exercises")),
            .progress = keeps() ? exercise_progress_file() : std::filesystem::path()});
        workbench_ = std::make_unique<Workbench>(std::move(start));
        begin_log();
        if (options_.exercise)
            apply(Command{OpenExercise{*options_.exercise, options_.exercise_copy}});
        if (options_.lesson) open_lesson(*options_.lesson, options_.lesson_scene);
        if (options_.file && has_ending_of(*options_.file, FileKind::kRace))
            open_race(*options_.file);
        if (keeps()) kept_ = read_kept_state(kept_state_file());
        if (const auto last = parse_view(kept_.view)) last_view_ = *last;
        if (options_.program) open_program(*options_.program);
        if (options_.file && !has_ending_of(*options_.file, FileKind::kRace))
            note_opened(*options_.file);
        frame_state_->panels.set_recent_files(kept_.recent_files);
        frame_state_->panels.set_samples(shipped_programs());
        apply(Commands{SetTheme{options_.light}, SetTextSize{start_text_px()},
                       SetMotion{options_.motion}, SetSpeed{options_.speed}});
        if (options_.view) restorer_.emplace(*options_.view);
        if (options_.view && !options_.view->subject.generation.empty())
            apply(SetGeneration{options_.view->subject.generation});
    }

    Status run() {
        for (int frames = 0; !closes();) {
            if (const auto file = window_.take_dropped_file()) asked_.push_back(OpenFile{*file});
            carry_out(std::exchange(asked_, {}));
            run_again_if_saved();
            read_lesson_again_if_saved();
            check_exercise_if_saved();
            const bool counted = options_.frames.has_value();
            if (!counted && races_on_processor()) pace_.wait(kFrameIntervalDuringRace);
            if (!window_.wait(counted || moving())) continue;
            const bool last = counted && frames + 1 >= *options_.frames;
            if (const auto picture = std::exchange(race_picture_wanted_, std::nullopt)) {
                save_race_picture(*picture);
            } else if (const auto path = std::exchange(picture_wanted_, std::nullopt)) {
                tell(save_png(picture_of_window(), *path), "Saved as " + path->string());
            } else if (std::exchange(copy_wanted_, false)) {
                tell(copy_picture(picture_of_window()), "Copied the picture");
            } else if (last && options_.screenshot) {
                const Image image = window_.frame_and_read([this](double s) { draw(s); });
                TRY(save_png(image, *options_.screenshot));
            } else {
                window_.frame([this](double seconds) { draw(seconds); });
            }
            after_frame();
            ++frames;
            if (last) break;
        }
        if (log_) log_->end(now_seconds_);
        keep_view(true);
        return Done{};
    }

  private:
    static std::function<std::unique_ptr<ProgramBench>()> program_maker(bool on_thread) {
        return [on_thread] {
            return std::make_unique<ProgramBench>(
                ProgramBenchOptions{.on_thread = on_thread, .run = program::run_program});
        };
    }
    // Each line is written at once, so that the log of a session that fails is whole.
    void begin_log() {
        if (!options_.commands) return;
        log_file_.open(*options_.commands);
        SavedView view = options_.view.value_or(SavedView{});
        if (!options_.view) view.subject = options_.opened;
        view.view.light = options_.light;
        view.view.text_px = start_text_px();
        view.view.motion = options_.motion;
        const WindowSize size = window_.size();
        log_.emplace([this](const std::string& line) { log_file_ << line << std::endl; }, view,
                     size.width, size.height, workbench_->playing());
        frame_state_->log = &*log_;
    }
    [[nodiscard]] int start_text_px() const {
        if (options_.text_given) return options_.text_px;
        const WindowSize size = window_.size();
        return first_text_px(window_.screen_scale(), static_cast<float>(size.width),
                             static_cast<float>(size.height));
    }
    [[nodiscard]] bool moving() const {
        return workbench_->moving() || workbench_->scrubbing() ||
               workbench_->recording_progress() != nullptr || workbench_->program_busy() ||
               workbench_->lessons().busy() || workbench_->exercises().busy() ||
               frame_state_->panels.working(workbench_->view()) ||
               frame_state_->stage.heat.counting() || frame_state_->other_stage.heat.counting() ||
               workbench_->races().busy() || workbench_->estimating() || race_picture_wanted_;
    }

    // A CPU race shares the CPU with drawing, so fewer frames are drawn while it runs.
    [[nodiscard]] bool races_on_processor() const {
        const RaceMachine* machine = workbench_->races().machine();
        return workbench_->races().racing() && machine != nullptr && !machine->gpu;
    }

    // An edit that is not saved is dropped only if the user asks a second time.
    bool closes() {
        if (!window_.should_close()) return false;
        if (!frame_state_->panels.has_unsaved_edit() || asked_to_close_) return true;
        asked_to_close_ = true;
        window_.stay_open();
        frame_state_->panels.show_error(
            "The file that you edit is not saved. Ctrl+S saves it; close again to drop the edit");
        return false;
    }

    void open_race(const std::filesystem::path& file) {
        apply(Command{RaceAction{OpenRace{file}}});
        apply(SetMode{WindowMode::kRace});
    }

    // The window without its messages, and with nothing pointed at.
    Image picture_of_window() {
        frame_state_->for_picture = true;
        Image image = window_.frame_and_read([this](double seconds) {
            ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
            draw(seconds);
        });
        frame_state_->for_picture = false;
        return image;
    }

    void tell(const Status& done, const std::string& words) {
        if (done)
            frame_state_->panels.show_notice(words);
        else
            frame_state_->panels.show_error(done.error().message);
    }

    // Saves a picture of the race's view alone, without the bars and panels around it.
    void save_race_picture(const std::filesystem::path& path) {
        const Image whole = picture_of_window();
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        Rect part;
        if (!find_widget("race.picture", part)) part = {0, 0, size.x, size.y};
        const float scale = static_cast<float>(whole.width) / std::max(size.x, 1.0f);
        const auto pixels = [scale](float length) { return static_cast<int>(length * scale); };
        const Status saved = save_png(
            cut_out(whole, pixels(part.x), pixels(part.y), pixels(part.w), pixels(part.h)), path);
        apply(Command{RaceAction{PictureSaved{path, saved}}});
    }

    void draw(double seconds) {
        now_seconds_ += seconds;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        append(asked_, draw_frame(*workbench_, *frame_state_,
                                  look_of(*workbench_, size.x, size.y, now_seconds_, seconds)));
    }

    // Applies a command of the session itself, such as of a file that has changed.
    void apply(const Command& command) {
        if (log_) log_->note(now_seconds_, command);
        workbench_->apply(command);
    }
    void apply(const Commands& commands) {
        for (const Command& command : commands) apply(command);
    }

    // The commands of the frame that only a session can carry out.
    void carry_out(const Commands& commands) {
        for (const Command& command : commands) {
            if (const auto* const open = command.get_if<OpenFile>())
                open->to_compare ? compare_with(open->file) : open_file(open->file);
            if (const auto* const save = command.get_if<SavePicture>())
                picture_wanted_ = save->file;
            if (const auto* const save = command.get_if<SaveRacePicture>())
                race_picture_wanted_ = save->file;
            if (command.holds<TrustFolder>()) trust_folder();
            if (const auto* const open = command.get_if<OpenInEditor>()) open_in_editor(*open);
            if (const auto* const save = command.get_if<SaveSource>()) {
                asked_to_close_ = false;
                frame_state_->panels.note_saved_source(save_source(*save));
            }
            if (const auto* const wanted = command.get_if<NewProgram>()) {
                if (const Status made = begin_program(*wanted); !made)
                    frame_state_->panels.show_error(made.error().message);
            }
            copy_wanted_ = copy_wanted_ || command.holds<CopyPicture>();
        }
    }

    // Writes a kernel as a program, opens it and edits it.
    Status begin_program(const NewProgram& wanted) {
        const KernelInfo* const kernel = find_kernel(wanted.kernel);
        if (kernel == nullptr) return failed("there is no kernel '" + wanted.kernel + "'");
        const std::string text =
            TRY(whole_program(*kernel, wanted.parameters, wanted.file.filename().string()));
        TRY(replace_file(wanted.file, std::as_bytes(std::span(text))));
        open_file(wanted.file);
        return frame_state_->panels.begin_edit(wanted.file, 0);
    }

    void open_in_editor(const OpenInEditor& place) {
        const auto call = editor_call(place.file, place.line, editor_surroundings());
        if (!call) return frame_state_->panels.show_error(call.error().message);
        const Result<std::string> started = start_editor(*call);
        if (!started) return frame_state_->panels.show_error(started.error().message);
        frame_state_->panels.show_notice("Opened " + place.file.filename().string() + " in " +
                                         *started + "; save it there, and it runs again here");
    }

    // Applies --block and --tick once the first recording is ready.
    void go_to_asked_place() {
        if (placed_ || workbench_->replay() == nullptr) return;
        placed_ = true;
        if (options_.block_x != 0 || options_.block_y != 0)
            apply(Command{WatchBlock{options_.block_x, options_.block_y}});
        if (options_.compare) apply(Command{Compare{{}, *options_.compare}});
        if (options_.tick) apply(Command{SeekTo{*options_.tick, false}});
    }

    void after_frame() {
        if (log_ && !log_->begun() && workbench_->recording() != nullptr) log_->begin(now_seconds_);
        if (restorer_) restorer_->advance(*workbench_);
        go_to_asked_place();
        keep_rows();
        keep_products();
        keep_view(false);
        window_.set_full_screen(workbench_->view().full_screen);
        if (std::string title = window_title(*workbench_); title != title_) {
            window_.set_title(title);
            title_ = std::move(title);
        }
        const WindowLimits least = least_window(workbench_->view().text_px);
        window_.set_least_size(least.width, least.height);
        if (!options_.print_state) return;
        std::string line = state_line(*workbench_);
        if (line == printed_) return;
        printed_ = std::move(line);
        std::puts(printed_.c_str());
        std::fflush(stdout);
    }

    // With --frames every run must show the same, so the kept state is neither read nor written.
    [[nodiscard]] bool keeps() const { return !options_.frames.has_value(); }

    void note_opened(const std::filesystem::path& file) {
        kept_.note_opened(file);
        frame_state_->panels.set_recent_files(kept_.recent_files);
        write_kept();
    }

    // Writes the state that the program restores at its next start. A change of the window's size
    // alone is not written, because the size changes in every frame while an edge is dragged.
    void keep_view(bool closing) {
        if (!keeps()) return;
        SavedView view = last_view_;
        if (const auto shown = shown_view(*workbench_); shown && !shown->subject.kernel.empty()) {
            const Subject& rung = shown->subject;
            view = {.subject = {.kernel = rung.kernel,
                                .m = rung.m,
                                .n = rung.n,
                                .k = rung.k,
                                .tile = rung.tile,
                                .pad = rung.pad}};
        }
        view.speed = workbench_->speed();
        view.view = {.light = workbench_->view().light,
                     .text_px = workbench_->view().text_px,
                     .motion = workbench_->view().motion};
        std::string text = text_of(view);
        if (!closing && text == kept_.view) return;
        kept_.view = std::move(text);
        last_view_ = std::move(view);
        if (!workbench_->view().full_screen) {
            const WindowSize size = window_.size();
            kept_.width = size.width;
            kept_.height = size.height;
        }
        write_kept();
    }

    void write_kept() {
        // The kept state is a convenience: a failed write is not reported.
        if (keeps()) static_cast<void>(write_kept_state(kept_, kept_state_file()));
    }

    // Runs the open program again, without a sandbox, as all programs of its folder from now on.
    void trust_folder() {
        const OpenedProgram* const program = workbench_->program();
        if (program == nullptr || !program->request.in_sandbox) return;
        program::ProgramRequest request = program->request;
        tell(trust_folder_of(request.file),
             "Programs in " + request.file.parent_path().string() + " run with your rights now");
        request.in_sandbox = false;
        open_program(request);
    }

    void open_program(const program::ProgramRequest& request) {
        if (const std::string notice = sandbox_notice(); !notice.empty())
            frame_state_->panels.show_notice(as_sentence(notice));
        note_opened(request.file);
        frame_state_->stage.general.rows = kept_.rows_of(request.file);
        program_file_ = FileWatch(request.file);
        apply(Command{OpenProgram{request, products_for(request.file)}});
    }

    // A product given on the command line replaces the kept ones.
    NamedProducts products_for(const std::filesystem::path& file) {
        NamedProducts products;
        for (const auto& [kernel, text] : kept_.products_of(file))
            if (const auto product = parse_product(text)) products[kernel] = *product;
        if (options_.product && options_.program && file == options_.program->file)
            products = {{"", *options_.product}};
        return products;
    }

    // Keeps the products that the user has named for the shown program.
    void keep_products() {
        const OpenedProgram* program = workbench_->program();
        if (!keeps() || program == nullptr || workbench_->program_busy()) return;
        KeptProducts products;
        for (const auto& [kernel, product] : program->products)
            if (!kernel.empty()) products[kernel] = text_of(product);
        if (products == kept_.products_of(program->request.file)) return;
        kept_.keep_products(program->request.file, products);
        write_kept();
    }

    // Keeps the row lengths that the user has chosen for the shown program.
    void keep_rows() {
        const OpenedProgram* program = workbench_->program();
        if (!keeps() || program == nullptr || !workbench_->shows_program()) return;
        if (frame_state_->stage.general.drag) return;  // waits for the end of the drag
        const KeptRows& rows = frame_state_->stage.general.rows;
        if (rows == kept_.rows_of(program->request.file)) return;
        kept_.keep_rows(program->request.file, rows);
        write_kept();
    }

    // Runs the program again if its file has changed on disk.
    void run_again_if_saved() {
        const OpenedProgram* program = workbench_->program();
        if (program == nullptr || options_.frames) return;
        if (program_file_.has_changed(program->request.file))
            apply(Command{RunProgramAgain{.saved = true}});
    }

    void open_lesson(const std::filesystem::path& file, int scene = 0) {
        lesson_file_ = FileWatch(file);
        apply(Command{OpenLesson{file, static_cast<std::size_t>(scene)}});
    }

    // Reads the lesson again if its file has changed on disk. A lesson that was just chosen in the
    // list counts as unchanged.
    void read_lesson_again_if_saved() {
        const OpenedLesson* const lesson = workbench_->lessons().lesson();
        if (lesson == nullptr || options_.frames) return;
        if (lesson_file_.has_changed(lesson->file)) apply(Command{ReloadLesson{}});
    }

    // Checks the learner's copy again if it has changed on disk. One that was just opened counts as
    // unchanged.
    void check_exercise_if_saved() {
        const OpenedExercise* const exercise = workbench_->exercises().exercise();
        if (exercise == nullptr || options_.frames || exercise->copy.empty()) return;
        if (exercise_file_.has_changed(exercise->copy)) apply(Command{JudgeExercise{}});
    }

    void compare_with(const std::filesystem::path& file) {
        const Subject side{.file = file, .generation = std::string(workbench_->generation().id)};
        if (const Status sound = check_compared_file(side); !sound)
            return frame_state_->panels.show_error(sound.error().message);
        apply(Command{Compare{{}, side}});
    }

    void open_file(const std::filesystem::path& file) {
        constexpr std::size_t kLongestName = 4096;  // of a file, on Linux
        if (file.native().size() > kLongestName)
            return frame_state_->panels.show_error("no file has so long a name; drop a file");
        const Result<FileKind> kind = kind_of_file(file);
        if (!kind) return frame_state_->panels.show_error(kind.error().message);
        if (*kind == FileKind::kLesson) return open_lesson(file);
        if (*kind == FileKind::kRace) return open_race(file);
        if (*kind == FileKind::kProgram) {
            return open_program(program_request(
                {.file = file, .generation = std::string(workbench_->generation().id)}));
        }
        apply(OpenTrace{file});
        if (workbench_->message_is_error()) return;
        placed_ = true;
        note_opened(file);
    }

    const WindowOptions& options_;
    Window& window_;
    std::unique_ptr<Workbench> workbench_;
    std::unique_ptr<FrameState> frame_state_ = std::make_unique<FrameState>();
    FramePace pace_;
    double now_seconds_ = 0;
    bool placed_ = false;
    Commands asked_;  // to be carried out before the next frame
    std::optional<std::filesystem::path> picture_wanted_, race_picture_wanted_;
    bool copy_wanted_ = false, asked_to_close_ = false;
    std::ofstream log_file_;
    std::optional<CommandLog> log_;  // --commands
    std::optional<ViewRestorer> restorer_;
    KeptState kept_;
    SavedView last_view_{.subject = {.kernel = RecordRequest{}.kernel}};  // the same as kept_.view
    FileWatch program_file_, lesson_file_, exercise_file_;
    std::string printed_, title_;
};

}  // namespace

Status run_window(const WindowOptions& options) {
    std::optional<Trace> trace;
    if (options.file && !has_ending_of(*options.file, FileKind::kRace)) {
        Trace read = TRY(open_trace(*options.file));
        trace = std::move(read);
    }
    std::unique_ptr<Window> window = TRY(Window::open({.width = options.width,
                                                       .height = options.height,
                                                       .exact = options.size_given,
                                                       .scaled = !options.size_kept}));
    return Session(options, *window, std::move(trace)).run();
}

}  // namespace tilereel
