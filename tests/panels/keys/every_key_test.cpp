// Every key that the help lists acts, in windows of four sizes and with small and large text. The
// expected effects are those that the help names.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "app/panels/overlay/go_to.h"
#include "app/panels/overlay/help.h"
#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/program/program_window.h"
#include "tests/panels/race/race_window.h"
#include "tests/trace/tensor_traces.h"

namespace tilereel::every_key_test {
namespace {

struct Size {
    float width = 1920, height = 1080;
    int text_px = 14;
};

std::string name_of(const Size& size) {
    return std::to_string(static_cast<int>(size.width)) + " x " +
           std::to_string(static_cast<int>(size.height)) + ", text " + std::to_string(size.text_px);
}

struct SizedWindow : FrameWindow {
    explicit SizedWindow(const Size& size, RecordRequest request = small_request())
        : FrameWindow(std::move(request), size.width, size.height) {
        set_text(size);
    }
    SizedWindow(const Size& size, WorkbenchOptions options)
        : FrameWindow(std::move(options), size.width, size.height) {
        set_text(size);
    }
    void set_text(const Size& size) {
        bench.apply(SetTextSize{size.text_px});
        driver.frames(2);
    }
    // Types in a list and takes the row with Enter. Then the list is closed, and keys have their
    // usual meaning.
    void choose(std::string_view typed) {
        driver.type(typed);
        driver.enter();
        driver.frames(2);
    }
    void expect_keys_act() {
        driver.press(']');
        EXPECT_GT(bench.speed(), 1) << "a list or a field still takes the keys";
        driver.press('[');
    }
};

struct ProgramKeys : SizedWindow {
    explicit ProgramKeys(const Size& size) : SizedWindow(size, options_for(kSixArrays)) {
        program::ProgramRequest request;
        request.file = "six.cu";
        bench.apply(Command{OpenProgram{request}});
        driver.frames(3);
        bench.apply(ChooseLaunch{1});
        driver.frames(3);
    }
};

void check_editor(const Size& size) {
    ProgramKeys window(size);
    window.driver.press(Key::kEditor);
    ASSERT_EQ(window.of_window.size(), 1u);
    ASSERT_TRUE(window.of_window[0].holds<OpenInEditor>());
    const OpenInEditor& place = *window.of_window[0].get_if<OpenInEditor>();
    EXPECT_EQ(place.file, std::filesystem::current_path() / "six.cu");
    const Replay& replay = *window.bench.replay();
    EXPECT_EQ(place.line, replay.trace().sites[replay.schedule().steps[0].site].line);
}

void check_editor_of_kernel(const Size& size) {
    SizedWindow window(size);
    window.driver.press(Key::kEditor);
    EXPECT_TRUE(window.of_window.empty()) << "a kernel that ships is not edited";
}

// The keys of the editor, whose file is made for it.
void check_edit(const Size& size) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "six.cu";
    std::ofstream(file) << "one two\n";
    ProgramKeys window(size);
    program::ProgramRequest request;
    request.file = file;
    window.bench.apply(Command{OpenProgram{request}});
    window.driver.frames(3);
    window.driver.press(Key::kF2);
    ASSERT_TRUE(window.state.panels.editing());
    TextBuffer& buffer = window.state.panels.parts().edit.open->buffer;
    buffer.set_caret(0, false);
    window.driver.press(Key::kTab);
    EXPECT_EQ(buffer.text(), "    one two\n");
    window.driver.press(Key::kUndo);
    EXPECT_EQ(buffer.text(), "one two\n");
    window.driver.press(Key::kRedo);
    EXPECT_EQ(buffer.text(), "    one two\n");
    window.driver.press(Key::kFind);
    window.driver.type("two");
    window.driver.enter();
    window.driver.press(Key::kEscape);
    EXPECT_EQ(buffer.selected(), "two");
    window.driver.press(Key::kCut);
    window.driver.press(Key::kPaste);
    window.driver.press(Key::kPaste);
    EXPECT_EQ(buffer.text(), "    one twotwo\n");
    window.driver.press(Key::kF3);
    EXPECT_EQ(buffer.selected(), "two");
    window.driver.press(Key::kSavePicture);
    ASSERT_EQ(window.of_window.size(), 1u);
    EXPECT_TRUE(window.of_window[0].holds<SaveSource>());
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.state.panels.editing());
    std::filesystem::remove(file);
}

// Options for a program whose link misses a function that a neighbouring file defines.
WorkbenchOptions options_for_missing() {
    WorkbenchOptions options = options_for(kSixArrays);
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run =
            [](const program::ProgramRequest& request, auto*) {
                program::ProgramRun run;
                if (request.more_files.empty())
                    run.compile_errors.push_back({"a.cu", 0, 0, "missing", "f()", "b.cu"});
                else
                    run.launches.resize(1);
                return run;
            },
        .read = [](const std::filesystem::path&) -> Result<Trace> { return kSixArrays.trace(); }});
    return options;
}

using Check = std::function<void(const Size&)>;

void check_missing_files(const Size& size) {
    SizedWindow window(size, options_for_missing());
    program::ProgramRequest request;
    request.file = "a.cu";
    window.bench.apply(Command{OpenProgram{request}});
    window.driver.frames(3);
    ASSERT_EQ(window.bench.program()->compile_errors.size(), 1u);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.program()->request.more_files,
              (std::vector<std::filesystem::path>{"b.cu"}));
    EXPECT_TRUE(window.bench.program()->compile_errors.empty());
}

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

// In a window of one column each tab of the panel is reached, and each of the Race page.
void check_tabs(const Size& size) {
    SizedWindow window(size);
    if (window.driver.has("side.source")) {
        std::set<SideTab> seen;
        for (int i = 0; i < 4; ++i) {
            window.driver.press(Key::kNextTab);
            seen.insert(window.bench.view().tab);
        }
        EXPECT_TRUE(seen.contains(SideTab::kSource) && seen.contains(SideTab::kRequest));
        window.driver.press(Key::kNextTab);
        const SideTab now = window.bench.view().tab;
        window.driver.press(Key::kNextTab);
        EXPECT_NE(window.bench.view().tab, now);
        window.driver.press(Key::kPreviousTab);
        EXPECT_EQ(window.bench.view().tab, now);
    }
    window.driver.press('2');
    const auto shown = [&] {
        const RaceView& race = window.bench.races().view();
        return std::pair(race.plot, race.tab);
    };
    const auto first = shown();
    window.driver.press(Key::kNextTab);
    EXPECT_NE(shown(), first);
    window.driver.press(Key::kPreviousTab);
    EXPECT_EQ(shown(), first);
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

void check_files(const Size& size) {
    ProgramKeys window(size);
    window.driver.press(Key::kOpen);
    EXPECT_TRUE(window.driver.has("files.field"));
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("files.field"));
    const std::string before = window.bench.program()->started;
    window.driver.press(Key::kRunAgain);
    EXPECT_FALSE(window.bench.program()->started.empty()) << before;
}

void check_program(const Size& size) {
    ProgramKeys window(size);
    window.driver.press('k', true);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.program.open"));
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kTab);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.launch.1"));
}

// Whether this menu of the bar is open.
bool has_rows(const std::string& menu) {
    bool found = false;
    for_each_widget(
        [&](std::string_view name, const Rect&) { found |= name.starts_with(menu + "."); });
    return found;
}

void check_bar(const Size& size) {
    SizedWindow window(size);
    window.driver.press(Key::kF10);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.kernel.09_tiled"));
    // M, N, K, TILE, PAD, GPU, compare, open; then the arrow key to the theme.
    for (int i = 0; i < 8; ++i) window.driver.press(Key::kTab);
    window.driver.press(Key::kRight);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_TRUE(window.bench.view().light);
    window.driver.press(Key::kEscape);
    // The arrows alone visit the same controls, and go back.
    window.driver.press(Key::kF10);
    for (const char* const menu :
         {"", "", "", "chip.tile", "chip.pad", "chip.gpu", "chip.compare", ""}) {
        window.driver.press(Key::kRight);
        window.driver.frames(4);
        EXPECT_TRUE(menu[0] == '\0' || has_rows(menu)) << menu;
    }
    window.driver.press(Key::kRight);
    window.driver.press(Key::kEnter);
    EXPECT_FALSE(window.bench.view().light);
    window.driver.press(Key::kF10);
    for (int i = 0; i < 5; ++i) window.driver.press(Key::kRight);
    for (const char* const menu : {"chip.tile", "", "", "", "chip.kernel"}) {
        window.driver.press(Key::kLeft);
        window.driver.frames(4);
        EXPECT_TRUE(menu[0] == '\0' || has_rows(menu)) << menu;
    }
    window.driver.press(Key::kEscape);
    window.expect_keys_act();
}

void check_window(const Size& size) {
    SizedWindow window(size);
    const ViewState& view = window.bench.view();
    window.driver.press('t');
    EXPECT_TRUE(view.light);
    window.driver.press('z');
    EXPECT_FALSE(view.motion);
    window.driver.press('+');
    EXPECT_GT(view.text_px, size.text_px);
    window.driver.press('-');
    EXPECT_EQ(view.text_px, size.text_px);
    window.driver.press('f');
    EXPECT_TRUE(view.full_screen);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(view.full_screen);
    window.driver.press(Key::kF11);
    EXPECT_TRUE(view.full_screen);
    for (const char digit : {'2', '3', '4', '5', '1'}) {
        const WindowMode before = view.mode;
        window.driver.press(digit);
        EXPECT_NE(view.mode, before) << digit;
    }
}

void check_pictures(const Size& size) {
    SizedWindow window(size);
    window.driver.press(Key::kSavePicture);
    ASSERT_TRUE(window.driver.has("save.path"));
    window.driver.type("lecture");  // replaces the name, but neither folder nor extension
    window.driver.enter();
    window.driver.frames(2);
    ASSERT_EQ(window.of_window.size(), 1u);
    ASSERT_TRUE(window.of_window[0].holds<SavePicture>());
    EXPECT_EQ(window.of_window[0].get_if<SavePicture>()->file,
              std::filesystem::current_path() / "lecture.png");
    window.driver.press(Key::kCopy);
    EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("tilereel --state"));
    window.driver.press(Key::kCopyPicture);
    ASSERT_EQ(window.of_window.size(), 2u);
    EXPECT_TRUE(window.of_window[1].holds<CopyPicture>());
}

void check_help(const Size& size) {
    SizedWindow window(size);
    for (const bool by_name : {true, false}) {
        if (by_name)
            window.driver.press(Key::kF1);
        else
            window.driver.press('?');
        EXPECT_TRUE(window.bench.view().help);
        window.driver.press(Key::kEscape);
        EXPECT_FALSE(window.bench.view().help);
    }
}

void check_presenting(const Size& size) {
    SizedWindow window(size);
    const ViewState& view = window.bench.view();
    window.driver.press(Key::kF5);
    EXPECT_TRUE(view.presenting);
    for (const auto& [key, tool] :
         {std::pair('m', PresenterTool::kMagnifier), std::pair('s', PresenterTool::kSpotlight),
          std::pair('d', PresenterTool::kPen)}) {
        window.driver.press(key);
        EXPECT_EQ(view.tool, tool);
    }
    window.state.panels.parts().presenter.strokes.emplace_back();
    window.driver.press('x');
    EXPECT_TRUE(window.state.panels.parts().presenter.strokes.empty());
    for (const auto& [key, curtain] :
         {std::pair('b', Curtain::kBlack), std::pair('.', Curtain::kBlack),
          std::pair('w', Curtain::kWhite)}) {
        window.driver.press(key);
        EXPECT_EQ(view.curtain, curtain);
        window.driver.press(key);
    }
    window.driver.press(Key::kF5);
    EXPECT_FALSE(view.presenting);
}

void check_quiz(const Size& size) {
    SizedWindow window(size);
    window.driver.press('q');
    EXPECT_TRUE(window.bench.quiz().on());
}

void check_race(const Size& size) {
    RaceWindow window({.width = size.width, .height = size.height, .text_px = size.text_px});
    window.driver.press(Key::kEnter);
    window.driver.frames(3);
    ASSERT_NE(window.races().shown(), nullptr);
    EXPECT_GT(window.races().shown()->id, 0u) << "a race has begun here";
}

void check_patterns(const Size& size) {
    SizedWindow window(size);
    window.driver.press('4');
    const auto question = [&] { return window.bench.lab().question(); };
    PatternQuestion before = question();
    window.driver.press(Key::kPageDown);
    EXPECT_NE(question(), before);
    before = question();
    window.driver.press(Key::kRight);
    EXPECT_EQ(question().layout.pad, before.layout.pad + 1);
    window.driver.press(Key::kUp);
    EXPECT_EQ(question().layout.swizzle, 2 * before.layout.swizzle);
    window.driver.press(Key::kEnter);
    window.driver.type("7");
    EXPECT_TRUE(window.state.panels.parts().patterns.edit.has_value());
}

// A goes from a load to ldmatrix, whose tile of 64 columns has conflicts until PAD 8 or a swizzle.
void check_matrix_patterns(const Size& size) {
    SizedWindow window(size);
    window.driver.press('4');
    const auto lab = [&]() -> const PatternLab& { return window.bench.lab(); };
    window.driver.press('a');
    EXPECT_EQ(lab().question().operation, Operation::kStore);
    window.driver.press('a');
    EXPECT_EQ(lab().question().operation, Operation::kMatrixLoad);
    EXPECT_EQ(lab().answer().cost.wavefronts, 32u);
    window.driver.press('n');
    EXPECT_EQ(lab().question().matrices, 1u);
    window.driver.press('p');
    EXPECT_EQ(lab().question().layout.pad, 8);
    window.driver.press('l');
    EXPECT_EQ(lab().question().layout.pad, 0);
    EXPECT_EQ(lab().question().expression, "Swizzle<3,3,3> o (64,64):(64,1)");
    EXPECT_EQ(lab().answer().cost.wavefronts, 1u);
    window.driver.press('a');
    window.driver.press('a');
    EXPECT_EQ(lab().question().operation, Operation::kLoad);
}

// Of the made-up estimate the rows are: TILE 32, no conflicts, coalesced, TILE 2, 4, 16.
void check_time(const Size& size) {
    SizedWindow window(size);
    window.driver.press('5');
    window.driver.press(Key::kRight);
    EXPECT_EQ(window.bench.view().time_size, 4096);
    window.driver.press(Key::kLeft);
    window.driver.press(Key::kLeft);
    EXPECT_EQ(window.bench.view().time_size, 1024);
    for (int i = 0; i < 5; ++i) window.driver.press(Key::kTab);
    window.driver.press(Key::kDown);
    window.driver.press(Key::kUp);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.parameters().tile, 4);
}

// The rows of the help, as the window shows them.
const std::map<std::string, Check>& checks() {
    static const std::map<std::string, Check> kChecks = {
        {"Space", check_play},
        {"Left  Right", [](const Size& s) { check_steps(s, Key::kRight, Key::kLeft, false); }},
        {"Page Up  Page Down",
         [](const Size& s) { check_steps(s, Key::kPageDown, Key::kPageUp, false); }},
        {"Shift+Left  Shift+Right",
         [](const Size& s) { check_steps(s, Key::kRight, Key::kLeft, true); }},
        {"Home  End", [](const Size& s) { check_steps(s, Key::kEnd, Key::kHome, false); }},
        {"A",
         [](const Size& s) {
             SizedWindow window(s);
             window.driver.press('a');
             EXPECT_TRUE(window.bench.looping());
         }},
        {"[  ]", [](const Size& s) { SizedWindow(s).expect_keys_act(); }},
        {"N  G  E", check_jumps},
        {"J", check_go_to},
        {"Y", check_look},
        {"Alt+Left  Alt+Right", check_jump_back},
        {"Shift+Home", check_opening},
        {"K",
         [](const Size& s) {
             check_kernel(s);
             check_block(s);
         }},
        {"Tab", check_sizes},
        {"P", check_opening},
        {"Shift+B", check_leaving_out},
        {"D", check_gpu},
        {"C", check_compare},
        {"Enter  Tab", check_suggestion},
        {"Enter", check_missing_files},
        {"W  L", check_look},
        {"M  X", check_tensor},
        {"Shift+M", check_tensor},
        {"O", check_look},
        {"U", check_look},
        {"Shift+U", check_look},
        {"H", check_look},
        {"I", check_look},
        {"0", check_look},
        {"Ctrl+O  Ctrl+R", check_files},
        {"Shift+K", check_program},
        {"Ctrl+E",
         [](const Size& s) {
             check_editor(s);
             check_editor_of_kernel(s);
         }},
        {"F2", check_edit},
        {"Ctrl+S  Esc", check_edit},
        {"Ctrl+Z  Ctrl+Y", check_edit},
        {"Ctrl+F  F3", check_edit},
        {"Ctrl+X  Ctrl+C  Ctrl+V", check_edit},
        {"1  2  3  4  5", check_window},
        {"F10", check_bar},
        {"Ctrl+Tab  Ctrl+Shift+Tab", check_tabs},
        {"T", check_window},
        {"Z", check_window},
        {"+  -", check_window},
        {"F  F11", check_window},
        {"Ctrl+S", check_pictures},
        {"Ctrl+C  Ctrl+Shift+C", check_pictures},
        {"?  F1", check_help},
        {"Esc", check_help},
        {"F5", check_presenting},
        {"M  S  D  X", check_presenting},
        {"B  .  W", check_presenting},
        {"Q", check_quiz},
        {"Enter  Esc", check_race},
        {"Enter  Page Down", check_patterns},
        {"Left Right  Up Down", check_patterns},
        {"A  N", check_matrix_patterns},
        {"P  L", check_matrix_patterns},
        {"Tab  Up Down  Enter", check_time},
        {"Left Right", check_time},
    };
    return kChecks;
}

// Rows that other tests cover: frame_race_test, race_own_frame_test, frame_lesson_test,
// frame_exercise_test, frame_program_values_test, trust_offer_test, real_window_test,
// context_menu_test; and the mouse.
const std::set<std::string>& rows_elsewhere() {
    static const std::set<std::string> kRows = {"R",
                                                "R  C",
                                                "V",
                                                ",  .",
                                                "L",
                                                "Ctrl+Q",
                                                "Menu  Shift+F10",
                                                "Right click",
                                                "Page Down  Page Up",
                                                "Up Down  Enter",
                                                "H  J",
                                                "N",
                                                "C  S",
                                                "O  Esc",
                                                "Shift+T",
                                                "Mouse wheel",
                                                "Drag the picture",
                                                "Click an array's strip",
                                                "Click on a cell",
                                                "Click on a block",
                                                "Drag the timeline"};
    return kRows;
}

TEST(EveryKey, OfTheHelpIsTested) {
    for (const HelpGroup& group : help_groups())
        for (const KeyHelp& key : group.keys)
            EXPECT_TRUE(checks().contains(key.keys) || rows_elsewhere().contains(key.keys))
                << key.keys;
}

class KeysAtSize : public ::testing::TestWithParam<Size> {};

TEST_P(KeysAtSize, EveryKeyOfTheHelpActs) {
    std::vector<void (*)(const Size&)> done;  // one check covers several rows
    for (const auto& [keys, check] : checks()) {
        using Function = void (*)(const Size&);
        if (const auto* const function = check.target<Function>()) {
            if (std::ranges::count(done, *function) > 0) continue;
            done.push_back(*function);
        }
        SCOPED_TRACE(std::string(keys) + " at " + name_of(GetParam()));
        check(GetParam());
    }
}

INSTANTIATE_TEST_SUITE_P(Windows, KeysAtSize,
                         ::testing::Values(Size{1280, 720, 14}, Size{1280, 720, 28},
                                           Size{1366, 768, 14}, Size{1366, 768, 28},
                                           Size{1920, 1080, 14}, Size{1920, 1080, 28},
                                           Size{3840, 2160, 14}, Size{3840, 2160, 28}));

}  // namespace
}  // namespace tilereel::every_key_test
