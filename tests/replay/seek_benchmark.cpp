// Measures making a replay, seeking to a random tick, and playing tick by tick with the sentence of
// each tick.
#include <benchmark/benchmark.h>

#include <random>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"

namespace tilereel {
namespace {

struct Case {
    const char* kernel;
    int extent, tile, pad;
};
constexpr Case kCases[] = {{"09_tiled", 256, 4, 0},  {"09_tiled", 256, 16, 0},
                           {"09_tiled", 256, 32, 0}, {"08_tiled_b_transposed", 256, 32, 0},
                           {"02_naive", 256, 32, 0}, {"01_naive_by_column", 256, 32, 0},
                           {"09_tiled", 64, 16, 0}};

Trace record(const Case& what) {
    RecordRequest request;
    request.kernel = what.kernel;
    request.parameters = {what.extent, what.extent, what.extent, what.tile, what.pad};
    return record_built_in(request).value();
}

void label(benchmark::State& state, const Case& what) {
    state.SetLabel(std::string(what.kernel) + " " + std::to_string(what.extent) + "^3 TILE " +
                   std::to_string(what.tile));
}

void make_replay(benchmark::State& state) {
    const Case& what = kCases[state.range(0)];
    const Trace trace = record(what);
    for (auto _ : state) benchmark::DoNotOptimize(Replay::of_block(trace, 0));
    label(state, what);
}
BENCHMARK(make_replay)->DenseRange(0, std::size(kCases) - 1)->Unit(benchmark::kMillisecond);

void seek_anywhere(benchmark::State& state) {
    const Case& what = kCases[state.range(0)];
    const Trace trace = record(what);
    Result<Replay> replay = Replay::of_block(trace, 0);
    std::mt19937 random(1);
    for (auto _ : state) {
        const ReplayState* reached = &replay->seek(random() % replay->schedule().ticks);
        benchmark::DoNotOptimize(reached);
    }
    label(state, what);
}
BENCHMARK(seek_anywhere)->DenseRange(0, std::size(kCases) - 1)->Unit(benchmark::kMillisecond);

void play_with_sentences(benchmark::State& state) {
    const Case& what = kCases[state.range(0)];
    const Trace trace = record(what);
    Result<Replay> replay = Replay::of_block(trace, 0);
    Tick tick = 0;
    for (auto _ : state) {
        replay->seek(tick);
        benchmark::DoNotOptimize(replay->sentence());
        tick = (tick + 1) % replay->schedule().ticks;
    }
    label(state, what);
}
BENCHMARK(play_with_sentences)->DenseRange(0, std::size(kCases) - 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilereel

BENCHMARK_MAIN();
