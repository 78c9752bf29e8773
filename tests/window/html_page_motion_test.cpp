// How the page of `export --html` moves, in a real browser: by keys, by dragging and by itself,
// what flies, and what fits on a screen. The expected ticks come from the replay.
#include "app/replay/places/stops.h"
#include "app/replay/replay.h"
#include "tests/window/html_page.h"

namespace tilereel::html_page_motion_test {
namespace {

using Json = nlohmann::json;

// The expected ticks come from the replay.
TEST_F(HtmlPage, MovesByKeysDraggingAndPlaying) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    const Trace trace =
        recorded_for_page("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0});
    ASSERT_TRUE(export_html(trace, {.light = true, .tick = 5.0}, page_));
    auto replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const auto report = run_in_page(page_, R"(
const tick = () => Number(document.getElementById('tick').textContent.match(/tick ([\d,]+)/)[1].replace(',', ''));
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
const seen = { light: document.documentElement.classList.contains('light'), opening: tick() };
press('t');
seen.dark = !document.documentElement.classList.contains('light');
press('Home');
seen.parts = [];
for (let i = 0; i < 6; ++i) { press('PageDown'); seen.parts.push(tick()); }
press('PageUp');
seen.back = tick();
press('End');
seen.end = tick();
const line = document.getElementById('timeline'), box = line.getBoundingClientRect();
const point = (kind, x) => line.dispatchEvent(new PointerEvent(kind, { clientX: x, clientY: box.top + 20, pointerId: 1 }));
point('pointerdown', box.left + 76);
seen.first = tick();
point('pointermove', box.right - 8);
seen.last = tick();
point('pointerup', box.right - 8);
seen.banksOff = document.querySelector('#by-bank').getAttribute('aria-pressed');
press('b');
seen.banksOn = document.querySelector('#by-bank').getAttribute('aria-pressed');
press('Home');
press(' ');
setTimeout(() => { seen.played = tick(); press(' '); const stopped = tick(); setTimeout(() => { seen.stays = tick() === stopped; report(seen); }, 400); }, 1000);
)");
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["errors"], Json::array());
    const Json& seen = (*report)["value"];
    EXPECT_EQ(seen["light"], true);
    EXPECT_EQ(seen["opening"], 6) << "ticks are shown from 1";
    EXPECT_EQ(seen["dark"], true);
    std::vector<Tick> parts;
    for (const double stop : part_stops(*replay))
        if (stop >= 1 && parts.size() < 6) parts.push_back(static_cast<Tick>(stop) + 1);
    EXPECT_EQ(seen["parts"], Json(parts));
    EXPECT_EQ(seen["back"], parts[4]);
    EXPECT_EQ(seen["end"], replay->schedule().ticks);
    EXPECT_EQ(seen["first"], 1);
    EXPECT_EQ(seen["last"], replay->schedule().ticks);
    EXPECT_NE(seen["banksOff"], seen["banksOn"]);
    EXPECT_GE(seen["played"], 3) << "a second at x1 is 6 ticks";
    EXPECT_LE(seen["played"], 9);
    EXPECT_EQ(seen["stays"], true);
}

// A step onto a barrier opens it, and the words slide when B shows them by bank. Both end by
// themselves, and a reader who asked for less motion sees neither.
TEST_F(HtmlPage, OpensBarriersAndSlidesWords) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    const Trace trace =
        recorded_for_page("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0});
    ASSERT_TRUE(export_html(trace, {}, page_));
    const auto report = run_in_page(page_, R"(
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
const opens = () => document.getElementById('gate').classList.contains('opens');
const word = [...document.querySelectorAll('figure canvas')].find((canvas) => canvas.figure.array.name === 'As');
const slides = () => word.style.visibility === 'hidden';
const ended = (moves, then) => { if (moves()) setTimeout(() => ended(moves, then), 20); else then(); };
// The parts before the first barrier: load, and the wait at the barrier.
const toBarrier = () => { press('Home'); press('PageDown'); press('PageDown'); };
const seen = {};
toBarrier();
seen.opens = opens();
press('Home');
seen.jumpCloses = !opens();
toBarrier();
ended(opens, () => {
  press('b');
  seen.slides = slides();
  ended(slides, () => {
    const asked = window.matchMedia;
    window.matchMedia = (query) => query.includes('reduced-motion') ? { matches: true } : asked.call(window, query);
    toBarrier();
    press('b');
    seen.still = !opens() && !slides();
    report(seen);
  });
});
)");
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["errors"], Json::array());
    for (const char* const what : {"opens", "jumpCloses", "slides", "still"})
        EXPECT_EQ((*report)["value"][what], true) << what;
}

// What is drawn in mid-air while the replay plays, at rest, and after a step onto a store.
constexpr const char* kAir = R"(
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
const air = document.getElementById('flights'), stage = document.getElementById('stage');
function inAir() {
  const pixels = air.getContext('2d').getImageData(0, 0, air.width, air.height).data;
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] !== 0) return true;
  return false;
}
// Whether something moves beyond the top of the stage.
function leaves() {
  const g = air.getContext('2d'), pixels = g.getImageData(0, 0, air.width, 2).data;
  return pixels.some((value, i) => i % 4 === 3 && value !== 0);
}
const above = [...document.querySelectorAll('figcaption'), document.getElementById('corner')].every((heading) => Number(getComputedStyle(heading).zIndex) > 0);
)";

TEST_F(HtmlPage, NothingRestsInMidAir) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    for (const int tile : {8, 32}) {
        const Trace trace =
            recorded_for_page("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = tile, .pad = 0});
        ASSERT_TRUE(export_html(trace, {}, page_));
        const auto report = run_in_page(page_, kAir + std::string(R"(
const seen = { above, atRest: 0, landed: 0, flew: 0, left: 0 };
press('PageDown');  // the end of the first load; its last requests are stores of a tick each
for (let i = 0; i < 5; ++i) press('ArrowLeft');
let steps = 4;
const settle = (then) => { if (inAir()) { ++seen.flew; if (leaves()) ++seen.left; setTimeout(() => settle(then), 60); } else then(); };
const next = () => {
  if (steps-- === 0) {
    for (let i = 0; i < 4; ++i) press('ArrowLeft');
    press(' ');
    setTimeout(() => { press(' '); if (inAir()) ++seen.atRest; report(seen); }, 100);
    return;
  }
  press('ArrowRight');
  setTimeout(() => settle(next), 20);
};
next();
)"),
                                        "1366,768");
        ASSERT_TRUE(report) << "something stays in mid-air";
        EXPECT_EQ((*report)["errors"], Json::array());
        const Json& seen = (*report)["value"];
        EXPECT_EQ(seen["above"], true) << "headings lie above what flies";
        EXPECT_GT(seen["flew"], 0) << "TILE " << tile;
        EXPECT_EQ(seen["left"], 0) << "TILE " << tile;
        EXPECT_EQ(seen["atRest"], 0) << "TILE " << tile;
    }
}

// On a laptop and on a projector no line of the source is cut, the values of C can be read, and no
// array is beyond the stage.
TEST_F(HtmlPage, ShowsWholeLinesAndTheValuesOfC) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    for (const char* const kernel : {"09_tiled", "16_vectorized"}) {
        const Trace trace =
            recorded_for_page(kernel, {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0});
        ASSERT_TRUE(export_html(trace, {}, page_));
        for (const char* const size : {"1366,768", "1920,1080"}) {
            const auto report = run_in_page(page_, R"(
document.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
const figures = [...document.querySelectorAll('figure canvas')].map((canvas) => canvas.figure);
const c = figures.find((figure) => figure.array.role === 'C'), stage = document.getElementById('stage').getBoundingClientRect();
const counters = () => document.getElementById('counters').offsetHeight > 0;
const seen = {
  lines: document.querySelectorAll('#lines span').length,
  cut: [...document.querySelectorAll('#lines span')].filter((line) => line.scrollWidth > line.clientWidth).length,
  readable: c.pitch >= c.pitchOfType(6.5),
  outside: figures.filter((figure) => figure.view.getBoundingClientRect().right > stage.right + 1).length,
};
if (!counters()) document.getElementById('tab-counters').click();
seen.counters = counters();
report(seen);
)",
                                            size);
            ASSERT_TRUE(report);
            EXPECT_EQ((*report)["errors"], Json::array());
            const Json& seen = (*report)["value"];
            EXPECT_GT(seen["lines"], 20) << kernel << ", " << size;
            EXPECT_EQ(seen["cut"], 0) << kernel << ", " << size;
            EXPECT_EQ(seen["readable"], true) << kernel << ", " << size;
            EXPECT_EQ(seen["outside"], 0) << kernel << ", " << size;
            EXPECT_EQ(seen["counters"], true) << kernel << ", " << size;
        }
    }
}

}  // namespace
}  // namespace tilereel::html_page_motion_test
