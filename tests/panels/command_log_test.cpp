// A session that is repeated from the log of its commands gives the same picture.
#include "app/shell/command_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "app/shell/command_replay.h"
#include "app/shell/shown_view.h"
#include "app/subject/rung_launch.h"
#include "app/ui/frame/offscreen.h"
#include "tests/panels/frame_window.h"

namespace tilereel::command_log_test {
namespace {

using ::testing::HasSubstr;

constexpr int kWidth = 1280, kHeight = 720;

// What the window shows, without rounding errors of the time.
std::string view_of(const Workbench& bench) {
    auto view = shown_view(bench);
    if (!view) return "";
    view->tick = std::round(view->tick * 1000) / 1000;
    return text_of(*view);
}

// A window whose commands are logged. Dear ImGui has one window at a time, so this one ends before
// the session is repeated.
class CommandLogs : public testing::Test {
  protected:
    CommandLogs() {
        window_ = std::make_unique<FrameWindow>(small_request("08_tiled_b_transposed", 32, 16),
                                                kWidth, kHeight);
        const SavedView view{.subject = subject_of(window_->bench.request())};
        log_.emplace([this](const std::string& line) { text_ += line + "\n"; }, view, kWidth,
                     kHeight, false);
        log_->begin(window_->now);
        window_->state.log = &*log_;
    }
    [[nodiscard]] Driver& driver() { return window_->driver; }

    void expect_repeated() {
        driver().frames(30, 0.1);  // what moves has arrived
        log_->end(window_->now);
        const std::string shown = view_of(window_->bench);
        window_.reset();
        const Result<LoggedSession> session = parse_log(text_);
        ASSERT_TRUE(session) << session.error().message;
        FrameWindow again(record_request(session->view.subject), kWidth, kHeight);
        play_log(*session, again.bench, again.state,
                 [&](double seconds) { again.driver.frames(1, seconds); });
        EXPECT_EQ(view_of(again.bench), shown) << text_;
    }

    std::string text_;
    std::unique_ptr<FrameWindow> window_;
    std::optional<CommandLog> log_;
};

TEST_F(CommandLogs, ASessionByKeysIsRepeated) {
    for (const char key : {'n', 'w', 'l', 'p', 't', '+', 'u', 'g', 'o'}) driver().press(key);
    driver().press(Key::kRight);
    driver().press(Key::kJumpBack);
    driver().press(' ');
    driver().frames(20, 0.05);
    driver().press(' ');
    EXPECT_THAT(text_, HasSubstr("next_warp by=1\n"));
    EXPECT_THAT(text_, HasSubstr("toggle_pad\n"));
    expect_repeated();
}

TEST_F(CommandLogs, ASessionByClicksIsRepeated) {
    driver().click("chip.tile");
    driver().frames(2);
    driver().click("chip.tile.8");
    driver().frames(3);
    driver().click("stage.warp.1");
    const Rect map = driver().rect_of("stage.map");
    driver().click_at({map.x + 0.9f * map.w, map.y + 0.9f * map.h});
    driver().click("transport.forward");
    EXPECT_THAT(text_, HasSubstr("choose_warp warp=1\n"));
    EXPECT_THAT(text_, HasSubstr("watch_block "));
    expect_repeated();
}

TEST_F(CommandLogs, AComparisonIsRepeated) {
    driver().click("chip.compare");
    driver().frames(2);
    driver().click("chip.compare.PAD 1");
    driver().frames(3);
    const Rect a = driver().rect_of("right.stage.a");
    driver().click_at({a.x + 0.4f * a.w, a.y + 0.4f * a.h});
    driver().press('c');
    EXPECT_THAT(text_, HasSubstr("right seek_to"));
    expect_repeated();
}

// The last frame of a session, drawn without a window.
class LastFrame {
  public:
    LastFrame(OffscreenRenderer& renderer, CommandLog* log)
        : renderer_(renderer),
          bench_({.request = small_request("08_tiled_b_transposed", 32, 16),
                  .trace = {},
                  .playing = false,
                  .record_on_worker = false}) {
        state_.log = log;
        build(kFrame);
    }
    void build(double seconds) {
        renderer_.build(seconds, [&] { draw(seconds); });
    }
    void apply(const Command& command) {
        apply_in_frame({command}, bench_, state_);
        for (int frame = 0; frame < 5; ++frame) build(kFrame);
    }
    void repeat(const LoggedSession& session) {
        play_log(session, bench_, state_, [this](double seconds) { build(seconds); });
    }
    [[nodiscard]] double now() const { return now_; }
    Image picture() {
        for (int frame = 0; frame < 90; ++frame) build(kFrame);  // what moves has arrived
        renderer_.draw_settled(0, [this](double seconds) { draw(seconds); });
        return renderer_.read();
    }

  private:
    static constexpr double kFrame = 1.0 / 30;
    void draw(double seconds) {
        now_ += seconds;
        draw_frame(bench_, state_, look_of(bench_, kWidth, kHeight, now_, seconds));
    }
    OffscreenRenderer& renderer_;
    Workbench bench_;
    FrameState state_;
    double now_ = 0;
};

TEST(CommandLog, ThePictureIsTheSame) {
    auto renderer = OffscreenRenderer::create(kWidth, kHeight);
    if (!renderer) GTEST_SKIP() << "no picture can be made here: " << renderer.error().message;
    std::string text;
    const SavedView view{.subject = subject_of(small_request("08_tiled_b_transposed", 32, 16))};
    CommandLog log([&text](const std::string& line) { text += line + "\n"; }, view, kWidth, kHeight,
                   false);
    Image first;
    {
        LastFrame session(**renderer, &log);
        log.begin(session.now());
        for (const Command& command :
             Commands{PlayPause{}, TogglePad{}, ChooseWarp{1}, ChooseLane{5}, SetTheme{true},
                      SetZoom{{.zoom = 2, .follows = false, .pan = {4, 8, 2}}}, PlayPause{},
                      WatchBlock{1, 0}, SeekTo{40.5, false}, ShowHeat{Heat::kShared},
                      AskPattern{{.expression = "ty"}}, SelectTab{SideTab::kCounts}})
            session.apply(command);
        log.end(session.now());
        first = session.picture();
    }
    const Result<LoggedSession> logged = parse_log(text);
    ASSERT_TRUE(logged) << logged.error().message;
    LastFrame again(**renderer, nullptr);
    again.repeat(*logged);
    const Image second = again.picture();
    ASSERT_EQ(first.rgba.size(), second.rgba.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < first.rgba.size(); ++i)
        different += std::abs(int{first.rgba[i]} - int{second.rgba[i]}) > 1 ? 1 : 0;
    EXPECT_EQ(different, 0u) << text;
}

TEST(CommandLog, AWrongLogNamesItsLine) {
    const std::string head = "tilereel commands 1\nsize 1280 720\nview kernel=09_tiled\n";
    ASSERT_TRUE(parse_log(head + "0 play_pause\n1.5 end\n"));
    for (const auto& [log, said] : {
             std::pair<std::string, const char*>{"", "begins with 'tilereel commands 1'"},
             {head + "0 fly\n", "line 4: there is no command 'fly'"},
             {head + "2 play_pause\n1 end\n", "line 5: a line begins with its time"},
             {head + "soon end\n", "line 4: a line begins with its time"},
             {"tilereel commands 1\nsize 0 720\n", "line 2: a size is"},
             {"tilereel commands 1\nview tile=8\n", "line 2: a saved view names"},
         }) {
        const Result<LoggedSession> read = parse_log(log);
        ASSERT_FALSE(read) << log;
        EXPECT_THAT(read.error().message, HasSubstr(said));
    }
}

}  // namespace
}  // namespace tilereel::command_log_test
