#include "app/export/html/export_lesson_html.h"

#include <optional>
#include <span>
#include <string>

#include "app/export/html/html_text.h"
#include "app/export/html/lesson_replays.h"
#include "app/export/html/lesson_scene_html.h"
#include "app/export/html/page_data.h"
#include "app/replay/places/lock_step.h"
#include "app/workbench/lesson/lesson_bench.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/format/json_text.h"
#include "page_parts.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

// The replays that a scene shows, by number. nullopt: a race, or no second side.
struct SceneReplays {
    std::optional<std::size_t> left, right;
};

Result<SceneReplays> replays_of(const LessonScene& scene, const PreparedScene& prepared,
                                LessonReplays& replays) {
    SceneReplays shown;
    if (prepared.trace != nullptr)
        shown.left =
            TRY(replays.number_of(*prepared.trace, prepared.block, generation_of(scene.launch)));
    if (prepared.trace != nullptr && prepared.other != nullptr)
        shown.right = TRY(
            replays.number_of(*prepared.other, prepared.other_block, generation_of(*scene.other)));
    return shown;
}

Json number_or_null(const std::optional<std::size_t>& number) {
    return number ? Json(*number) : Json(nullptr);
}

// The ticks of both sides at the beginning of each common step, and at the end.
Json pairs_of(const Replay& left, const Replay& right) {
    const LockStep steps(left, right);
    Json pairs = Json::array();
    const auto add = [&](Tick common) {
        const auto at = [&](Side side) {
            return static_cast<Tick>(steps.position_of(side, static_cast<double>(common)));
        };
        pairs.push_back({at(Side::kLeft), at(Side::kRight)});
    };
    for (const LockStepEntry& entry : steps.entries()) add(entry.begin);
    add(steps.ticks());
    return pairs;
}

const char* word_of(LessonBeat::Kind kind) {
    switch (kind) {
        case LessonBeat::Kind::kPrediction:
            return "prediction";
        case LessonBeat::Kind::kStop:
            return "stop";
        case LessonBeat::Kind::kQuestion:
            return "question";
        case LessonBeat::Kind::kAnswer:
            return "answer";
    }
    return "";
}

Json scene_data(const LessonScene& scene, const PreparedScene& prepared, const SceneReplays& shown,
                LessonReplays& replays) {
    Json beats = Json::array(), stops = Json::array();
    for (const LessonBeat& beat : beats_of(scene))
        beats.push_back({{"kind", word_of(beat.kind)}, {"stop", beat.stop}});
    for (const PreparedStop& stop : prepared.stops)
        stops.push_back({static_cast<Tick>(stop.position), static_cast<Tick>(stop.other_position)});
    Json data = {{"title", prepared.title},
                 {"beats", std::move(beats)},
                 {"stops", std::move(stops)},
                 {"left", number_or_null(shown.left)},
                 {"right", number_or_null(shown.right)},
                 {"banks", scene.picture == LessonPicture::kBanks},
                 {"highlight", scene.highlight}};
    if (shown.left) data["names"] = {words_of_launch(replays.at(*shown.left))};
    if (shown.left && shown.right) {
        data["names"].push_back(words_of_launch(replays.at(*shown.right)));
        data["pairs"] = pairs_of(replays.at(*shown.left), replays.at(*shown.right));
    }
    return data;
}

std::string contents(const PreparedLesson& lesson) {
    std::string list = "<nav id=\"contents\" aria-label=\"Scenes\"><ol>\n";
    for (std::size_t i = 0; i < lesson.scenes.size(); ++i)
        list += "<li><a href=\"#scene-" + std::to_string(i + 1) + "\">" +
                escaped(lesson.scenes[i].title) + "</a></li>\n";
    return list + "</ol></nav>\n";
}

// The page's parts with the lesson's text in their places.
std::string page_of(const PreparedLesson& lesson, const LessonPageRequest& request,
                    const std::string& scenes, const Json& data, const std::string& replays) {
    const Lesson& read = lesson.reading.lesson;
    std::string page = "<!doctype html>\n<html lang=\"en\"";
    page += request.light ? " class=\"light\">" : ">";
    page += "\n<head>\n<meta charset=\"utf-8\">\n<title>" + escaped(read.title) +
            " - Tilereel</title>\n<style>\n";
    page += html_page::kColours;
    page += html_page::kLessonStyle;
    page += "</style>\n";
    page += html_page::kLessonHead;
    page += "<header><span class=\"mark\">Tilereel</span><h1>" + escaped(read.title) + "</h1>";
    page += html_page::kLessonButtons;
    page += "</header>\n<p id=\"about\">" + escaped(read.about) + "</p>\n" + contents(lesson);
    page += "<main>\n<div id=\"scenes\">\n" + scenes + "</div>\n";
    page += html_page::kLessonPicture;
    page += "</main>\n";
    page += html_page::kLessonFoot;
    page += script_with("lesson", embeddable(data));
    page += "<script type=\"text/plain\" id=\"packed\">" + replays + "</script>";
    page += "<script>\n'use strict';\n(() => {\n";
    page += html_page::kLessonScript;
    page += "})();\n</script>\n</body>\n</html>\n";
    return page;
}

// The replay's own page, from which the script makes the frames.
Json parts_of_replay() {
    return {
        {"style", std::string(html_page::kColours) + html_page::kStyle + html_page::kEmbeddedStyle},
        {"body", html_page::kBody},
        {"script", html_page::kScript}};
}

}  // namespace

Result<std::uint64_t> export_lesson_html(const PreparedLesson& lesson,
                                         const LessonPageRequest& request,
                                         const std::filesystem::path& path) {
    if (!lesson.sound()) return mistakes_of(lesson);
    if (request.scene >= lesson.scenes.size())
        return wrong_call("the lesson has " + std::to_string(lesson.scenes.size()) +
                          " scenes; choose one of them");
    // Opened first, so that a path that cannot be written is reported before the work.
    ReplacingFile file = TRY(ReplacingFile::open(path));
    LessonReplays replays([&]() -> Status {
        if (!request.interrupted || !request.interrupted()) return Done{};
        return Error{ErrorKind::kCancelled, "interrupted; '" + path.string() + "' was not written"};
    });
    std::string scenes;
    Json data = {{"opening", request.scene}, {"scenes", Json::array()}};
    for (std::size_t i = 0; i < lesson.scenes.size(); ++i) {
        const LessonScene& scene = lesson.reading.lesson.scenes[i];
        const PreparedScene& prepared = lesson.scenes[i];
        const SceneReplays shown = TRY(replays_of(scene, prepared, replays));
        data["scenes"].push_back(scene_data(scene, prepared, shown, replays));
        scenes += scene_html(i + 1, scene, prepared, lesson.race.get(),
                             shown.left ? &replays.at(*shown.left) : nullptr,
                             shown.right ? &replays.at(*shown.right) : nullptr);
    }
    const Json shown = {{"replays", replays.json()}, {"page", parts_of_replay()}};
    const std::string page = page_of(lesson, request, scenes, data, packed(json_text(shown)));
    if (page.size() > kMostPageBytes)
        return failed("the page would have " + std::to_string(page.size() >> 20) + " MiB, and " +
                      std::to_string(kMostPageBytes >> 20) +
                      " is the most that opens well; choose smaller launches");
    TRY(file.write(std::as_bytes(std::span(page))));
    TRY(file.commit());
    return page.size();
}

}  // namespace tilereel
