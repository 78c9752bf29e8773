#include "app/lesson/read_lesson.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "app/lesson/read_scene.h"
#include "app/subject/file_kind.h"
#include "instrumentation/base/files/regular_file.h"
#include "instrumentation/base/files/toml_depth.h"
#include "instrumentation/base/files/toml_keys.h"

namespace tilereel {
namespace {

std::string trimmed(std::string text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (!text.empty() && is_blank(text.back())) text.pop_back();
    const auto first = std::ranges::find_if_not(text, is_blank);
    return {first, text.end()};
}

void read_table(const toml::table& table, LessonReading& reading) {
    TomlKeys keys(table, 1, reading.mistakes);
    reading.lesson.title = trimmed(keys.text("title"));
    reading.lesson.about = trimmed(keys.text("about"));
    reading.lesson.number = keys.whole("number", 1, reading.lesson.number);
    if (reading.lesson.title.empty()) keys.complain(1, "the lesson has no title");
    const toml::node* const scenes = keys.take("scene");
    const toml::array* const list = scenes == nullptr ? nullptr : scenes->as_array();
    if (list == nullptr || list->empty()) {
        const bool is_exercise = table.contains("checks");
        keys.complain(1, is_exercise ? "this is an exercise and no lesson: open its .cu, and judge "
                                       "a solution with tilereel grade"
                                     : "the lesson has no scene: begin each with [[scene]]");
        return;
    }
    for (const toml::node& node : *list) {
        const toml::table* const scene = node.as_table();
        if (scene == nullptr) {
            keys.complain(line_of(node, 1), "begin each scene with [[scene]]");
            continue;
        }
        read_scene(*scene, reading);
    }
    keys.refuse_unknown("a lesson");
}

void check_ids(LessonReading& reading) {
    std::vector<std::string> ids;
    for (const LessonScene& scene : reading.lesson.scenes) {
        if (!scene.id.empty() && std::ranges::find(ids, scene.id) != ids.end())
            reading.mistakes.push_back(
                {scene.line, "two scenes have the id \"" + scene.id + "\": rename one of them"});
        ids.push_back(scene.id);
    }
}

}  // namespace

std::string text_of(const std::filesystem::path& file, const LessonMistake& mistake) {
    const std::string where = mistake.line > 0 ? ", line " + std::to_string(mistake.line) : "";
    return file.filename().string() + where + ": " + mistake.sentence;
}

LessonReading lesson_of_text(std::string_view text, const std::filesystem::path& file) {
    LessonReading reading{.lesson = {.file = file, .title = {}, .about = {}, .scenes = {}},
                          .text = std::string(text),
                          .mistakes = {}};
    if (const std::optional<int> deep = too_deep_line(text)) {
        reading.mistakes.push_back(
            {*deep, "this is nested too deeply; a lesson needs no more than " +
                        std::to_string(kDeepestToml) + " levels"});
        return reading;
    }
    try {
        read_table(toml::parse(text), reading);
    } catch (const toml::parse_error& error) {
        reading.mistakes.push_back({static_cast<int>(error.source().begin.line),
                                    "this is no TOML: " + std::string(error.description())});
    }
    check_ids(reading);
    std::ranges::stable_sort(reading.mistakes, {}, &LessonMistake::line);
    return reading;
}

LessonReading read_lesson(const std::filesystem::path& file) {
    const auto fault = [&file](std::string sentence) {
        return LessonReading{.lesson = {.file = file, .title = {}, .about = {}, .scenes = {}},
                             .text = {},
                             .mistakes = {{0, std::move(sentence)}}};
    };
    const Result<std::string> text = read_regular_file(file, kLargestLessonBytes);
    if (!text) return fault(text.error().message);
    return lesson_of_text(*text, file);
}

std::string_view line_of_text(std::string_view text, int line) {
    for (int at = 1; at < line && !text.empty(); ++at)
        text.remove_prefix(std::min(text.size(), text.find('\n') == std::string_view::npos
                                                     ? text.size()
                                                     : text.find('\n') + 1));
    return line < 1 ? std::string_view() : text.substr(0, text.find('\n'));
}

int line_of_words(std::string_view text, int from_line, std::string_view words) {
    std::size_t from = 0;
    for (int line = 1; line < from_line && from != std::string_view::npos; ++line) {
        from = text.find('\n', from);
        if (from != std::string_view::npos) ++from;
    }
    const std::size_t at = from == std::string_view::npos ? from : text.find(words, from);
    if (at == std::string_view::npos) return from_line;
    return from_line + static_cast<int>(std::ranges::count(text.substr(from, at - from), '\n'));
}

std::vector<std::filesystem::path> lessons_in(const std::filesystem::path& folder) {
    std::vector<std::pair<int, std::filesystem::path>> lessons;
    std::error_code none;
    for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end;
         at.increment(none))
        if (has_ending_of(at->path(), FileKind::kLesson))
            lessons.emplace_back(read_lesson(at->path()).lesson.number, at->path());
    std::ranges::sort(lessons);
    std::vector<std::filesystem::path> files;
    for (const auto& [number, file] : lessons) files.push_back(file);
    return files;
}

}  // namespace tilereel
