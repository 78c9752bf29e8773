// Flights land before they are read: no cell of shared memory is in flight when a request reads it,
// and the picture then shows the value that is read, however the replay is moved.
#include <gtest/gtest.h>

#include <random>

#include "app/ladder/ladder.h"
#include "app/replay/elements.h"
#include "app/replay/places/stops.h"
#include "app/stage/shared/shared_picture.h"
#include "app/workbench/playhead.h"
#include "kernels/catalog.h"
#include "tests/workbench/remembered_recordings.h"

namespace tilereel::stage::motion_test {
namespace {

// A small launch of a kernel that has several phases where the kernel allows it.
std::optional<KernelParameters> small_launch(const KernelInfo& kernel, int tile, int pad) {
    for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{{16, 16, 16},
                                                                 {16, 16, tile},
                                                                 {tile, tile, 16},
                                                                 {tile, tile, 2 * tile},
                                                                 {16, 64, 32},
                                                                 {tile, tile, tile}})
        if (const KernelParameters p{m, n, k, tile, pad}; validate(kernel, p)) return p;
    return std::nullopt;
}

std::vector<std::pair<std::string, KernelParameters>> launches() {
    std::vector<std::pair<std::string, KernelParameters>> all;
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles)
            for (const int pad : {kernel.pads.front(), kernel.pads.back()})
                if (const auto p = small_launch(kernel, tile, pad);
                    p && tile <= 32 && (pad == 0 || tile == 4 || tile == 8))
                    all.emplace_back(kernel.id, *p);
    return all;
}

std::string name_of(const std::string& kernel, const KernelParameters& p) {
    return kernel + " " + std::to_string(p.m) + "x" + std::to_string(p.n) + "x" +
           std::to_string(p.k) + " TILE " + std::to_string(p.tile) + " PAD " +
           std::to_string(p.pad);
}

// A workbench and the state of its stage, frame by frame.
class Watched {
  public:
    Watched(const std::string& kernel, const KernelParameters& parameters)
        : bench(options(kernel, parameters)), name_(name_of(kernel, parameters)) {
        view_.plan.refresh(*bench.replay());
        Zoom zoom;
        layout_ =
            layout_stage(look_, {464, 64, 1048, 800}, bench.replay()->trace(), view_.plan, zoom);
    }

    // One frame; false once a test has failed.
    bool frame(double seconds = 1.0 / 60) {
        bench.advance(seconds);
        look_.frame_seconds = seconds;
        advance_motion(view_, bench, look_);
        check_what_is_read();
        return !testing::Test::HasFatalFailure();
    }

    [[nodiscard]] Progress progress() const { return scene().progress(); }

    Workbench bench;

  private:
    [[nodiscard]] Scene scene() const {
        const Replay& replay = *bench.replay();
        return {look_, bench, replay, replay.trace(), replay.state(), view_, view_.plan, layout_};
    }

    static WorkbenchOptions options(const std::string& kernel, const KernelParameters& parameters) {
        WorkbenchOptions options;
        options.request.kernel = kernel;
        options.request.parameters = parameters;
        options.record_on_worker = false;
        options.record = remembered_recordings();
        options.playing = false;
        return options;
    }

    static SharedView plane_of_array(const Array& array, ArrayId id, std::uint32_t plane) {
        SharedView view;
        view.array = id;
        view.plane = plane;
        view.planes = array.planes();
        view.first_row = plane * array.rows_of_plane();
        view.row_count = array.rows_of_plane();
        view.leading_dimension = array.leading_dimension;
        view.used_columns = array.columns;
        return view;
    }

    void check_what_is_read() {
        const Replay& replay = *bench.replay();
        const ReplayState& state = replay.state();
        if (state.step == kNoStep) return;
        const Site& site = replay.trace().sites[replay.schedule().steps[state.step].site];
        const Array& array = replay.trace().arrays[site.array];
        if (array.space != Space::kShared || site.operation != Operation::kLoad) return;
        const Scene shown = scene();
        std::map<std::uint32_t, Picture> pictures;
        for_each_element(
            state.request, array, [&](std::uint32_t lane, std::uint32_t word, Element at) {
                if (at.column >= array.columns || at.row >= array.rows) return;
                const SharedView view =
                    plane_of_array(array, site.array, at.row / array.rows_of_plane());
                if (!pictures.contains(view.plane))
                    for (const SharedArrayState& model : state.shared)
                        if (model.array == site.array)
                            pictures[view.plane] = picture_of(shown, model, view);
                const SharedCell& cell = pictures[view.plane].cells[view.index(at)];
                ASSERT_EQ(cell.value, state.request.lanes[lane].values[word % 4])
                    << name_ << ": " << array.name << "[" << at.row << "][" << at.column
                    << "] at tick " << bench.position() << ", speed " << bench.speed();
                ASSERT_NE(cell.state, CellState::kStale) << name_ << " at " << bench.position();
            });
    }

    std::string name_;
    Look look_;
    mutable StageView view_;
    StageLayout layout_;
};

TEST(Motion, EveryFlightLandsBeforeItsFirstReadInEveryKernel) {
    std::size_t flights = 0;
    for (const auto& [kernel, parameters] : launches()) {
        RecordRequest request;
        request.kernel = kernel;
        request.parameters = parameters;
        const Result<Trace> trace = record_built_in(request);
        ASSERT_TRUE(trace.has_value()) << kernel;
        const Result<Replay> replay = Replay::of_block(*trace, 0);
        StagePlan plan;
        plan.refresh(*replay);
        for (std::uint32_t i = 0; i < replay->flights().size(); ++i) {
            const Flight& flight = replay->flights()[i];
            const DrawnFlight& drawn_flight = plan.drawn_flight(i);
            ++flights;
            ASSERT_LT(drawn_flight.leave, drawn_flight.land) << name_of(kernel, parameters);
            ASSERT_GE(drawn_flight.land,
                      static_cast<double>(replay->schedule().steps[flight.store_step].begin))
                << "lands before it is stored";
            for (const Barrier& barrier : replay->schedule().barriers) {
                if (barrier.at < flight.land) continue;
                ASSERT_EQ(drawn_flight.progress(static_cast<double>(barrier.at)), 1)
                    << name_of(kernel, parameters) << ": in flight after the barrier";
                break;
            }
            for (const std::uint32_t step : {flight.first_read, flight.replaced}) {
                if (step >= replay->schedule().steps.size()) continue;
                const auto until = static_cast<double>(replay->schedule().steps[step].begin);
                ASSERT_EQ(drawn_flight.progress(until), 1) << name_of(kernel, parameters);
            }
        }
    }
    EXPECT_GT(flights, 10000u);
}

// Each launch at x1 and at one other of the speeds in turn.
TEST(Motion, WhatIsReadHasLandedAtEverySpeed) {
    std::size_t turn = 0;
    for (const auto& [kernel, parameters] : launches())
        for (const double speed : {1.0, offered_speeds()[turn++ % offered_speeds().size()]}) {
            Watched watched(kernel, parameters);
            watched.bench.apply(Commands{SetSpeed{speed}, PlayPause{}});
            // Slow motion is sampled more coarsely in time, and still several times a tick.
            while (watched.bench.playing())
                if (!watched.frame(std::max(1.0 / 60, 0.06 / speed))) return;
        }
}

TEST(Motion, WhatIsReadHasLandedAfterStepsPausesAndParts) {
    std::mt19937 random(6);
    for (const auto& [kernel, parameters] : launches()) {
        Watched watched(kernel, parameters);
        const auto frames = [&](std::size_t most) {
            for (std::size_t left = random() % most; left > 0; --left)
                if (!watched.frame()) return false;
            return watched.frame();
        };
        const std::vector<Command> keys = {StepForward{},  PartForward{}, PartForward{},
                                           PhaseForward{}, PlayPause{},   StepBack{},
                                           PartBack{},     StepForward{}, ToggleLoop{}};
        for (int press = 0; press < 60; ++press) {
            watched.bench.apply(keys[random() % keys.size()]);
            if (!frames(press % 2 == 0 ? 3 : 40)) return;
        }
    }
}

// The step ends only when the cells that are read first have landed.
TEST(Motion, AStepOntoAReadPlaysUntilTheFlightsHaveLanded) {
    Watched watched("09_tiled", {16, 16, 16, 4, 0});
    const Replay& replay = *watched.bench.replay();
    const double read = static_cast<double>(replay.schedule().barriers[0].at);
    watched.bench.apply(SeekTo{read - 1, false});
    watched.frame();
    watched.bench.apply(StepForward{});
    watched.frame();
    EXPECT_TRUE(watched.bench.moving());
    EXPECT_LT(watched.bench.position(), read);
    EXPECT_EQ(replay.state().part, Part::kLoad);
    for (int i = 0; i < 20; ++i) watched.frame();  // 333 ms
    EXPECT_FALSE(watched.bench.moving());
    EXPECT_EQ(watched.bench.position(), read);
    EXPECT_EQ(replay.state().part, Part::kCompute);
}

TEST(Progress, CountsPhasesOrElementsOfCFromOne) {
    const auto at = [](const char* kernel, const KernelParameters& parameters, double share) {
        Watched watched(kernel, parameters);
        watched.bench.apply(
            SeekTo{share * static_cast<double>(watched.bench.replay()->schedule().ticks), false});
        return watched.progress();
    };
    const Progress tiled = at("09_tiled", {16, 16, 16, 4, 0}, 0);
    EXPECT_STREQ(tiled.name, "Phase");
    EXPECT_EQ(tiled.now, 1u);
    EXPECT_EQ(tiled.of, 4u);
    const Progress naive = at("cpu_naive", {8, 8, 8, 16, 0}, 0.26);
    EXPECT_STREQ(naive.name, "Element");
    EXPECT_EQ(naive.now, 17u);  // a quarter of 64 are done
    EXPECT_EQ(naive.done, 16u);
    EXPECT_EQ(naive.of, 64u);
    const Progress over = at("cpu_naive", {8, 8, 8, 16, 0}, 1);
    EXPECT_EQ(over.now, 64u);
    EXPECT_EQ(over.done, 64u);
}

}  // namespace
}  // namespace tilereel::stage::motion_test
