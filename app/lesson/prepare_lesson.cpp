#include "app/lesson/prepare_lesson.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/ladder/kernel_of_trace.h"
#include "app/ladder/ladder.h"
#include "app/lesson/given_away.h"
#include "app/lesson/place.h"
#include "app/lesson/read_scene.h"
#include "app/lesson/shipped.h"
#include "app/race/files/race_file.h"
#include "app/replay/places/lock_step.h"
#include "app/subject/file_kind.h"
#include "app/subject/program_launch.h"
#include "app/subject/rung_launch.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

// The results of a recording, shared by all scenes that show it.
struct Recorded {
    Subject launch;
    std::shared_ptr<const Trace> trace;  // nullptr: see `error`
    std::string error;
};

class Preparation {
  public:
    Preparation(LessonReading reading, const LessonTools& tools) : tools_(tools) {
        lesson_.reading = std::move(reading);
        lesson_.scenes.resize(scenes().size());
    }

    PreparedLesson run() {
        if (lesson_.sound())
            for (std::size_t i = 0; i < scenes().size() && !cancelled(); ++i) prepare(i);
        if (lesson_.sound())
            for (std::size_t i = 0; i < scenes().size() && !cancelled(); ++i) fill(i);
        std::ranges::stable_sort(lesson_.reading.mistakes, {}, &LessonMistake::line);
        return std::move(lesson_);
    }

  private:
    [[nodiscard]] const std::vector<LessonScene>& scenes() const {
        return lesson_.reading.lesson.scenes;
    }
    [[nodiscard]] bool cancelled() const { return tools_.cancel != nullptr && *tools_.cancel; }
    void complain(int line, std::string sentence) {
        lesson_.reading.mistakes.push_back({line, std::move(sentence)});
    }

    void prepare(std::size_t i) {
        const LessonScene& scene = scenes()[i];
        if (scene.race) return prepare_race(scene, lesson_.scenes[i]);
        if (is_left_out(scene)) {
            ++lesson_.left_out;
            return check_program_files(scene);
        }
        if (scene.timed) put_time(scene, lesson_.scenes[i]);
        const Recorded recorded = recording_of(scene.launch);
        if (recorded.trace == nullptr) return complain(scene.line, recorded.error);
        if (!scene.other) return prepare_replay(scene, recorded, nullptr, lesson_.scenes[i]);
        const Recorded other = recording_of(*scene.other);
        if (other.trace == nullptr) return complain(scene.line, other.error);
        prepare_replay(scene, recorded, &other, lesson_.scenes[i]);
    }

    [[nodiscard]] bool is_left_out(const LessonScene& scene) const {
        const auto runs = [](const Subject& launch) {
            return has_ending_of(launch.file, FileKind::kProgram);
        };
        return !tools_.runs_programs && (runs(scene.launch) || (scene.other && runs(*scene.other)));
    }
    void check_program_files(const LessonScene& scene) {
        for (const Subject* launch : {&scene.launch, scene.other ? &*scene.other : nullptr}) {
            if (launch == nullptr || launch->file.empty()) continue;
            if (const Status sound = check_scene_file(*launch); !sound)
                complain(scene.line, sound.error().message);
        }
    }

    void put_time(const LessonScene& scene, PreparedScene& prepared) {
        const Result<LessonTime> time =
            tools_.estimate ? tools_.estimate(*scene.timed) : failed("nothing estimates here");
        if (!time) return complain(scene.line, time.error().message);
        put_time_figures(prepared.figures, *time);
    }

    void prepare_race(const LessonScene& scene, PreparedScene& prepared) {
        if (lesson_.race == nullptr) {
            const auto file =
                tools_.race.empty() ? shipped_folder("races") / "h100_ladder.json" : tools_.race;
            Result<Race> race = read_race(file);
            if (!race) return complain(scene.line, race.error().message);
            lesson_.race = std::make_shared<const Race>(std::move(race).value());
        }
        if (const Status put = put_race_figures(prepared.figures, *lesson_.race, *scene.race); !put)
            complain(scene.line, put.error().message);
    }

    const Recorded& recording_of(const Subject& launch) {
        const auto same = std::ranges::find_if(
            recorded_, [&](const Recorded& each) { return same_recording(each.launch, launch); });
        if (same != recorded_.end()) return *same;
        Recorded fresh{.launch = launch, .trace = {}, .error = {}};
        Result<Trace> trace = record(launch);
        if (trace)
            fresh.trace = std::make_shared<const Trace>(std::move(trace).value());
        else
            fresh.error = trace.error().message;
        return recorded_.emplace_back(std::move(fresh));
    }

    [[nodiscard]] Result<Trace> record(const Subject& launch) const {
        if (has_ending_of(launch.file, FileKind::kProgram)) return record_program(launch);
        if (!launch.file.empty()) return with_product(open_trace(launch.file));
        const RecordRequest request = record_request(launch);
        return tools_.record ? tools_.record(request) : record_ladder(request);
    }

    static Result<Trace> with_product(Result<Trace> trace) {
        if (!trace) return trace;
        if (const auto product = recognise_product(*trace)) name_product(*trace, *product);
        return trace;
    }

    [[nodiscard]] Result<Trace> record_program(const Subject& launch) const {
        const program::ProgramRequest request = program_request(launch);
        const program::ProgramRun run =
            TRY(tools_.run ? tools_.run(request) : program::run_program(request));
        if (!run.compile_errors.empty())
            return failed(launch.file.filename().string() +
                          " does not compile: " + run.compile_errors.front().message);
        if (launch.launch >= run.launches.size())
            return wrong_call("the program has " + std::to_string(run.launches.size()) +
                              " launches; launch = 0 is the first of them");
        const program::LaunchSummary& summary = run.launches[launch.launch];
        if (summary.trace.empty()) return failed(summary.reason);
        return with_product(read_trace(summary.trace));
    }

    // Adds the figures of the other side of a comparison with the prefix "other.".
    static void add_as_other(LessonFigures& figures, const LessonFigures& other) {
        for (const auto& [name, value] : other) figures["other." + name] = value;
    }

    // `other`: the other side of a comparison, or nullptr.
    void prepare_replay(const LessonScene& scene, const Recorded& recorded, const Recorded* other,
                        PreparedScene& prepared) {
        const Trace& trace = *recorded.trace;
        const Subject& launch = scene.launch;
        const Dim3& grid = trace.launch.grid;
        if (launch.block_x >= grid.x || launch.block_y >= grid.y * grid.z)
            return complain(scene.line, "the grid has " + std::to_string(grid.x) + " x " +
                                            std::to_string(grid.y * grid.z) + " blocks");
        prepared.trace = recorded.trace;
        prepared.request = record_request(launch);
        prepared.request.order = trace.launch.order;
        prepared.request.find_failing_order = false;
        prepared.block = launch.block_y * grid.x + launch.block_x;
        Result<Replay> replay = Replay::of_block(trace, prepared.block, generation_of(launch));
        if (!replay) return complain(scene.line, replay.error().message);
        const std::vector<Finding> findings =
            put_figures_of_launch(prepared.figures, trace, generation_of(launch));
        check_highlights(scene, trace);
        if (other == nullptr) return find_stops(scene, findings, *replay, nullptr, prepared);
        prepared.other = other->trace;
        // The right side watches the same block if its grid has the same size, as in the window.
        const Trace& theirs = *other->trace;
        const std::uint32_t block =
            theirs.launch.grid == grid ? prepared.block : block_at(theirs, place_at(*replay, 0));
        prepared.other_block = block;
        Result<Replay> right = Replay::of_block(theirs, block, generation_of(*scene.other));
        if (!right) return complain(scene.line, right.error().message);
        LessonFigures figures;
        put_figures_of_launch(figures, theirs, generation_of(*scene.other));
        add_as_other(prepared.figures, figures);
        find_stops(scene, findings, *replay, &*right, prepared);
    }

    static std::vector<Finding> put_figures_of_launch(LessonFigures& figures, const Trace& trace,
                                                      const Generation& generation) {
        std::vector<Finding> findings = find_hazards(trace, generation);
        const KernelCounts counts = count_kernel(trace, {}, generation);
        LessonLaunchFacts facts{trace, counts, generation};
        for (const Finding& finding : findings)
            ++(finding.severity == Severity::kError ? facts.errors : facts.warnings);
        put_launch_figures(figures, facts);
        return findings;
    }

    void find_stops(const LessonScene& scene, const std::vector<Finding>& findings, Replay& replay,
                    Replay* other, PreparedScene& prepared) {
        std::optional<LockStep> steps;
        if (other != nullptr) steps.emplace(replay, *other);
        for (const LessonStop& stop : scene.stops) {
            const Result<double> position = position_of(replay, findings, stop.at);
            if (!position) {
                complain(stop.line, position.error().message);
                continue;
            }
            replay.seek(static_cast<Tick>(*position));
            put_moment_figures(prepared.figures, replay);
            PreparedStop reached;
            reached.position = *position;
            if (steps) {
                const double common = steps->common_of(Side::kLeft, *position);
                reached.other_position = steps->position_of(Side::kRight, common);
                other->seek(static_cast<Tick>(reached.other_position));
                LessonFigures figures;
                put_moment_figures(figures, *other);
                add_as_other(prepared.figures, figures);
            }
            stop_figures_[&scene].push_back(prepared.figures);
            prepared.stops.push_back(std::move(reached));
        }
    }

    void check_highlights(const LessonScene& scene, const Trace& trace) {
        for (const std::string& name : scene.highlight) {
            const bool shared = std::ranges::any_of(trace.arrays, [&](const Array& array) {
                return array.space == Space::kShared && array.name == name;
            });
            if (!shared && !is_picture_part(name))
                complain(scene.line, "the picture has no part \"" + name +
                                         "\"; it has A, B, C, banks, warps, map, registers and the "
                                         "shared arrays by name");
        }
    }

    [[nodiscard]] const LessonScene* scene_of(std::string_view id) const {
        const auto found = std::ranges::find(scenes(), id, &LessonScene::id);
        return found == scenes().end() ? nullptr : &*found;
    }
    // The figures of the scene with this id. nullptr if there is none.
    [[nodiscard]] const LessonFigures* figures_of(std::string_view id) const {
        for (std::size_t i = 0; i < scenes().size(); ++i)
            if (scenes()[i].id == id) return &lesson_.scenes[i].figures;
        return nullptr;
    }

    [[nodiscard]] const LessonValue* look_up(const LessonFigures& own,
                                             std::string_view name) const {
        const std::size_t colon = name.find(':');
        const LessonFigures* const figures =
            colon == std::string_view::npos ? &own : figures_of(name.substr(0, colon));
        if (figures == nullptr) return nullptr;
        static const LessonValue unknown = 0.0;  // of a scene that is left out
        if (colon != std::string_view::npos && is_left_out(*scene_of(name.substr(0, colon))))
            return &unknown;
        const auto found =
            figures->find(colon == std::string_view::npos ? name : name.substr(colon + 1));
        return found == figures->end() ? nullptr : &found->second;
    }

    std::string fill_text(const std::string& text, int line, const LessonFigures& own) {
        const Result<std::string> result =
            filled(text, [&](std::string_view name) { return look_up(own, name); });
        if (result) return *result;
        const std::string& sentence = result.error().message;
        const std::size_t begin = sentence.find('{'), end = sentence.find('}');
        const bool names = begin != std::string::npos && end != std::string::npos;
        const std::string wanted = names ? sentence.substr(begin + 1, end - begin - 1) : "{";
        complain(line_of_words(lesson_.reading.text, line, wanted), sentence);
        return text;
    }

    // The text uses the figures of the first stop, the question and its answer those of the last
    // stop.
    void fill(std::size_t i) {
        const LessonScene& scene = scenes()[i];
        if (!scene.race && is_left_out(scene)) return;
        PreparedScene& prepared = lesson_.scenes[i];
        const std::vector<LessonFigures>& at = stop_figures_[&scene];
        const LessonFigures& first = at.empty() ? prepared.figures : at.front();
        prepared.title = fill_text(scene.title, scene.line, first);
        prepared.text = fill_text(scene.text, scene.line, first);
        prepared.question = fill_text(scene.question, scene.line, prepared.figures);
        prepared.answer = fill_text(scene.answer, scene.line, prepared.figures);
        for (std::size_t stop = 0; stop < prepared.stops.size(); ++stop)
            prepared.stops[stop].say =
                fill_text(scene.stops[stop].say, scene.stops[stop].line, at[stop]);
        warn_of_answers(scene, prepared, first);
    }

    // The text is beside the question; the title also is above a prediction.
    void warn_of_answers(const LessonScene& scene, const PreparedScene& prepared,
                         const LessonFigures& first) {
        std::string shown = prepared.title + "\n" + prepared.text;
        for (const PreparedStop& stop : prepared.stops) shown += "\n" + stop.say;
        if (gives_away(shown, prepared.question, prepared.answer))
            lesson_.warnings.push_back({scene.line,
                                        "the text gives the answer to its question away; leave its "
                                        "numbers to the answer"});
        if (!scene.predict) return;
        for (const auto& [figure, unit] :
             std::array<std::array<const char*, 2>, 3>{{{"wavefronts", "wavefront"},
                                                        {"sectors", "sector"},
                                                        {"conflicts", "bank conflict"}}}) {
            const auto found = first.find(figure);
            const double* value =
                found == first.end() ? nullptr : std::get_if<double>(&found->second);
            if (value == nullptr || !names_cost(prepared.title, *value, unit)) continue;
            return lesson_.warnings.push_back(
                {scene.line,
                 "the title gives the predicted cost away; say it in the text, which waits for the "
                 "answer"});
        }
    }

    const LessonTools& tools_;
    PreparedLesson lesson_;
    std::vector<Recorded> recorded_;
    std::map<const LessonScene*, std::vector<LessonFigures>> stop_figures_;  // index: stop
};

}  // namespace

bool is_picture_part(const std::string& name) {
    constexpr std::array<std::string_view, 7> kParts = {"A",     "B",   "C",        "banks",
                                                        "warps", "map", "registers"};
    return std::ranges::find(kParts, name) != kParts.end();
}

PreparedLesson prepare_lesson(LessonReading reading, const LessonTools& tools) {
    return Preparation(std::move(reading), tools).run();
}

Error mistakes_of(const PreparedLesson& prepared) {
    std::string text;
    for (const LessonMistake& mistake : prepared.reading.mistakes)
        text += (text.empty() ? "" : "; ") + text_of(prepared.reading.lesson.file, mistake);
    return failed(text);
}

}  // namespace tilereel
