#include <nlohmann/json.hpp>

#include "app/cli/command_line_program.h"
#include "app/cli/options/checked_option.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "app/export/html/export_lesson_html.h"
#include "app/lesson/prepare_lesson.h"
#include "app/lesson/shipped.h"
#include "app/replay/sentence/wording.h"
#include "app/workbench/lesson/lesson_times.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

std::string listed(bool json) {
    Json rows = Json::array();
    std::string text;
    for (const std::filesystem::path& file : lessons_in(shipped_folder("lessons"))) {
        const Lesson lesson = read_lesson(file).lesson;
        rows.push_back({{"name", file.stem().string()},
                        {"title", lesson.title},
                        {"about", lesson.about},
                        {"scenes", lesson.scenes.size()}});
        text += file.stem().string() + ": " + lesson.title + ", " +
                std::to_string(lesson.scenes.size()) + " scenes\n  " + lesson.about + "\n";
    }
    return json ? json_text(rows, 1) + "\n" : text;
}

std::string summary(const PreparedLesson& prepared, bool json) {
    const Lesson& lesson = prepared.reading.lesson;
    std::size_t stops = 0, questions = 0, races = 0;
    for (const LessonScene& scene : lesson.scenes) {
        stops += scene.stops.size();
        questions += scene.question.empty() && !scene.predict ? 0 : 1;
        races += scene.race ? 1 : 0;
    }
    Json warnings = Json::array();
    std::string warned;
    for (const LessonMistake& warning : prepared.warnings) {
        warnings.push_back({{"line", warning.line}, {"message", warning.sentence}});
        warned += "Warning: " + text_of(lesson.file, warning) + "\n";
    }
    if (json)
        return json_text(Json{{"file", lesson.file.string()},
                              {"title", lesson.title},
                              {"scenes", lesson.scenes.size()},
                              {"stops", stops},
                              {"questions", questions},
                              {"scenes_not_run", prepared.left_out},
                              {"warnings", warnings},
                              {"races", races}},
                         1) +
               "\n";
    return lesson.file.filename().string() + ": sound: \"" + lesson.title + "\", " +
           counted(lesson.scenes.size(), "scene", "scenes") + " with " +
           counted(stops, "stop", "stops") + ", " + counted(questions, "question", "questions") +
           ", " + counted(races, "race", "races") + "\n" +
           (prepared.left_out == 0
                ? ""
                : "Not run: " + counted(prepared.left_out, "scene", "scenes") +
                      " of a program; --run-programs runs them and checks them, too\n") +
           warned;
}

// Prints each mistake on a separate line, except the last, which is returned as the command's
// error. There must be at least one.
Error report_mistakes(const LessonReading& reading) {
    const auto sentence = [&reading](std::size_t i) {
        return text_of(reading.lesson.file, reading.mistakes[i]);
    };
    const std::size_t last = reading.mistakes.size() - 1;
    for (std::size_t i = 0; i < last; ++i)
        report_error("tilereel lesson", sentence(i), ErrorKind::kFailed);
    return failed(sentence(last));
}

// The text of a lesson, scene by scene.
std::string script(const PreparedLesson& prepared) {
    std::string text = prepared.reading.lesson.title + "\n";
    for (const PreparedScene& scene : prepared.scenes) {
        text += "\n" + scene.title + "\n";
        text += scene.text + "\n";
        for (const PreparedStop& stop : scene.stops)
            if (!stop.say.empty()) text += "- " + stop.say + "\n";
        if (!scene.question.empty()) text += "? " + scene.question + "\n! " + scene.answer + "\n";
    }
    return text;
}

}  // namespace

void LessonCommand::add_to(CLI::App& app) {
    app.add_option("FILE", file,
                   "A lesson (.toml), or the name of one that is shipped; without one, the "
                   "shipped lessons are listed")
        ->type_name("");
    add_whole_option(app, "--scene", scene, 1, 1000, "Scene to open or to write, counted from 1");
    CLI::Option* const checks = app.add_flag(
        "--check", check,
        "Check the lesson instead of showing it: exit code 0, or 1 with each mistake and its line");
    app.add_flag(
           "--run-programs", runs_programs,
           "With --check: run the programs that the lesson shows, and check their scenes, too")
        ->needs(checks);
    app.add_flag("--script", script_wanted, "Print its sentences with their figures")
        ->excludes(checks);
    app.add_flag("--json", json, "Print JSON; with a FILE, needs --check");
    add_file_option(app, "--png", png, "Picture to write, of --scene or else of the first scene");
    add_file_option(app, "--html", html,
                    "Page to write: the whole lesson, to read and replay in any browser");
    films.add_to(app,
                 "Film of the lesson to write, or of one --scene, as Page Down walks through it");
    add_whole_option(
        app, "--words", words_a_minute, 30, 1000,
        "Words a minute that a viewer reads; decides how long a film waits at each stop "
        "(default 180)");
    add_look_options(app, picture);
}

Result<std::filesystem::path> LessonCommand::find_file() const {
    if (const auto path = find_shipped("lessons", file)) return *path;
    return wrong_call("there is no lesson '" + file + "'; 'tilereel lesson' lists those shipped");
}

Status LessonCommand::write(const std::filesystem::path& lesson) const {
    TRY(films.can_be_written());
    LessonPictureRequest request{.file = lesson, .look = look_of(picture)};
    if (scene) request.scene = static_cast<std::size_t>(*scene) - 1;
    if (words_a_minute) request.words_a_minute = *words_a_minute;
    if (!png.empty()) TRY(export_lesson_png(request, png));
    return films.write_all(
        [&request](FilmKind kind, const std::string& path, const FilmOptions& film) {
            return export_lesson_film(request, kind, path, film);
        });
}

Result<std::string> LessonCommand::write_page(const std::filesystem::path& lesson) const {
    if (picture.size_given || picture.text_px)
        return wrong_call(
            "a page has the size of its reader's window; leave --size and --text out");
    Interruption interruption;
    LessonPageRequest request{.light = picture.light};
    if (scene) request.scene = static_cast<std::size_t>(*scene) - 1;
    request.interrupted = interruption.callback();
    const PreparedLesson prepared =
        prepare_lesson(read_lesson(lesson), with_estimates(LessonTools{}));
    if (!prepared.sound()) return report_mistakes(prepared.reading);
    const std::uint64_t bytes = TRY(export_lesson_html(prepared, request, html));
    return "'" + html + "' has " + with_commas((bytes + 1023) >> 10) + " KiB and " +
           counted(prepared.scenes.size(), "scene", "scenes") + "\n";
}

Status LessonCommand::check_options() const {
    if (json && !file.empty() && !check) return wrong_call("--json needs --check");
    const bool shows = !file.empty() && !check && !script_wanted;
    if (!shows && (scene || picture.look_given()))
        return wrong_call(
            "--scene, --size, --light and --text are for a lesson that is shown, with a FILE and "
            "without --check and --script; leave them out");
    return Done{};
}

Result<std::string> LessonCommand::run() const {
    TRY(check_options());
    if (words_a_minute && !films.any())
        return wrong_call("--words is for a film; give --gif, --mp4 or --webm with a FILE");
    if (file.empty()) {
        if (check || script_wanted || writes())
            return wrong_call("name the lesson to check, to print or to write, such as tiling");
        return listed(json);
    }
    const std::filesystem::path path = TRY(find_file());
    if (writes()) {
        if (check || script_wanted)
            return wrong_call("--check and --script draw nothing; leave them out, or the pictures");
        if (!html.empty() && (!png.empty() || films.any()))
            return wrong_call("give --html alone, and pictures and films in another call");
        if (!html.empty()) return write_page(path);
        TRY(write(path));
        return std::string();
    }
    LessonTools tools;
    // A check is made of lessons that one does not know yet, so it runs nothing of theirs.
    tools.runs_programs =
        !check || runs_programs || path.parent_path() == shipped_folder("lessons");
    const PreparedLesson prepared = prepare_lesson(read_lesson(path), with_estimates(tools));
    if (!prepared.sound()) return report_mistakes(prepared.reading);
    return script_wanted ? script(prepared) : summary(prepared, json);
}

}  // namespace tilereel
