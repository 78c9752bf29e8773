// The page of `lesson --html`: what it says without its script, and what a reader sees who walks
// through it in a real browser. The expected words and positions come from the prepared lesson.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "app/export/html/export_lesson_html.h"
#include "app/export/html/html_text.h"
#include "app/lesson/shipped.h"
#include "app/workbench/lesson/lesson_bench.h"
#include "app/workbench/lesson/lesson_times.h"
#include "instrumentation/base/format/with_commas.h"
#include "tests/window/browser.h"

namespace tilereel::lesson_page_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLessons = TILEREEL_SOURCE_DIR "/assets/lessons";
constexpr const char* kRace = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// The page without its scripts and its style.
std::string without_scripts(std::string page) {
    for (const auto& [begin, end] : std::array<std::array<std::string, 2>, 2>{
             {{"<script", "</script>"}, {"<style>", "</style>"}}})
        for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at))
            page.erase(at, page.find(end, at) + end.size() - at);
    return page;
}

// Whether each element is closed in order. Returns the first mistake, or nothing.
std::string mistake_in(const std::string& html) {
    std::vector<std::string> open;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const std::size_t end = html.find('>', at);
        if (end == std::string::npos) return "a tag without an end";
        const std::string tag = html.substr(at + 1, end - at - 1);
        if (tag.empty() || tag.front() == '!') continue;
        const bool closes = tag.front() == '/';
        const std::size_t from = closes ? 1 : 0;
        const std::string name = tag.substr(from, tag.find_first_of(" \n", from) - from);
        if (name == "meta") continue;
        if (!closes) {
            open.push_back(name);
        } else if (open.empty() || open.back() != name) {
            return "</" + name + "> where <" + (open.empty() ? "" : open.back()) + "> is open";
        } else {
            open.pop_back();
        }
    }
    return open.empty() ? "" : "<" + open.back() + "> stays open";
}

// Words as the page has them: an end of a line within a paragraph is a blank.
std::string in_page(const std::string& words) { return escaped(words); }

class LessonPage : public ::testing::Test {
  protected:
    LessonPage()
        : folder_(std::filesystem::temp_directory_path() /
                  ("tilereel_lesson_page_" + std::to_string(::getpid()))),
          page_(folder_ / "page.html") {
        std::filesystem::create_directories(folder_);
    }
    ~LessonPage() override { std::filesystem::remove_all(folder_); }

    PreparedLesson prepared(const std::filesystem::path& file) {
        LessonTools tools;
        tools.race = kRace;
        PreparedLesson lesson = prepare_lesson(read_lesson(file), with_estimates(tools));
        EXPECT_TRUE(lesson.sound()) << mistakes_of(lesson).message;
        return lesson;
    }
    PreparedLesson written(const std::string& toml) {
        std::ofstream(folder_ / "lesson.toml") << toml;
        return prepared(folder_ / "lesson.toml");
    }

    std::filesystem::path folder_, page_;
};

// Each scene's words stand in the document itself, so it can be read and printed without a script.
TEST_F(LessonPage, EachShippedLessonIsAWholeDocumentUnderThreeMegabytes) {
    const auto files = lessons_in(kLessons);
    ASSERT_GE(files.size(), 10u);
    for (const auto& file : files) {
        const PreparedLesson lesson = prepared(file);
        const auto bytes = export_lesson_html(lesson, {}, page_);
        ASSERT_TRUE(bytes) << bytes.error().message;
        const std::string page = text_of(page_), words = without_scripts(page);
        EXPECT_EQ(*bytes, page.size());
        EXPECT_LT(page.size(), 3'000'000u) << file;
        EXPECT_EQ(mistake_in(words), "") << file;
        for (const PreparedScene& scene : lesson.scenes) {
            EXPECT_THAT(words, HasSubstr(in_page(scene.title) + "</h2>"));
            std::istringstream lines(scene.text);
            for (std::string line; std::getline(lines, line);) {
                EXPECT_THAT(words, HasSubstr(in_page(line)));
            }
            for (const PreparedStop& stop : scene.stops)
                EXPECT_THAT(words, HasSubstr(in_page(stop.say)));
            EXPECT_THAT(words, HasSubstr(in_page(scene.question)));
            if (!scene.answer.empty()) {
                EXPECT_THAT(words, HasSubstr("<p>" + in_page(scene.answer) + "</p></details>"));
            }
        }
        for (const char* const outside : {"http:", "https:", "src=", "url(", "@import", "import(",
                                          "fetch(", "XMLHttpRequest", "eval("})
            EXPECT_THAT(page, Not(HasSubstr(outside))) << file;
        for (std::size_t at = page.find("href="); at != std::string::npos;
             at = page.find("href=", at + 1))
            EXPECT_EQ(page.substr(at, 7), "href=\"#") << "a link within the page";
    }
}

TEST_F(LessonPage, TheWordsOfALessonAreText) {
    const std::string hostile = R"(</script><script>alert(1)</script><img onerror=\"x\" & ]]>)";
    const PreparedLesson lesson =
        written("title = \"" + hostile + "\"\nabout = \"" + hostile + "\"\n[[scene]]\ntitle = \"" +
                hostile + "\"\nkernel = \"09_tiled\"\nat = \"start\"\ntext = \"" + hostile +
                "\"\nquestion = \"" + hostile + "\"\nanswer = \"" + hostile +
                "\"\nthen = [{at = \"end\", say = \"" + hostile + "\"}]\n");
    ASSERT_TRUE(export_lesson_html(lesson, {}, page_));
    const std::string page = text_of(page_);
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(page, Not(HasSubstr("<img")));
    EXPECT_EQ(mistake_in(without_scripts(page)), "");
    std::size_t scripts = 0;
    for (std::size_t at = page.find("</script"); at != std::string::npos;
         at = page.find("</script", at + 1))
        ++scripts;
    EXPECT_EQ(scripts, 3u) << "the scenes, the replays and the script";
    if (installed_browser().empty()) return;
    const auto report = run_in_page(page_, R"(
document.addEventListener('shown', () => report(document.querySelector('.scene.now h2').textContent), { once: true });
)");
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["errors"], Json::array());
    EXPECT_EQ((*report)["value"], "1 </script><script>alert(1)</script><img onerror=\"x\" & ]]>");
}

TEST_F(LessonPage, MistakesWriteNothing) {
    std::ofstream(folder_ / "lesson.toml") << "title = \"T\"\n[[scene]]\ntitle = \"S\"\n";
    const PreparedLesson lesson = prepare_lesson(read_lesson(folder_ / "lesson.toml"));
    EXPECT_FALSE(export_lesson_html(lesson, {}, page_));
    EXPECT_FALSE(std::filesystem::exists(page_));
    const PreparedLesson sound =
        written("title = \"T\"\n[[scene]]\ntitle = \"S\"\nkernel = \"02_naive\"\n");
    const auto beyond = export_lesson_html(sound, {.scene = 1}, page_);
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().kind, ErrorKind::kWrongCall);
    LessonPageRequest request;
    request.interrupted = [] { return true; };
    const auto stopped = export_lesson_html(sound, request, page_);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::kCancelled);
    EXPECT_FALSE(std::filesystem::exists(page_));
}

// What the page shows at a beat. Frames are asked for the ticks of their replays.
constexpr const char* kLook = R"(
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
const once = () => new Promise((done) => document.addEventListener('shown', done, { once: true }));
const seen = (selector) => [...document.querySelectorAll('.scene.now ' + selector)].filter((each) => each.checkVisibility()).map((each) => each.textContent);
// A frame gets the clock of the page (browser.cpp).
const onClock = () => { for (const frame of frames()) { frame.contentWindow.requestAnimationFrame = window.requestAnimationFrame; frame.contentWindow.performance.now = performance.now; } };
const frames = () => [...document.querySelectorAll('iframe')];
const look = () => ({ scene: document.querySelector('.scene.now').id, title: seen('h2'), says: seen('.say'), question: seen('.question .asked'), answer: seen('.question .answer p'),
  asked: seen('.prediction .asked'), right: seen('.prediction .answer p'), ticks: frames().map((frame) => frame.contentWindow.replay.tick()), bars: seen('.bar b'), back: document.getElementById('back').disabled, on: document.getElementById('on').disabled });
)";

// A prediction is asked just before the request: one tick earlier.
Tick tick_of(double position, bool asks) {
    const auto tick = static_cast<Tick>(position);
    return asks && tick > 0 ? tick - 1 : tick;
}

TEST_F(LessonPage, PageDownWalksThroughAllBeats) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    for (const char* const name : {"bank_conflicts", "tiling"}) {
        const PreparedLesson lesson =
            prepared(std::filesystem::path(kLessons) / (std::string(name) + ".toml"));
        ASSERT_TRUE(export_lesson_html(lesson, {}, page_));
        std::size_t count = 0;
        for (const LessonScene& scene : lesson.reading.lesson.scenes)
            count += beats_of(scene).size();
        // Enter ends the way to a stop.
        const auto report = run_in_page(page_, kLook + ("const beats = " + std::to_string(count)) +
                                                   R"(;
(async () => {
  const shown = [];
  await once();
  for (let beat = 0; beat < beats; ++beat) {
    shown.push(look());
    const next = once();
    press('PageDown');
    press('Enter');
    await next;
  }
  for (let beat = 1; beat < beats; ++beat) { const next = once(); press('PageUp'); await next; }
  report({ shown, again: look() });
})();
)");
        ASSERT_TRUE(report) << name;
        EXPECT_EQ((*report)["errors"], Json::array());
        const Json& shown = (*report)["value"]["shown"];
        std::size_t at = 0;
        for (std::size_t i = 0; i < lesson.scenes.size(); ++i) {
            const LessonScene& scene = lesson.reading.lesson.scenes[i];
            const PreparedScene& own = lesson.scenes[i];
            for (const LessonBeat& beat : beats_of(scene)) {
                const Json& its = shown[at];
                const std::string where = std::string(name) + ", beat " + std::to_string(at++);
                const bool asks = beat.kind == LessonBeat::Kind::kPrediction;
                EXPECT_EQ(its["title"], Json({std::to_string(i + 1) + " " + own.title})) << where;
                Json ticks = Json::array(), says = Json::array();
                if (own.trace != nullptr)
                    ticks.push_back(tick_of(own.stops[beat.stop].position, asks));
                if (own.other != nullptr)
                    ticks.push_back(tick_of(own.stops[beat.stop].other_position, false));
                if (!asks && !own.stops.empty() && !own.stops[beat.stop].say.empty())
                    says.push_back(own.stops[beat.stop].say);
                EXPECT_EQ(its["ticks"], ticks) << where;
                EXPECT_EQ(its["says"], says) << where;
                const bool answered = beat.kind == LessonBeat::Kind::kAnswer;
                const bool questions = answered || beat.kind == LessonBeat::Kind::kQuestion;
                EXPECT_EQ(its["question"], questions ? Json({own.question}) : Json::array());
                EXPECT_EQ(its["answer"], answered ? Json({own.answer}) : Json::array()) << where;
                EXPECT_EQ(its["asked"].size(),
                          scene.predict && beat.stop == 0 && !questions ? 1u : 0u)
                    << where;
                EXPECT_EQ(its["right"].size(),
                          scene.predict && beat.stop == 0 && !questions && !asks ? 1u : 0u);
                EXPECT_EQ(its["bars"].size(), scene.race ? scene.race->contenders.size() : 0u);
                EXPECT_EQ(its["back"], at == 1) << where;
                EXPECT_EQ(its["on"], at == count) << where;
            }
        }
        EXPECT_EQ((*report)["value"]["again"], shown[0]) << "after the way back";
    }
}

// By mouse and by key: a choice and an answer open at a click, both sides of a comparison step
// together, and a key in a frame is one of the lesson.
TEST_F(LessonPage, ChoicesAnswersAndComparisons) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    const PreparedLesson lesson = written(R"(title = "T"
[[scene]]
title = "A column"
kernel = "08_tiled_b_transposed"
tile = 8
m = 8
n = 8
k = 8
at = "first read of Bs"
predict = true
text = "Words."
[[scene]]
title = "Two"
kernel = "08_tiled_b_transposed"
tile = 8
m = 8
n = 8
k = 8
compare = {pad = 1}
at = "start"
question = "Why?"
answer = "Because."
)");
    ASSERT_TRUE(export_lesson_html(lesson, {.light = true}, page_));
    const auto report = run_in_page(page_, kLook + std::string(R"(
(async () => {
  const seen = {}, seen_waits = () => document.querySelector('.scene.now').classList.contains('waits');
  try {
  await once();
  seen.light = document.documentElement.classList.contains('light') && frames()[0].contentDocument.documentElement.classList.contains('light');
  const wrong = document.querySelector('.choices button[data-right="0"]'), right = document.querySelector('.choices button[data-right="1"]');
  onClock();
  let next = once(); wrong.click(); await new Promise((done) => setTimeout(done)); seen.waits = seen_waits(); await next;
  seen.arrived = !seen_waits();
  seen.marks = [wrong.className, right.className];
  seen.right = right.textContent;
  seen.afterChoice = look();
  frames()[0].contentDocument.dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true }));
  seen.dark = !document.documentElement.classList.contains('light') && !frames()[0].contentDocument.documentElement.classList.contains('light');
  press('o');
  seen.source = frames()[0].contentDocument.getElementById('source').getClientRects().length > 0;
  press('o');
  next = once(); frames()[0].contentDocument.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true })); await next;
  seen.second = look();
  press('ArrowRight');
  seen.stepped = look().ticks;
  press('End');
  next = once(); press('PageDown'); await next;
  seen.asks = look();
  next = once(); document.querySelector('.question summary').click(); await next;
  seen.answered = look();
  location.hash = '#scene-1';
  window.dispatchEvent(new Event('hashchange'));
  await once();
  seen.hash = look().scene;
  } catch (e) { seen.err = String(e); }
  report(seen);
})();
)"));
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["errors"], Json::array());
    const Json& seen = (*report)["value"];
    EXPECT_EQ(seen["light"], true);
    EXPECT_EQ(seen["dark"], true);
    EXPECT_EQ(seen["waits"], true) << "the words wait for the replay";
    EXPECT_EQ(seen["arrived"], true);
    EXPECT_EQ(seen["marks"], Json({"wrong", "right"}));
    EXPECT_EQ(seen["right"], "2") << "8 rows of 8 words: 32 banks hold 4 of them, 8 lanes of a row";
    EXPECT_EQ(seen["afterChoice"]["right"], Json({"2 wavefronts"}));
    EXPECT_EQ(seen["source"], true);
    EXPECT_EQ(seen["second"]["ticks"], Json({0, 0}));
    EXPECT_EQ(seen["stepped"].size(), 2u);
    EXPECT_GT(seen["stepped"][0], 0);
    EXPECT_EQ(seen["stepped"][0], seen["stepped"][1]) << "loads cost the same on both sides";
    EXPECT_EQ(seen["asks"]["question"], Json({"Why?"}));
    EXPECT_EQ(seen["asks"]["answer"], Json::array());
    EXPECT_EQ(seen["answered"]["answer"], Json({"Because."}));
    EXPECT_EQ(seen["hash"], "scene-1");
}

}  // namespace
}  // namespace tilereel::lesson_page_test
