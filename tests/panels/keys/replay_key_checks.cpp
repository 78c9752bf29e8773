// Keys that move a replay, and that choose what is shown and how.
#include "app/panels/overlay/go_to.h"
#include "tests/panels/keys/every_key_window.h"
#include "tests/trace/tensor_traces.h"

namespace tilereel::every_key {

void check_play(const Size& size) {
    SizedWindow window(size);
    window.driver.press(' ');
    EXPECT_TRUE(window.bench.playing());
    window.driver.press(' ');
    EXPECT_FALSE(window.bench.playing());
}

void check_steps(const Size& size, Key on, Key back, bool shift) {
    SizedWindow window(size);
    window.driver.press(on, shift);
    window.finish_step();
    EXPECT_GT(window.bench.position(), 0);
    window.driver.press(back, shift);
    EXPECT_EQ(window.tick(), 0u);
}

void check_jumps(const Size& size) {
    SizedWindow window(size, small_request("08_tiled_b_transposed", 32, 32));
    window.driver.press('n');
    EXPECT_GT(window.tick(), 0u);
    window.driver.press(Key::kHome);
    window.driver.press('g');
    EXPECT_GT(window.tick(), 0u);
    window.driver.press('e');
    EXPECT_TRUE(window.driver.has("message.dismiss"));  // there is no finding
}

// Each example that the prompt offers goes somewhere, and the typed text stays in the prompt.
void check_go_to(const Size& size) {
    SizedWindow window(size);
    for (const std::string& example : go_to_examples(*window.bench.replay())) {
        push_key({Key::kCharacter, U'j'});
        for (const char c : example) push_key({Key::kCharacter, static_cast<unsigned char>(c)});
        push_key({Key::kEnter});
        window.driver.frames(12);
        EXPECT_FALSE(window.driver.has("goto.field")) << example << " is refused";
        EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay) << example;
    }
    EXPECT_EQ(window.bench.watched_thread().chosen_lane(), 31u);
    EXPECT_EQ(window.bench.replay()->block(), 3u);
}

void check_jump_back(const Size& size) {
    SizedWindow window(size);
    window.driver.press('g');
    const Tick barrier = window.tick();
    window.driver.press('g');
    const Tick second = window.tick();
    window.driver.press(Key::kJumpBack);
    EXPECT_EQ(window.tick(), barrier);
    window.driver.press(Key::kJumpBack);
    EXPECT_EQ(window.tick(), 0u);
    window.driver.press(Key::kJumpForward);
    window.driver.press(Key::kJumpForward);
    EXPECT_EQ(window.tick(), second);
}

void check_kernel(const Size& size) {
    SizedWindow window(size);
    window.driver.press('k');
    window.choose("02");
    EXPECT_EQ(window.bench.request().kernel, "02_naive");
    window.expect_keys_act();
}

void check_block(const Size& size) {
    ProgramKeys window(size);
    window.driver.press('k');
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.block.0"));
}

void check_sizes(const Size& size) {
    SizedWindow window(size, small_request("08_tiled_b_transposed", 16, 8));
    window.driver.press(Key::kTab);
    for (const char* extent : {"32", "48", "16"}) {
        window.driver.type(extent);
        window.driver.press(Key::kTab);
    }
    window.choose("16");
    EXPECT_EQ(window.parameters(),
              (KernelParameters{.m = 32, .n = 48, .k = 16, .tile = 16, .pad = 0}));
    window.expect_keys_act();
}

void check_gpu(const Size& size) {
    SizedWindow window(size);
    window.driver.press('d');
    window.choose("rtx 4090");
    EXPECT_EQ(window.bench.generation().title, "RTX 4090 (8.9)");
    window.expect_keys_act();
}

void check_compare(const Size& size) {
    SizedWindow window(size);
    window.driver.press('c');
    window.choose("02");
    ASSERT_TRUE(window.bench.comparing());
    window.expect_keys_act();
    window.driver.press('c');
    EXPECT_NE(window.bench.view().sides, SidesShown::kBoth);
}

void check_suggestion(const Size& size) {
    SizedWindow window(size);
    window.bench.apply(SetParameters{{.m = 17, .n = 17, .k = 17, .tile = 8, .pad = 0}});
    window.driver.frames(2);
    ASSERT_NE(window.bench.size_suggestions(), nullptr);
    window.driver.press(Key::kTab);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.size_suggestions(), nullptr);
}

void check_leaving_out(const Size& size) {
    SizedWindow window(size);
    window.driver.press('b', true);
    EXPECT_GT(window.bench.recording()->trace->launch.removed_barrier, 0u);
}

void check_opening(const Size& size) {
    SizedWindow window(size, small_request("08_tiled_b_transposed", 32, 32));
    window.driver.press('p');
    EXPECT_EQ(window.bench.recording()->trace->launch.pad, 1u);
    window.driver.press(Key::kHome, true);
    EXPECT_EQ(window.bench.recording()->trace->launch.pad, 0u);
}

void check_look(const Size& size) {
    SizedWindow window(size);
    const ViewState& view = window.bench.view();
    window.driver.press('w');
    EXPECT_EQ(window.bench.watched_thread().chosen_warp(), 0u);
    window.driver.press('l');
    EXPECT_TRUE(window.bench.watched_thread().chosen_lane().has_value());
    window.driver.press('y');
    const Tick first = window.tick();
    window.driver.press('y');
    EXPECT_GT(window.tick(), first);
    window.driver.press('o');
    EXPECT_TRUE(window.bench.view().names_elements.has_value());
    window.driver.press('u');
    EXPECT_EQ(view.heat, Heat::kGlobal);
    window.driver.press('u', true);
    EXPECT_EQ(view.line_figure, LineFigure::kAccesses);
    window.driver.press('h');
    EXPECT_TRUE(view.phase_table);
    window.driver.press('h');
    window.driver.press('i');
    EXPECT_TRUE(view.introduction);
    window.driver.press(Key::kEnter);
    EXPECT_FALSE(view.introduction);
    window.driver.press('0');
    EXPECT_TRUE(window.bench.stage_zoom().whole);
}

void check_tensor(const Size& size) {
    SizedWindow window(size, WorkbenchOptions{.request = {},
                                              .trace = tests::tensor_trace(),
                                              .playing = false,
                                              .record_on_worker = false});
    const ViewState& view = window.bench.view();
    const Replay& replay = *window.bench.replay();
    for (const Step& step : replay.schedule().steps)
        if (replay.trace().sites[step.site].operation == Operation::kMatrixLoad) {
            window.bench.apply(Command{SeekTo{static_cast<double>(step.begin), false}});
            break;
        }
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("stage.tensor"));
    window.driver.press('m');
    EXPECT_EQ(view.large_fragment, 1u);
    window.driver.press('x');
    EXPECT_EQ(view.tensor_product, 1u);
    window.driver.press('m', true);
    EXPECT_FALSE(window.driver.has("stage.tensor"));
    window.driver.press('m', true);
    EXPECT_TRUE(window.driver.has("stage.tensor"));
}

}  // namespace tilereel::every_key
