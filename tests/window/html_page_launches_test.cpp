// A page of `export --html` that holds several launches of a kernel: PAD and TILE change between
// them in a real browser, and the place stays. The expected figures come from the arithmetic of
// banks.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

#include "tests/trace/program_traces.h"
#include "tests/window/html_page.h"

namespace tilereel::html_page_launches_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// A column of Bs with 32 rows of 32 words lies in one bank: 32 wavefronts. With a word of padding
// each row begins one bank further: 1 wavefront. The place stays.
TEST_F(HtmlPage, PadSlidesAndTheFigureCountsDown) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    KernelParameters sizes{.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 0};
    const Trace trace = recorded_for_page("08_tiled_b_transposed", sizes);
    sizes.pad = 1;
    const Trace other = recorded_for_page("08_tiled_b_transposed", sizes);
    ASSERT_TRUE(export_html(trace, {.others = {&other}}, page_));
    const auto report = run_in_page(page_, R"(
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
const words = () => [...document.querySelectorAll('figure canvas')].find((canvas) => canvas.figure.array.name === 'Bs');
const tallest = () => Math.max(...[...document.querySelectorAll('#banks div')].map((bank) => bank.children.length));
const state = () => ({ wavefronts: Number(document.querySelector('#amounts b').textContent), tallest: tallest(), sentence: document.getElementById('sentence').textContent,
  line: document.querySelector('#lines .now i').textContent, where: document.getElementById('where').textContent, tick: document.getElementById('tick').textContent,
  pressed: document.getElementById('pad').getAttribute('aria-pressed'), facts: document.getElementById('facts').textContent });
press('n');
press('n');
const seen = { before: state(), hidden: document.getElementById('pad').hidden, between: [] };
press('p');
seen.slides = words().style.visibility === 'hidden';
const settle = (then) => { if (words().style.visibility === 'hidden') { seen.between.push(state()); setTimeout(() => settle(then), 20); } else then(); };
settle(() => {
  seen.after = state();
  const first = seen.between;
  seen.between = [];
  press('p');
  settle(() => { seen.between = first; seen.again = state(); report(seen); });
});
)");
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["errors"], Json::array());
    const Json& seen = (*report)["value"];
    EXPECT_EQ(seen["hidden"], false);
    EXPECT_EQ(seen["slides"], true);
    const Json &before = seen["before"], &after = seen["after"];
    EXPECT_EQ(before["wavefronts"], 32);
    EXPECT_EQ(before["tallest"], 32) << "words that wait for one bank";
    EXPECT_EQ(after["wavefronts"], 1);
    EXPECT_EQ(after["tallest"], 1);
    EXPECT_EQ(before["pressed"], "false");
    EXPECT_EQ(after["pressed"], "true");
    EXPECT_THAT(before["facts"].get<std::string>(), HasSubstr("PAD0"));
    EXPECT_THAT(after["facts"].get<std::string>(), HasSubstr("PAD1"));
    for (const char* const same : {"line", "where"}) EXPECT_EQ(before[same], after[same]) << same;
    EXPECT_THAT(before["sentence"].get<std::string>(), HasSubstr("32 wavefronts"));
    EXPECT_THAT(after["sentence"].get<std::string>(), HasSubstr("1 wavefront."));
    EXPECT_EQ(seen["again"], before);
    for (const char* const figure : {"wavefronts", "tallest"}) {
        std::vector<int> counted;
        for (const Json& at : seen["between"]) counted.push_back(at[figure]);
        EXPECT_TRUE(std::ranges::is_sorted(counted, std::greater<>())) << figure;
        EXPECT_TRUE(std::ranges::any_of(counted, [](int at) { return at > 1 && at < 32; }))
            << figure << " has no value between";
    }
}

// Column k of Bs: with TILE 16 a request wants 16 words in 2 banks, with TILE 32 32 words in one.
// The second phase of TILE 16 begins with k 16, as does the second half of the only one of TILE 32.
// While the words slide, none covers A, B or C.
TEST_F(HtmlPage, TileSlidesAndThePlaceStays) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    KernelParameters sizes{.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0};
    const Trace trace = recorded_for_page("08_tiled_b_transposed", sizes);
    sizes.tile = 32;
    const Trace larger = recorded_for_page("08_tiled_b_transposed", sizes);
    sizes.tile = 8;
    const Trace smaller = recorded_for_page("08_tiled_b_transposed", sizes);
    ASSERT_TRUE(export_html(trace, {.others = {&larger, &smaller}}, page_));
    for (const char* const window : {"1280,720", "1920,1080"}) {
        const auto report = run_in_page(page_, R"(
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
const figures = () => [...document.querySelectorAll('figure canvas')].map((canvas) => canvas.figure);
const slides = () => figures().find((figure) => figure.array.name === 'Bs').canvas.style.visibility === 'hidden';
const air = document.getElementById('flights'), stage = document.getElementById('stage');
function covered() {
  const g = air.getContext('2d'), origin = stage.getBoundingClientRect();
  return figures().filter((figure) => !figure.shared).some((figure) => {
    const box = figure.view.getBoundingClientRect();
    const pixels = g.getImageData(box.left - origin.left, box.top - origin.top, box.width, box.height).data;
    return pixels.some((value, i) => i % 4 === 3 && value !== 0);
  });
}
const text = (id) => document.getElementById(id).textContent;
const state = () => ({ wavefronts: Number(document.querySelector('#amounts b').textContent), sentence: text('sentence'), line: document.querySelector('#lines .now i').textContent,
  phase: text('phase'), tile: [...document.querySelectorAll('#tiles [aria-pressed=true]')].map((button) => button.textContent), facts: text('facts') });
press('n');
const seen = { covered: 0, moments: 0, before: state(), hidden: document.getElementById('tiles').hidden, pad: document.getElementById('pad').hidden, between: [] };
const settle = (then) => {
  if (!slides()) return then();
  ++seen.moments;
  if (covered()) ++seen.covered;
  seen.between.push(Number(document.querySelector('#amounts b').textContent));
  setTimeout(() => settle(then), 20);
};
const choose = (index) => document.querySelectorAll('#tiles button')[index].click();
press('+');
settle(() => {
  seen.after = state();
  press('+');
  seen.stays = !slides();
  choose(1);
  settle(() => {
    seen.back = state();
    choose(0);
    settle(() => {
      press('-');
      seen.least = !slides();
      press('b');
      settle(() => {
        choose(2);  // by bank the words of TILE 8 begin where C of TILE 32 lies
        settle(() => report(seen));
      });
    });
  });
});
)",
                                        window);
        ASSERT_TRUE(report);
        EXPECT_EQ((*report)["errors"], Json::array());
        const Json& seen = (*report)["value"];
        EXPECT_EQ(seen["hidden"], false);
        EXPECT_EQ(seen["pad"], true) << "the page has one PAD";
        EXPECT_GT(seen["moments"], 4) << window;
        EXPECT_EQ(seen["covered"], 0) << window;
        EXPECT_EQ(seen["before"]["wavefronts"], 8) << "16 words in 2 banks";
        EXPECT_EQ(seen["after"]["wavefronts"], 32);
        EXPECT_EQ(seen["before"]["tile"], Json({"16"}));
        EXPECT_EQ(seen["after"]["tile"], Json({"32"}));
        EXPECT_EQ(seen["before"]["line"], seen["after"]["line"]);
        EXPECT_EQ(seen["before"]["phase"], "Phase 1 of 2");
        EXPECT_THAT(seen["after"]["sentence"].get<std::string>(), HasSubstr("32 wavefronts"));
        EXPECT_THAT(seen["after"]["facts"].get<std::string>(), Not(HasSubstr("TILE")));
        EXPECT_EQ(seen["back"], seen["before"]) << window;
        EXPECT_EQ(seen["stays"], true) << "there is no larger TILE";
        EXPECT_EQ(seen["least"], true) << "there is no smaller TILE";
        bool between = false;
        for (const Json& at : seen["between"]) between = between || (at > 8 && at < 32);
        EXPECT_TRUE(between) << "the figure counts";
    }
}

// A launch that would make the page too large is left out, and those behind it.
TEST_F(HtmlPage, HoldsTheLaunchesThatFit) {
    KernelParameters sizes{.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0};
    const Trace trace = recorded_for_page("08_tiled_b_transposed", sizes);
    sizes.pad = 1;
    const Trace padded = recorded_for_page("08_tiled_b_transposed", sizes);
    sizes.tile = 4;
    const Trace smaller = recorded_for_page("08_tiled_b_transposed", sizes);
    const auto all = export_html(trace, {.others = {&padded, &smaller}}, page_);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->others, 2u);
    const auto alone = export_html(trace, {}, page_);
    ASSERT_TRUE(alone);
    HtmlRequest request{.others = {&padded, &smaller}, .most_bytes = all->bytes};
    EXPECT_EQ(export_html(trace, request, page_)->others, 2u);
    request.most_bytes = all->bytes - 1;
    const auto fewer = export_html(trace, request, page_);
    EXPECT_EQ(fewer->others, 1u);
    EXPECT_EQ(fewer->bytes, std::filesystem::file_size(page_));
    EXPECT_LE(fewer->bytes, request.most_bytes);
    request.most_bytes = alone->bytes;
    EXPECT_EQ(export_html(trace, request, page_)->others, 0u);
    request.most_bytes = alone->bytes - 1;
    EXPECT_FALSE(export_html(trace, request, page_));
}

// Without another launch there is nothing to change to.
TEST_F(HtmlPage, HasNoPadWithoutAnotherLaunch) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    ASSERT_TRUE(export_html(tests::reduction_trace(), {}, page_));
    const auto report = run_in_page(page_, R"(
const tick = () => document.getElementById('tick').textContent;
const before = tick();
document.dispatchEvent(new KeyboardEvent('keydown', { key: 'p' }));
report({ hidden: document.getElementById('pad').hidden, same: tick() === before });
)");
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["errors"], Json::array());
    EXPECT_EQ((*report)["value"]["hidden"], true);
    EXPECT_EQ((*report)["value"]["same"], true);
}

}  // namespace
}  // namespace tilereel::html_page_launches_test
