// Draws the page of races in its states, at four sizes of window and two of text, and looks for
// words that are cut, overlap, lie outside or are too small.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/race/files/race_file.h"
#include "tests/panels/page_of_words.h"
#include "tests/race/fake_runner.h"
#include "tests/race/hardware_race.h"
#include "tests/workbench/remembered_recordings.h"

namespace tilereel::race_words_test {
namespace {

constexpr Size kSizes[] = {{1366, 768}, {1280, 720}, {1920, 1080}, {3840, 2160}};

// Every second launch takes ten times as long, as on a machine that does something else. After 60
// launches the race waits until the gate is opened.
class BusyRunner : public FakeRunner {
  public:
    struct Gate {
        std::mutex mutex;
        std::condition_variable changed;
        int left = 60;  // launches until the race waits
        bool waiting = false, open = false;
    };
    explicit BusyRunner(Gate& gate) : gate_(gate) {}
    RaceMachine machine(const std::atomic<bool>&) override { return hardware_machine(); }
    Result<double> time(const Contender&, int, const std::atomic<bool>&) override {
        std::unique_lock lock(gate_.mutex);
        if (--gate_.left < 0 && !gate_.open) {
            gate_.waiting = true;
            gate_.changed.notify_all();
            gate_.changed.wait(lock, [this] { return gate_.open; });
        }
        return gate_.left % 2 == 0 ? 4.0 : 40.0;
    }

  private:
    Gate& gate_;
};

class RaceWords : public testing::Test {
  protected:
    void SetUp() override {
        driver_ = std::make_unique<Driver>(1920.0f, 1080.0f, [](double) {});
    }

    static WorkbenchOptions with(RaceBenchOptions races) {
        WorkbenchOptions options;
        options.request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
        options.playing = false;
        options.record_on_worker = false;
        races.count = remembered_counts();
        options.record = remembered_recordings();
        options.races = std::make_unique<RaceBench>(std::move(races));
        return options;
    }

    void frame() {
        now_ += 1.0 / 60;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        look_ = look_of(*bench_, size.x, size.y, now_, 1.0 / 60);
        draw_frame(*bench_, *state_, look_);
    }

    // Draws the page in its current state and looks for faults; `what` names the state.
    void look_at(const std::string& what) {
        for (int i = 0; i < 2; ++i) draw_without_baking([this] { frame(); });
        const auto texts = texts_of([this] { draw_without_baking([this] { frame(); }); });
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const Page page{texts,
                        look_,
                        {0, 0, size.x, size.y},
                        what + ", " + std::to_string(static_cast<int>(size.x)) + "x" +
                            std::to_string(static_cast<int>(size.y)) + ", text " +
                            std::to_string(bench_->view().text_px)};
        page.find(faults_);
        find_cut_paragraph(page);
        EXPECT_FALSE(texts.empty());
    }
    // The text about the next race is shown to its end, or not at all.
    void find_cut_paragraph(const Page& page) {
        Rect card;
        if (!find_widget("race.running", card)) return;
        std::string words;
        for (const DrawnText& text : page.texts)
            if (card.contains(text.box.center())) words += text.text + " ";
        if (words.find("Next") != std::string::npos && words.find("caches.") == std::string::npos)
            faults_.add("cut: " + words, page.frame);
    }
    void ask(RaceAction action) { bench_->apply(Command{std::move(action)}); }
    void key(char character) {
        push_key({Key::kCharacter, static_cast<unsigned char>(character), false, false});
        draw_without_baking([this] { frame(); });
    }

    // Every tab where one view at a time fits, else every plot and every side once.
    void look_at_views(const std::string& what) {
        draw_without_baking([this] { frame(); });
        Rect tabs;
        if (find_widget("race.tabs.Table", tabs)) {
            for (int tab = 0; tab <= static_cast<int>(RaceTab::kRun); ++tab) {
                ask(ShowRaceTab{static_cast<RaceTab>(tab)});
                look_at(what + ", tab " + std::to_string(tab));
            }
            return ask(ShowRaceTab{});
        }
        for (int plot = 0; plot <= static_cast<int>(RacePlot::kSweep); ++plot) {
            ask(ShowRacePlot{static_cast<RacePlot>(plot)});
            ask(ShowRaceSide{static_cast<RaceSide>(plot % 3)});
            look_at(what + ", plot " + std::to_string(plot));
        }
        ask(ShowRacePlot{});
        ask(ShowRaceSide{});
    }

    // Shows `bench` at each size of window and of text and calls look(); the fonts are baked once a
    // size.
    template <class Look>
    void at_every_size(Workbench& bench, Look&& look) {
        FrameState state;
        bench_ = &bench;
        state_ = &state;
        bench.apply(SetMode{WindowMode::kRace});
        for (const Size& size : kSizes)
            for (const int text : {14, 28}) {
                bench.apply(SetTextSize{text});
                ImGui::GetIO().DisplaySize = {static_cast<float>(size.width),
                                              static_cast<float>(size.height)};
                begin_ui_frame();
                ImGui::NewFrame();
                frame();
                ImGui::Render();
                look();
            }
    }

    std::unique_ptr<Driver> driver_;
    Workbench* bench_ = nullptr;
    FrameState* state_ = nullptr;
    tilereel::Look look_;
    Faults faults_;
    double now_ = 0;
};

TEST_F(RaceWords, TheRecordedLadderCanBeRead) {
    Result<Race> race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_ladder.json");
    ASSERT_TRUE(race);
    BusyRunner::Gate gate;
    Workbench bench(with({.runner =
                              [&gate] {
                                  return FoundRunner{std::make_unique<BusyRunner>(gate), {}};
                              },
                          .shown = std::move(race).value(),
                          .on_worker = false}));
    at_every_size(bench, [&] {
        look_at_views("ladder");
        key('l');
        look_at("ladder, lines");
        push_key({Key::kEscape, 0, false, false});
        draw_without_baking([this] { frame(); });
    });
    faults_.report();
}

TEST_F(RaceWords, ARunningRaceOnABusyMachineCanBeRead) {
    BusyRunner::Gate gate;
    {
        Workbench bench(with({.runner =
                                  [&gate] {
                                      return FoundRunner{std::make_unique<BusyRunner>(gate), {}};
                                  },
                              .on_worker = true}));
        bench.apply(Command{RaceAction{FindDevice{}}});
        while (bench.races().machine() == nullptr) bench.advance(0.01), std::this_thread::yield();
        bench.apply(Command{RaceAction{StartRace{}}});
        {
            std::unique_lock lock(gate.mutex);
            gate.changed.wait(lock, [&gate] { return gate.waiting; });
        }
        bench.advance(0.01);
        ASSERT_NE(bench.races().shown(), nullptr);
        const ShownRace& shown = *bench.races().shown();
        EXPECT_TRUE(shown.running);
        EXPECT_TRUE(shown.figures.unsteady(*shown.figures.reference, 0));
        at_every_size(bench, [&] { look_at_views("running"); });
        bench.apply(Command{RaceAction{CancelRace{}}});
        at_every_size(bench, [&] { look_at("cancelling"); });
        const std::lock_guard lock(gate.mutex);
        gate.open = true;
        gate.changed.notify_all();
    }
    faults_.report();
}

}  // namespace
}  // namespace tilereel::race_words_test
