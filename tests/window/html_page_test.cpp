// The page of `export --html`, walked through in a real browser: what it shows at each step is what
// the replay says. The expected values come from the replay and the analysis, not from the page's
// data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "app/export/html/export_html.h"
#include "app/ladder/ladder.h"
#include "app/replay/places/stops.h"
#include "app/replay/replay.h"
#include "app/replay/state/element_text.h"
#include "app/replay/tensor/tensor_moment.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/base/format/with_commas.h"
#include "tests/trace/program_traces.h"
#include "tests/window/browser.h"

namespace tilereel::html_page_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// Steps through the page by its keys, and notes what it shows. At each step the pointer is put over
// the cell of `hovered` ([number of the picture, cell]).
constexpr const char* kWalk = R"(
const text = (id) => document.getElementById(id).textContent;
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
function cardOver([picture, cell]) {
  const canvas = [...document.querySelectorAll('figure canvas')].find((each) => each.figure.index === picture), at = canvas.figure.rect(cell);
  const box = canvas.getBoundingClientRect(), pitch = canvas.figure.pitch;
  canvas.dispatchEvent(new PointerEvent('pointermove', { bubbles: true,
    clientX: box.left + 1 + (at.x + at.w / 2) * pitch, clientY: box.top + 1 + (at.y + at.h / 2) * pitch }));
  return document.querySelector('#card b').textContent;
}
const look = (step) => ({
  tick: text('tick'), sentence: text('sentence'), wavefront: text('wavefront'),
  line: document.querySelector('#lines .now i').textContent,
  banks: [...document.querySelectorAll('#banks div')].map((bank) => Number(bank.dataset.words)),
  amounts: [...document.querySelectorAll('#amounts b')].map((amount) => amount.textContent),
  soFar: Object.fromEntries([...document.querySelectorAll('#counters tbody tr')].map((row) => [row.cells[0].textContent, row.cells[1].textContent])),
  card: step < hovered.length ? cardOver(hovered[step]) : '',
});
)";

Trace recorded(const std::string& kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    auto trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

class HtmlPage : public ::testing::Test {
  protected:
    HtmlPage()
        : folder_(std::filesystem::temp_directory_path() /
                  ("tilereel_html_" + std::to_string(::getpid()))),
          page_(folder_ / "page.html") {
        std::filesystem::create_directories(folder_);
    }
    ~HtmlPage() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_, page_;
};

// The figures of a request's cost that the page should show, in their order.
std::vector<std::string> amounts_of(const Trace& trace, const Step& step, const RequestState& at) {
    const RequestCost& cost = at.cost;
    const std::string lanes = with_commas(cost.lanes);
    switch (trace.arrays[trace.sites[step.site].array].space) {
        case Space::kShared:
            return {with_commas(cost.wavefronts), with_commas(at.service.banks_used),
                    with_commas(cost.bank_conflicts), lanes};
        case Space::kGlobal:
            return {with_commas(cost.transactions), with_commas(cost.lines),
                    with_commas(cost.bytes_used) + " of " + with_commas(cost.bytes_moved), lanes};
        case Space::kConstant:
            return {with_commas(cost.wavefronts), lanes};
        default:  // no array of a trace is in another space
            return {};
    }
}

// The name of the first cell that a request accesses, and for shared memory what it holds.
std::string heading_of(const Replay& replay, const Step& step) {
    const Trace& trace = replay.trace();
    const Array& array = trace.arrays[trace.sites[step.site].array];
    for (const LaneState& lane : replay.state().request.lanes) {
        if (!lane.active) continue;
        const std::string name = element_name(array, lane.row, lane.column);
        for (const SharedArrayState& shared : replay.state().shared) {
            if (shared.array != trace.sites[step.site].array) continue;
            const SharedCell& cell = shared.cells[array.index_of({lane.row, lane.column})];
            const bool empty = cell.state == CellState::kNeverWritten ||
                               (cell.state == CellState::kUnderWay && cell.bits == 0);
            if (empty) return name;
            return name + " = " + text_of_bits(array, cell.bits);
        }
        return name;
    }
    return {};
}

// For each step the picture and cell of its first active lane. The page numbers its pictures like
// the trace's arrays, because the blocks shown here access all of them.
Json hovered_cells(Replay& replay) {
    Json cells = Json::array();
    for (const Step& step : replay.schedule().steps) {
        const ReplayState& state = replay.seek(step.begin);
        const Array& array = replay.trace().arrays[replay.trace().sites[step.site].array];
        for (const LaneState& lane : state.request.lanes)
            if (lane.active) {
                cells.push_back({replay.trace().sites[step.site].array,
                                 array.index_of({lane.row, lane.column})});
                break;
            }
    }
    return cells;
}

void expect_step(Replay& replay, std::uint32_t number, const Json& shown) {
    const Step& step = replay.schedule().steps[number];
    const ReplayState& state = replay.seek(step.begin);
    const Trace& trace = replay.trace();
    const std::string where = trace.launch.kernel + ", step " + std::to_string(number);
    EXPECT_EQ(shown["sentence"], plain_text(replay.sentence())) << where;
    EXPECT_EQ(shown["tick"],
              "tick " + with_commas(step.begin + 1) + " of " + with_commas(replay.schedule().ticks))
        << where;
    EXPECT_EQ(shown["line"], std::to_string(trace.sites[step.site].line)) << where;
    EXPECT_EQ(shown["amounts"], Json(amounts_of(trace, step, state.request))) << where;
    std::vector<int> words(static_cast<std::size_t>(replay.generation().shared.banks), 0);
    const bool shared = trace.arrays[trace.sites[step.site].array].space == Space::kShared;
    for (std::size_t bank = 0; shared && bank < words.size(); ++bank)
        words[bank] = state.request.service.words_in_bank[bank];
    EXPECT_EQ(shown["banks"], Json(words)) << where;
    if (shared) {
        EXPECT_EQ(shown["wavefront"],
                  "wavefront 1 of " + with_commas(state.request.cost.wavefronts))
            << where;
    }
    const std::string heading = heading_of(replay, step);
    if (shared)
        EXPECT_EQ(shown["card"], heading) << where;
    else
        EXPECT_THAT(shown["card"].get<std::string>(), HasSubstr(heading)) << where;
}

// The counters after the last step equal those of the whole block.
void expect_totals(const Replay& replay, const Json& so_far) {
    const KernelCounts counts =
        count_kernel(replay.trace(), {.block = replay.block()}, replay.generation());
    const auto expect = [&](const std::string& label, std::uint64_t value) {
        if (so_far.contains(label)) {
            EXPECT_EQ(so_far[label], with_commas(value)) << label;
        } else {
            EXPECT_EQ(value, 0u) << label << " is not shown";
        }
    };
    expect("global load requests", counts.global_load.requests);
    const std::string units(replay.generation().global.units);
    expect("global load " + units, counts.global_load.transactions);
    expect("global store " + units, counts.global_store.transactions);
    expect("bytes moved", counts.global_load.bytes_moved + counts.global_store.bytes_moved +
                              counts.global_atomic.bytes_moved);
    expect("shared load wavefronts", counts.shared_load.wavefronts);
    expect("shared store wavefronts", counts.shared_store.wavefronts);
    expect("shared copy wavefronts", counts.shared_copy.wavefronts);
    expect("shared atomic wavefronts", counts.shared_atomic.wavefronts);
    expect("bank conflicts",
           counts.shared_load.bank_conflicts + counts.shared_store.bank_conflicts +
               counts.shared_copy.bank_conflicts + counts.shared_atomic.bank_conflicts);
}

// Walks through all steps of a block, then back to the first one. The page opens with
// `shown_first`; after the script `first` it shows block (x, y) of `trace`.
void walk(const std::filesystem::path& page, const Trace& shown_first, const HtmlRequest& request,
          const Trace& trace, Dim3 at, const std::string& first) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    const Result<WrittenPage> made = export_html(shown_first, request, page);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->bytes, std::filesystem::file_size(page));
    EXPECT_EQ(made->others, request.others.size());
    const auto block = static_cast<std::uint32_t>(number_of(trace.launch.grid, at));
    auto replay = Replay::of_block(trace, block, *request.generation);
    ASSERT_TRUE(replay);
    const auto steps = static_cast<std::uint32_t>(replay->schedule().steps.size());
    const auto report = run_in_page(
        page, "const hovered = " + hovered_cells(*replay).dump() + ";" + kWalk + first + R"(
press('Home');
const shown = [];
for (let step = 0; step <= hovered.length; ++step, press('ArrowRight')) shown.push(look(step));
for (let step = 0; step <= hovered.length; ++step) press('ArrowLeft');
report({ shown, again: look(0) });
)");
    ASSERT_TRUE(report) << "the browser gave no page";
    EXPECT_EQ((*report)["errors"], Json::array());
    const Json& shown = (*report)["value"]["shown"];
    ASSERT_EQ(shown.size(), steps + 1u);
    for (std::uint32_t step = 0; step < steps; ++step) expect_step(*replay, step, shown[step]);
    (void)replay->seek(replay->schedule().ticks);
    EXPECT_EQ(shown[steps]["sentence"], plain_text(replay->sentence()));
    expect_totals(*replay, shown[steps]["soFar"]);
    EXPECT_EQ((*report)["value"]["again"], shown[0]) << "after the way back";
}

void walk(const std::filesystem::path& page, const Trace& trace, const HtmlRequest& request) {
    walk(page, trace, request, trace, {request.block_x, request.block_y, 0}, "");
}

TEST_F(HtmlPage, ShowsEachStepOf09) {
    walk(page_, recorded("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0}),
         {.block_x = 2, .block_y = 1});
    if (IsSkipped() || HasFatalFailure()) return;
    const auto bytes = std::filesystem::file_size(page_);
    EXPECT_LT(bytes, 1'000'000u);
}

TEST_F(HtmlPage, ShowsConflictsOnAnyGeneration) {
    const Trace trace =
        recorded("08_tiled_b_transposed", {.m = 8, .n = 8, .k = 8, .tile = 8, .pad = 0});
    ASSERT_GT(count_kernel(trace).shared_load.bank_conflicts, 0u);
    walk(page_, trace, {});
    walk(page_, trace, {.generation = find_generation("1.1")});
}

TEST_F(HtmlPage, ShowsABlockAtTheEdge) {
    walk(page_, recorded("10_tiled_any_size", {.m = 10, .n = 7, .k = 9, .tile = 4, .pad = 0}),
         {.block_x = 1, .block_y = 2});
}

TEST_F(HtmlPage, ShowsAsynchronousCopies) {
    walk(page_, recorded("19_async_pipeline", {.m = 16, .n = 16, .k = 16, .tile = 16, .pad = 0}),
         {});
}

// The expected ticks come from the replay.
TEST_F(HtmlPage, MovesByKeysDraggingAndPlaying) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    const Trace trace = recorded("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0});
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
    const Trace trace = recorded("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0});
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
            recorded("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = tile, .pad = 0});
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
        const Trace trace = recorded(kernel, {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0});
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

// P changes to the launch with the other PAD. What a page that opens with it would show follows
// from its own replay.
TEST_F(HtmlPage, ShowsEachStepWithTheOtherPad) {
    const KernelParameters sizes{.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0};
    KernelParameters padded = sizes;
    padded.pad = 1;
    const Trace trace = recorded("08_tiled_b_transposed", sizes);
    const Trace other = recorded("08_tiled_b_transposed", padded);
    const std::string settled = "press('p'); document.getElementById('pad').click(); press('P');";
    walk(page_, trace, {.block_x = 1, .others = {&other}}, other, {1, 0, 0}, settled);
}

// A column of Bs with 32 rows of 32 words lies in one bank: 32 wavefronts. With a word of padding
// each row begins one bank further: 1 wavefront. The place stays.
TEST_F(HtmlPage, PadSlidesAndTheFigureCountsDown) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    KernelParameters sizes{.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 0};
    const Trace trace = recorded("08_tiled_b_transposed", sizes);
    sizes.pad = 1;
    const Trace other = recorded("08_tiled_b_transposed", sizes);
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

// + changes to the launch with the next TILE. The block is the one that stores the same part of C:
// columns 8 to 11 of TILE 4 lie in the second block of TILE 8.
TEST_F(HtmlPage, ShowsEachStepWithAnotherTile) {
    KernelParameters sizes{.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
    const Trace trace = recorded("08_tiled_b_transposed", sizes);
    sizes.tile = 8;
    const Trace larger = recorded("08_tiled_b_transposed", sizes);
    sizes.pad = 1;
    const Trace padded = recorded("08_tiled_b_transposed", sizes);
    walk(page_, trace, {.block_x = 2, .others = {&larger, &padded}}, padded, {1, 0, 0},
         "press('+'); press('p');");
}

// Column k of Bs: with TILE 16 a request wants 16 words in 2 banks, with TILE 32 32 words in one.
// The second phase of TILE 16 begins with k 16, as does the second half of the only one of TILE 32.
// While the words slide, none covers A, B or C.
TEST_F(HtmlPage, TileSlidesAndThePlaceStays) {
    if (installed_browser().empty())
        GTEST_SKIP() << "no browser is installed; apt install chromium-headless-shell";
    KernelParameters sizes{.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0};
    const Trace trace = recorded("08_tiled_b_transposed", sizes);
    sizes.tile = 32;
    const Trace larger = recorded("08_tiled_b_transposed", sizes);
    sizes.tile = 8;
    const Trace smaller = recorded("08_tiled_b_transposed", sizes);
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
    const Trace trace = recorded("08_tiled_b_transposed", sizes);
    sizes.pad = 1;
    const Trace padded = recorded("08_tiled_b_transposed", sizes);
    sizes.tile = 4;
    const Trace smaller = recorded("08_tiled_b_transposed", sizes);
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

TEST_F(HtmlPage, NeedsNothingFromOutside) {
    const Trace trace = recorded("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 16, .pad = 0});
    ASSERT_TRUE(export_html(trace, {}, page_));
    std::ostringstream read;
    read << std::ifstream(page_).rdbuf();
    std::string text = read.str();
    EXPECT_LT(text.size(), 1'000'000u);
    const std::size_t data = text.find("<script type=\"application/json\"");
    text.erase(data, text.find("</script>", data) - data);
    for (const char* const outside : {"http:", "https:", "src=", "href=", "url(", "@import",
                                      "import(", "fetch(", "XMLHttpRequest", "eval("})
        EXPECT_THAT(text, Not(HasSubstr(outside)));
}

// "</script>" in a source ends no script, and markup in a name is text.
TEST_F(HtmlPage, TheSourceIsText) {
    Trace trace = tests::reduction_trace();
    trace.source += "\n// </script><b>&amp;<!-- \xff\n";
    trace.launch.kernel = "less<int> & more";
    walk(page_, trace, {});
}

TEST_F(HtmlPage, FailuresLeaveTheOldFile) {
    const Trace trace = recorded("09_tiled", {.m = 4, .n = 4, .k = 4, .tile = 2, .pad = 0});
    std::ofstream(page_) << "old";
    const auto expect_error = [&](const Result<WrittenPage>& status, ErrorKind kind,
                                  const char* words) {
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().kind, kind);
        EXPECT_THAT(status.error().message, HasSubstr(words));
        EXPECT_EQ(std::filesystem::file_size(page_), 3u);
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
    };
    expect_error(export_html(trace, {.block_x = 2}, page_), ErrorKind::kWrongCall, "--block");
    int asked = 0;
    HtmlRequest request;
    request.interrupted = [&asked] { return ++asked > 3; };
    expect_error(export_html(trace, request, page_), ErrorKind::kCancelled, "not written");
    expect_error(export_html(trace, {}, folder_ / "no folder" / "page.html"), ErrorKind::kFailed,
                 "no folder");
    expect_error(export_html(tests::chosen_trace(), {}, page_), ErrorKind::kWrongCall,
                 "--blocks 0");
    ASSERT_TRUE(export_html(trace, {}, page_));
    EXPECT_GT(std::filesystem::file_size(page_), 1000u);
}

// The data of a written page.
Json data_of_page(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const std::string page = text.str(), begin = "id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::vector<double> numbers_in(const std::string& texts) {
    std::istringstream stream(texts);
    std::vector<double> numbers;
    for (double number = 0; stream >> number;) numbers.push_back(number);
    return numbers;
}

// 22: the fragments of A, B and C at a matrix load, cell by cell: elements of A and B that lie
// where the PTX ISA says ("Matrix Fragments for mma.m16n8k16"), as the replay has them.
TEST_F(HtmlPage, HasTheFragmentsOfMatrixLoads) {
    const Trace trace = recorded("22_mma_ldmatrix", {64, 64, 64, 64, 0});
    ASSERT_TRUE(export_html(trace, {}, page_));
    const Json data = data_of_page(page_);
    Replay replay = Replay::of_block(trace, 0).value();
    std::size_t moments = 0;
    for (std::size_t step = 0; step < replay.schedule().steps.size(); ++step) {
        replay.seek(replay.schedule().steps[step].begin);
        const auto moment = tensor_moment(replay, std::nullopt, 0, 0);
        const int number = data["steps"]["fragments"][step];
        ASSERT_EQ(number >= 0, moment.has_value()) << step;
        if (!moment) continue;
        ++moments;
        const Json& row = data["tables"]["fragments"][static_cast<std::size_t>(number)];
        const Json& layout = data["tables"]["fragmentLayouts"][row[1].get<std::size_t>()];
        ASSERT_EQ(layout.size(), moment->fragments.size());
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const HeldFragment& held = moment->fragments[i];
            const std::vector<double> numbers =
                numbers_in(data["tables"]["fragmentValues"][row[2][i][0].get<std::size_t>()]);
            std::size_t at = 0;
            ASSERT_EQ(layout[i][3].size(), held.grid.cells.size());
            for (std::size_t cell = 0; cell < held.grid.cells.size(); ++cell) {
                const FragmentCell& its = held.grid.cells[cell];
                EXPECT_EQ(layout[i][3][cell][0], its.lane);
                EXPECT_EQ(layout[i][3][cell][1], its.at.row);
                EXPECT_EQ(layout[i][3][cell][2], its.at.column);
                for (int e = 0; e < its.count; ++e)
                    ASSERT_EQ(numbers.at(at++), held.value(its.lane, its.first + e));
            }
        }
    }
    EXPECT_GT(moments, 32u);
}

// 24: D of a warp before and after its last product: the values that the warp stores in C.
TEST_F(HtmlPage, HasTheSumsOfAWarpgroup) {
    const Trace trace = recorded("24_wgmma", {64, 64, 64, 64, 0});
    ASSERT_TRUE(export_html(trace, {}, page_));
    const Json data = data_of_page(page_);
    const MatrixElements c = matrix_of(trace, MatrixRole::kC);
    const Replay replay = Replay::of_block(trace, 0).value();
    std::size_t stores = 0;
    for (std::size_t step = 0; step < replay.schedule().steps.size(); ++step) {
        const Step& its = replay.schedule().steps[step];
        const Site& site = replay.trace().sites[its.site];
        const int number = data["steps"]["fragments"][step];
        EXPECT_EQ(number >= 0, site.is_of_product() || site.operation == Operation::kStore);
        if (site.operation != Operation::kStore) continue;
        ++stores;
        const Json& row = data["tables"]["fragments"][static_cast<std::size_t>(number)];
        const Json& cells = data["tables"]["fragmentLayouts"][row[1].get<std::size_t>()][0][3];
        const std::vector<double> numbers =
            numbers_in(data["tables"]["fragmentValues"][row[2][0][0].get<std::size_t>()]);
        ASSERT_EQ(numbers.size(), 16u * 64);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::size_t at =
                (16 * std::size_t{its.warp} + cells[i][1].get<std::size_t>()) * 64 +
                cells[i][2].get<std::size_t>();
            ASSERT_EQ(numbers[2 * i], c[at]);
            ASSERT_EQ(numbers[2 * i + 1], c[at + 1]);
        }
    }
    EXPECT_EQ(stores, 4u * 16);
}

TEST_F(HtmlPage, ShowsPrograms) {
    walk(page_, tests::reduction_trace(), {.block_x = 1});
    walk(page_, tests::transpose_trace(), {});
    walk(page_, tests::histogram_trace(), {});
    walk(page_, tests::stencil_trace(), {});
}

}  // namespace
}  // namespace tilereel::html_page_test
