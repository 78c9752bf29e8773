// The page of `export --html`, walked through in a real browser: what it shows at each step is what
// the replay says. The expected values come from the replay and the analysis, not from the page's
// data.
#include <gmock/gmock.h>

#include "app/replay/replay.h"
#include "app/replay/state/element_text.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/base/format/with_commas.h"
#include "tests/trace/program_traces.h"
#include "tests/window/html_page.h"

namespace tilereel::html_page_walk_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

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
    walk(page_, recorded_for_page("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0}),
         {.block_x = 2, .block_y = 1});
    if (IsSkipped() || HasFatalFailure()) return;
    const auto bytes = std::filesystem::file_size(page_);
    EXPECT_LT(bytes, 1'000'000u);
}

TEST_F(HtmlPage, ShowsConflictsOnAnyGeneration) {
    const Trace trace =
        recorded_for_page("08_tiled_b_transposed", {.m = 8, .n = 8, .k = 8, .tile = 8, .pad = 0});
    ASSERT_GT(count_kernel(trace).shared_load.bank_conflicts, 0u);
    walk(page_, trace, {});
    walk(page_, trace, {.generation = find_generation("1.1")});
}

TEST_F(HtmlPage, ShowsABlockAtTheEdge) {
    walk(page_,
         recorded_for_page("10_tiled_any_size", {.m = 10, .n = 7, .k = 9, .tile = 4, .pad = 0}),
         {.block_x = 1, .block_y = 2});
}

TEST_F(HtmlPage, ShowsAsynchronousCopies) {
    walk(page_,
         recorded_for_page("19_async_pipeline", {.m = 16, .n = 16, .k = 16, .tile = 16, .pad = 0}),
         {});
}

// P changes to the launch with the other PAD. What a page that opens with it would show follows
// from its own replay.
TEST_F(HtmlPage, ShowsEachStepWithTheOtherPad) {
    const KernelParameters sizes{.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0};
    KernelParameters padded = sizes;
    padded.pad = 1;
    const Trace trace = recorded_for_page("08_tiled_b_transposed", sizes);
    const Trace other = recorded_for_page("08_tiled_b_transposed", padded);
    const std::string settled = "press('p'); document.getElementById('pad').click(); press('P');";
    walk(page_, trace, {.block_x = 1, .others = {&other}}, other, {1, 0, 0}, settled);
}

// + changes to the launch with the next TILE. The block is the one that stores the same part of C:
// columns 8 to 11 of TILE 4 lie in the second block of TILE 8.
TEST_F(HtmlPage, ShowsEachStepWithAnotherTile) {
    KernelParameters sizes{.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
    const Trace trace = recorded_for_page("08_tiled_b_transposed", sizes);
    sizes.tile = 8;
    const Trace larger = recorded_for_page("08_tiled_b_transposed", sizes);
    sizes.pad = 1;
    const Trace padded = recorded_for_page("08_tiled_b_transposed", sizes);
    walk(page_, trace, {.block_x = 2, .others = {&larger, &padded}}, padded, {1, 0, 0},
         "press('+'); press('p');");
}

TEST_F(HtmlPage, ShowsPrograms) {
    walk(page_, tests::reduction_trace(), {.block_x = 1});
    walk(page_, tests::transpose_trace(), {});
    walk(page_, tests::histogram_trace(), {});
    walk(page_, tests::stencil_trace(), {});
}

// "</script>" in a source ends no script, and markup in a name is text.
TEST_F(HtmlPage, TheSourceIsText) {
    Trace trace = tests::reduction_trace();
    trace.source += "\n// </script><b>&amp;<!-- \xff\n";
    trace.launch.kernel = "less<int> & more";
    walk(page_, trace, {});
}

}  // namespace
}  // namespace tilereel::html_page_walk_test
