// Tests the window like a user: keys, mouse and pixels through a real X server.
#include "tests/window/real_window.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

namespace tilereel::real_window_test {
namespace {

using State = RealWindow::State;

class RealWindowTest : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const char* program : {"Xvfb", "xdotool"})
            if (!is_installed(program)) GTEST_SKIP() << program << " is not installed";
    }
    static std::vector<std::string> small_tiled() {  // stands paused at the start
        return {"--kernel", "09_tiled", "--m",    "16", "--n",    "16",
                "--k",      "16",       "--tile", "4",  "--tick", "0"};
    }
    static auto tick_is(int tick) {
        return [tick](const State& s) {
            return s.value("tick", -1) == tick && !s.value("playing", true);
        };
    }
};

// 16 x 16 x 16 with TILE 4: a phase loads A (2 lines), stores As (1 wavefront), loads B (2 lines),
// stores Bs (1), then reads both tiles for each of 4 k (8): 14 ticks, four times, and C's 2 lines.
TEST_F(RealWindowTest, PageDownAndUpGoByParts) {
    RealWindow window(1280, 720, small_tiled());
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the start, paused", tick_is(0)));
    EXPECT_EQ(window.state().at("ticks"), 58);
    for (const int tick : {5, 6, 13, 14}) {  // at the barrier, compute, at the barrier, phase 2
        window.key("Page_Down");
        ASSERT_TRUE(window.wait_for("tick " + std::to_string(tick), tick_is(tick)));
    }
    window.key("shift+Page_Down");
    ASSERT_TRUE(window.wait_for("phase 3", tick_is(28)));
    window.key("Page_Up");
    ASSERT_TRUE(window.wait_for("the barrier before phase 3", tick_is(27)));
}

// 32 x 32 x 32 with TILE 32, unpadded: 33,792 load and 1,056 store wavefronts and 96 lines; padded
// by one word: 2,048 and 64 and 96.
TEST_F(RealWindowTest, PaddingIsToggledWithTheMouse) {
    RealWindow window(1280, 720,
                      {"--kernel", "08_tiled_b_transposed", "--m", "32", "--n", "32", "--k", "32",
                       "--tile", "32", "--tick", "0"});
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(
        window.wait_for("no padding", [](const State& s) { return s.value("pad", -1) == 0; }));
    EXPECT_EQ(window.state().at("ticks"), 34944);
    window.click("chip.pad");
    window.click("chip.pad.1");
    ASSERT_TRUE(window.wait_for("one word of padding", [](const State& s) {
        return s.value("pad", -1) == 1 && !s.value("recording", true);
    }));
    EXPECT_EQ(window.state().at("ticks"), 2208);
}

TEST_F(RealWindowTest, TimelineIsScrubbed) {
    RealWindow window(1280, 720, small_tiled());
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the start, paused", tick_is(0)));
    window.move_to("timeline.track", 0.25);
    window.press_button();
    window.move_to("timeline.track", 0.75);
    ASSERT_TRUE(window.wait_for("scrubbing to three quarters", [](const State& s) {
        return s.value("scrubbing", false) && s.value("tick", 0) >= 40 && s.value("tick", 0) <= 47;
    }));
    window.release_button();
    ASSERT_TRUE(window.wait_for("the button released", [](const State& s) {
        return !s.value("scrubbing", true) && s.value("tick", 0) >= 40;
    }));
}

TEST_F(RealWindowTest, SpacePlaysAndEndGoesToTheEnd) {
    RealWindow window(1280, 720, small_tiled());
    ASSERT_TRUE(window.running());
    window.key("space");
    ASSERT_TRUE(
        window.wait_for("playing", [](const State& s) { return s.value("playing", false); }));
    ASSERT_TRUE(window.wait_for("moving", [](const State& s) { return s.value("tick", 0) >= 3; }));
    window.key("End");
    ASSERT_TRUE(
        window.wait_for("the end", [](const State& s) { return s.value("tick", 0) == 58; }));
}

// A step changes little of the picture. All the rest of it stays, though the driver may give the
// window another buffer at each frame. The colours of the themes are not black.
TEST_F(RealWindowTest, TheWholeWindowIsShownAfterEachStep) {
    RealWindow window(1280, 720, small_tiled());
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the start, paused", tick_is(0)));
    for (int step = 0; step < 6; ++step) {
        const double before = window.state().value("tick", 0.0);
        window.key("Right");
        ASSERT_TRUE(window.wait_for("the next request", [before](const State& s) {
            return s.value("tick", 0.0) > before && !s.value("playing", true);
        }));
        const int black = window.screen().black_pixels(0, 0, 1280, 720);
        ASSERT_GE(black, 0) << "the screen cannot be read";
        EXPECT_LT(black, 1280 * 720 / 100) << "step " << step;
    }
    EXPECT_GT(window.screen().black_pixels(0, 720, 1280, 100), 1280 * 100 / 2)
        << "beside the window";
}

double cpu_seconds(int process) {  // user and system time of a process: proc(5), fields 14 and 15
    std::ifstream in("/proc/" + std::to_string(process) + "/stat");
    std::stringstream all;
    all << in.rdbuf();
    std::istringstream fields(all.str().substr(all.str().rfind(')') + 2));
    std::string skipped;
    for (int i = 3; i < 14; ++i) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

TEST_F(RealWindowTest, UsesHardlyAnyProcessorTimeWhilePaused) {
    RealWindow window(1280, 720, small_tiled());
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the start, paused", tick_is(0)));
    // The window draws on for a moment, so one quiet second of eight is enough.
    double least = 1e9;
    for (int second = 0; second < 8 && least > 0.1; ++second) {
        const double before = cpu_seconds(window.program().id());
        static_cast<void>(window.program().read_line(Seconds(1.0)));
        least = std::min(least, cpu_seconds(window.program().id()) - before);
    }
    EXPECT_LE(least, 0.1) << "seconds of processor time in a second of doing nothing";
}

TEST_F(RealWindowTest, OpensWithWhatItShowedLast) {
    const tests::ScratchFolder kept;
    {
        RealWindow window(1280, 720, {"--kernel", "08_tiled_b_transposed", "--text", "20"},
                          kept.path());
        ASSERT_TRUE(window.running());
        window.key("t");
        ASSERT_TRUE(window.wait_for("the light theme",
                                    [](const State& s) { return s.value("light", false); }));
    }  // killed
    RealWindow window(1280, 720, {}, kept.path());
    ASSERT_TRUE(window.running());
    EXPECT_EQ(window.state().at("kernel"), "08_tiled_b_transposed");
    EXPECT_TRUE(window.state().at("light"));
    EXPECT_EQ(window.state().at("text_px"), 20);
}

// No window manager keeps the window at its least size. Dear ImGui asserts that a layout has room.
TEST_F(RealWindowTest, OutlivesSizesThatHaveNoRoom) {
    RealWindow window(1280, 720, small_tiled());
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the start, paused", tick_is(0)));
    for (const int size : {250, 60, 1}) window.set_size(size, size);
    window.set_size(1280, 720);
    window.key("End");
    EXPECT_TRUE(
        window.wait_for("the end", [](const State& s) { return s.value("tick", 0.0) > 0; }));
}

TEST_F(RealWindowTest, OpensWhateverStandsInTheKeptState) {
    const tests::ScratchFolder kept;
    const std::filesystem::path file = kept / "tilereel" / "state.json";
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "{\"width\": 1, \"height\": 1, \"view\": \"" << std::string(1 << 20, 'x')
                        << "\"}";
    EXPECT_TRUE(RealWindow(1280, 720, small_tiled(), kept.path()).running());
    std::filesystem::remove(file);
    std::filesystem::create_symlink("/dev/zero", file);
    EXPECT_TRUE(RealWindow(1280, 720, small_tiled(), kept.path()).running());
}

// The command line sets them, then keys change them, then the command line changes only the speed.
TEST_F(RealWindowTest, MotionAndSpeedAreKeptForTheNextStart) {
    const tests::ScratchFolder kept;
    const auto shows = [](bool motion, double speed) {
        return [=](const State& s) {
            return s.value("motion", !motion) == motion && s.value("speed", 0.0) == speed;
        };
    };
    {
        std::vector<std::string> arguments = small_tiled();
        for (const char* word : {"--motion", "off", "--speed", "0.5"}) arguments.emplace_back(word);
        RealWindow window(1280, 720, arguments, kept.path());
        ASSERT_TRUE(window.running());
        ASSERT_TRUE(window.wait_for("no motion, half speed", shows(false, 0.5)));
    }
    {
        RealWindow window(1280, 720, {}, kept.path());
        ASSERT_TRUE(window.running());
        ASSERT_TRUE(window.wait_for("what the command line asked for", shows(false, 0.5)));
        window.key("z");
        window.key("bracketleft");
        ASSERT_TRUE(window.wait_for("motion, a quarter of the speed", shows(true, 0.25)));
    }
    RealWindow window(1280, 720, {"--speed", "4"}, kept.path());
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the motion of before, another speed", shows(true, 4)));
}

TEST_F(RealWindowTest, TheTitleSaysWhatIsShownAndControlQCloses) {
    RealWindow window(1280, 720, small_tiled());
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the start, paused", tick_is(0)));
    EXPECT_EQ(window.title(), "09_tiled 16 x 16 x 16, TILE 4 - Tilereel");
    window.key("4");
    ASSERT_TRUE(
        window.wait_for("the patterns", [](const State& s) { return s.value("mode", 0) == 2; }));
    EXPECT_EQ(window.title(), "Patterns - Tilereel");
    window.key("ctrl+q");
    EXPECT_EQ(window.program().wait(), 0);
}

// At twice the usual 96 dpi, in a window that fills the screen.
TEST_F(RealWindowTest, TextFollowsTheScaleOfTheScreenAtTheFirstStart) {
    if (!is_installed("xprop")) GTEST_SKIP() << "xprop is not installed";
    const XServer x(1920, 1080);
    ASSERT_TRUE(x.running());
    ASSERT_TRUE(output_of({"xprop", "-display", x.display(), "-root", "-f", "RESOURCE_MANAGER",
                           "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t192"}));
    const tests::ScratchFolder kept;
    const auto text_px = [&](const std::vector<std::string>& arguments) {
        std::vector<std::string> command{TILEREEL_PROGRAM, "--print-state"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        Process program(
            command,
            {.environment = {"DISPLAY=" + x.display(), "WAYLAND_DISPLAY=<unset>",
                             "LIBGL_ALWAYS_SOFTWARE=1", "XDG_STATE_HOME=" + kept.path().string()}});
        const auto line = program.read_line();
        return line ? State::parse(*line, nullptr, false).value("text_px", 0) : 0;
    };
    EXPECT_EQ(text_px({}), 28);
    EXPECT_EQ(text_px({"--text", "18"}), 18);
    EXPECT_EQ(text_px({}), 18) << "as at the last start";
}

// A trace file and a CUDA program, each on either side.
TEST_F(RealWindowTest, ComparesTraceFilesAndPrograms) {
    const tests::ScratchFolder folder;
    const std::string trace = (folder / "own.npz").string(), program = (folder / "own.cu").string();
    ASSERT_TRUE(output_of({TILEREEL_PROGRAM, "trace", "09_tiled", "--m", "8", "--n", "8", "--k",
                           "8", "--tile", "4", "-o", trace}));
    tests::write_bytes(program,
                       "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
                       "int main() {\n"
                       "    float* x;\n"
                       "    cudaMalloc(&x, 32 * sizeof(float));\n"
                       "    cudaMemset(x, 0, 32 * sizeof(float));\n"
                       "    twice<<<1, 32>>>(x);\n"
                       "    return cudaFree(x);\n"
                       "}\n");
    for (const auto& [left, right] : {std::pair(trace, program), std::pair(program, trace)}) {
        RealWindow window(1280, 720, {left, "--compare", right});
        ASSERT_TRUE(window.running());
        const std::string kernel = left == trace ? "09_tiled" : "twice";
        ASSERT_TRUE(window.wait_for(right + " beside " + left, [&kernel](const State& s) {
            const auto widgets = s.value("widgets", State::object());
            return s.value("kernel", "") == kernel && widgets.contains("compare.left") &&
                   widgets.contains("right.compare.right");
        }));
        EXPECT_EQ(window.state().at("message"), "");
    }
}

// F2, typed characters and Ctrl+S change the file, and the program runs again. Ctrl+E calls the
// user's own editor, here a script. Ctrl+Q does not drop an edit at the first time.
TEST_F(RealWindowTest, EditsTheFileAndHandsItToTheUsersEditor) {
    const tests::ScratchFolder folder;
    const std::filesystem::path program = folder / "own.cu", script = folder / "code",
                                seen = folder / "seen";
    tests::write_bytes(program,
                       "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
                       "int main() {\n"
                       "    float* x;\n"
                       "    cudaMalloc(&x, 32 * sizeof(float));\n"
                       "    cudaMemset(x, 0, 32 * sizeof(float));\n"
                       "    twice<<<1, 32>>>(x);\n"
                       "    return cudaFree(x);\n"
                       "}\n");
    tests::write_bytes(script, "#!/bin/sh\necho \"$@\" > '" + seen.string() + "'\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    const auto text_of = [](const std::filesystem::path& file) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    };
    const auto until = [](const std::function<bool()>& holds) {
        for (int i = 0; i < 400 && !holds(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(25));
        return holds();
    };
    const auto shows = [](const std::string& widget, bool there = true) {
        return [widget, there](const State& s) {
            return s.value("kernel", "") == "twice" &&
                   s.value("widgets", State::object()).contains(widget) == there;
        };
    };
    ::setenv("VISUAL", ("'" + script.string() + "'").c_str(), 1);
    RealWindow window(1366, 768, {program.string()});
    ::unsetenv("VISUAL");
    ASSERT_TRUE(window.running());
    ASSERT_TRUE(window.wait_for("the program", shows("transport.play")));
    window.key("F2");
    ASSERT_TRUE(window.wait_for("the editor", shows("source.edit")));
    for (const char* const key : {"ctrl+Home", "slash", "slash", "t", "1", "Return"})
        window.key(key);
    window.key("ctrl+s");
    ASSERT_TRUE(until([&] { return text_of(program).starts_with("//t1\n__global__"); }))
        << text_of(program);
    window.key("Escape");
    ASSERT_TRUE(window.wait_for("no editor", shows("source.edit", false)));
    // Once it has run again, the running line is one further down.
    const std::string handed = "-g " + program.string() + ":2\n";
    for (int i = 0; i < 40 && text_of(seen) != handed; ++i) {
        window.key("ctrl+e");
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_EQ(text_of(seen), handed);
    window.key("F2");
    ASSERT_TRUE(window.wait_for("the editor", shows("source.edit")));
    window.key("x");
    window.key("ctrl+q");
    ASSERT_TRUE(window.wait_for("the question", shows("message.error")));
    window.key("ctrl+q");
    EXPECT_EQ(window.program().wait(), 0);
    EXPECT_TRUE(text_of(program).starts_with("//t1\n")) << "the edit was dropped";
}

TEST_F(RealWindowTest, ScreenshotShowsTheWindow) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("tilereel_shot_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "shot.png").string();
    XServer x(1024, 600);
    ASSERT_TRUE(x.running());
    Process program({TILEREEL_PROGRAM, "--size", "1024x600", "--frames", "5", "--screenshot", file},
                    {.environment = {"DISPLAY=" + x.display(), "LIBGL_ALWAYS_SOFTWARE=1"}});
    EXPECT_EQ(program.wait(), 0);
    std::ifstream in(file, std::ios::binary);
    std::string head(24, '\0');
    in.read(head.data(), 24);
    EXPECT_EQ(head.substr(1, 3), "PNG");
    EXPECT_EQ(head.substr(16, 8), std::string("\0\0\4\0\0\0\2\x58", 8)) << "1024 x 600";
    EXPECT_GT(std::filesystem::file_size(file), 10000u) << "an empty window";
    std::filesystem::remove_all(folder);
}

TEST_F(RealWindowTest, ALostDisplayIsReportedInOneSentence) {
    std::optional<XServer> x(std::in_place, 1024, 600);
    ASSERT_TRUE(x->running());
    Process program({TILEREEL_PROGRAM, "--size", "1024x600", "--print-state"},
                    {.environment = {"DISPLAY=" + x->display(), "WAYLAND_DISPLAY=<unset>",
                                     "LIBGL_ALWAYS_SOFTWARE=1"},
                     .with_errors = true});
    ASSERT_TRUE(program.read_line()) << "the first frame";
    x.reset();
    std::vector<std::string> said;
    while (const auto line = program.read_line())
        if (!line->starts_with("{")) said.push_back(*line);
    EXPECT_EQ(said, std::vector<std::string>{
                        "tilereel: the connection to the display was lost; start Tilereel again"});
    EXPECT_EQ(program.wait(), 1);
}

TEST(NoDisplay, IsReportedInOneLine) {
    Process program(
        {TILEREEL_PROGRAM},
        {.environment = {"DISPLAY=<unset>", "WAYLAND_DISPLAY=<unset>"}, .with_errors = true});
    const auto line = program.read_line();
    ASSERT_TRUE(line);
    EXPECT_NE(line->find("display"), std::string::npos) << *line;
    EXPECT_FALSE(program.read_line()) << "one line only";
    EXPECT_EQ(program.wait(), 1);
}

}  // namespace
}  // namespace tilereel::real_window_test
