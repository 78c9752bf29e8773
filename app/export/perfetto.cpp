#include "app/export/perfetto.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/export/counter_rows.h"
#include "app/export/watched_block.h"
#include "app/panels/recorded_text.h"
#include "app/replay/sentence/sentence_facts.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;
using EventSink = std::function<void(Json)>;

constexpr int kProcess = 1;
constexpr int kPhases = 0;  // the track of the phases; warp w has track w + 1

int track_of(std::size_t warp) { return static_cast<int>(warp) + 1; }

Json event(const char* kind, const std::string& name, int track, Tick begin) {
    return {{"ph", kind}, {"name", name}, {"pid", kProcess}, {"tid", track}, {"ts", begin}};
}

Json span(const std::string& name, const char* category, int track, Tick begin, Tick ticks) {
    Json made = event("X", name, track, begin);
    made["dur"] = ticks;
    made["cat"] = category;
    return made;
}

void add_names(const Replay& replay, const EventSink& events) {
    const auto name = [&events](const char* what, int track, const std::string& text) {
        events({{"ph", "M"},
                {"name", what},
                {"pid", kProcess},
                {"tid", track},
                {"args", {{"name", text}}}});
    };
    const Launch& launch = replay.trace().launch;
    name("process_name", kPhases,
         launch.kernel + ", block " + block_name(launch.grid, replay.block()));
    name("thread_name", kPhases, "phases");
    for (std::uint32_t warp = 0; warp < launch.warps(); ++warp)
        name("thread_name", track_of(warp), "warp " + std::to_string(warp));
    for (int track = 0; track <= static_cast<int>(launch.warps()); ++track)
        events({{"ph", "M"},
                {"name", "thread_sort_index"},
                {"pid", kProcess},
                {"tid", track},
                {"args", {{"sort_index", track}}}});
}

void add_phases(const Replay& replay, const EventSink& events) {
    constexpr std::array<const char*, 3> kParts = {"load", "compute", "store"};
    for (const PhaseSpan& part : replay.schedule().spans)
        events(span(kParts[static_cast<std::size_t>(part.part)] + std::string(" ") +
                        std::to_string(part.phase + 1),
                    "phase", kPhases, part.begin, part.end - part.begin));
    for (const Barrier& barrier : replay.schedule().barriers) {
        Json instant = event("i", "barrier", kPhases, barrier.at);
        instant["s"] = "p";  // drawn across all tracks of the process
        instant["args"] = {{"line", barrier.line}};
        events(std::move(instant));
    }
}

Json request_event(const Replay& replay, const Step& step, const RequestCost& cost) {
    const Trace& trace = replay.trace();
    const Site& site = trace.sites[step.site];
    const Array& array = trace.arrays[site.array];
    Json made = span(std::string(words_for(site.operation).request) + " " + array.name,
                     space_name(array.space).data(), track_of(step.warp), step.begin, step.ticks);
    made["args"] = {{"line", site.line},
                    {"phase", step.phase + 1},
                    {"lanes", cost.lanes},
                    {"sentence", plain_text(replay.sentence())}};
    Json& args = made["args"];
    if (array.space == Space::kGlobal) {
        args[std::string(replay.generation().global.units)] = cost.transactions;
        args["lines"] = cost.lines;
        args["bytes_requested"] = cost.bytes_requested;
        args["bytes_moved"] = cost.bytes_moved;
    } else {
        args["wavefronts"] = cost.wavefronts;
        args["bank_conflicts"] = cost.bank_conflicts;
    }
    return made;
}

// Records when warps begin and end waiting at a barrier.
class Waits {
  public:
    explicit Waits(std::size_t warps) : since_(warps) {}
    void look(const std::vector<WarpState>& warps, Tick now, const EventSink& events) {
        for (std::size_t warp = 0; warp < warps.size(); ++warp) {
            const bool waits = warps[warp].activity == Activity::kWaitsAtBarrier;
            if (waits && !since_[warp]) since_[warp] = now;
            if (waits || !since_[warp]) continue;
            if (now > *since_[warp])
                events(span("waits at the barrier", "wait", track_of(warp), *since_[warp],
                            now - *since_[warp]));
            since_[warp].reset();
        }
    }

  private:
    std::vector<std::optional<Tick>> since_;
};

void add_counters(const KernelCounts& counts, const Replay& replay, Tick now,
                  const EventSink& events) {
    for (const CounterRow& row : counter_rows(counts, replay.generation())) {
        if (row.value == 0) continue;
        Json counter = event("C", row.label, kPhases, now);
        counter["args"] = {{"so far", row.value}};
        events(std::move(counter));
    }
}

// Makes the events one after another: all events of a long block at once would need gigabytes.
void make_events(Replay& replay, const EventSink& events) {
    const Trace& trace = replay.trace();
    add_names(replay, events);
    add_phases(replay, events);
    Waits waits(trace.launch.warps());
    KernelCounts counts;
    for (std::uint32_t number = 0; number < replay.schedule().steps.size(); ++number) {
        const Step& step = replay.schedule().steps[number];
        waits.look(replay.seek(step.begin).warps, step.begin, events);
        events(request_event(replay, step, replay.schedule().costs[number]));
        const Site& site = trace.sites[step.site];
        if (!site.is_of_product())  // which no counter has
            count_request(counts, trace.arrays[site.array].space, site.operation,
                          replay.schedule().costs[number]);
        add_counters(counts, replay, step.end(), events);
    }
    waits.look(replay.seek(replay.schedule().ticks).warps, replay.schedule().ticks, events);
}

Json other_data(const Replay& replay) {
    return {{"time", "a tick is shown as 1 us; " + long_time_text(replay)},
            {"generation", replay.generation().title}};
}

}  // namespace

nlohmann::ordered_json perfetto_events(Replay& replay) {
    Json events = Json::array();
    make_events(replay, [&events](Json made) { events.push_back(std::move(made)); });
    return {{"traceEvents", std::move(events)}, {"otherData", other_data(replay)}};
}

Status export_perfetto(const Trace& trace, std::uint32_t block_x, std::uint32_t block_y,
                       const Generation& generation, const std::filesystem::path& path) {
    auto replay = TRY(replay_of_watched_block(trace, block_x, block_y, generation));
    // Opened first, so that a path that cannot be written is reported before the work.
    ReplacingFile file = TRY(ReplacingFile::open(path));
    constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
    std::string text = "{\"traceEvents\":[";
    Status written = Done{};
    const auto write = [&] {
        if (written) written = file.write(std::as_bytes(std::span(text)));
        text.clear();
    };
    bool first = true;
    make_events(replay, [&](const Json& made) {
        text += (std::exchange(first, false) ? "" : ",") + json_text(made);
        if (text.size() >= kPieceBytes) write();
    });
    text += "],\"otherData\":" + json_text(other_data(replay)) + "}\n";
    write();
    if (!written) return written;
    return file.commit();
}

}  // namespace tilereel
