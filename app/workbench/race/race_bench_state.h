#pragma once
// The state of a RaceBench. Private to race_bench.cpp, race_bench_state.cpp (commands) and
// race_events.cpp (results of the worker).
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/race/race_bench.h"

namespace tilereel {

struct RaceBench::State {
    explicit State(RaceBenchOptions given);

    void find_device();
    void start(RaceRequest request);
    void offer(OwnOffer offer);
    void toggle_own();
    void race_own();  // RaceOwn
    void start_own(RaceRequest request);
    [[nodiscard]] std::string why_own_cannot() const;
    [[nodiscard]] std::vector<OwnRequest> own_requests(const RaceRequest& request) const;
    void change_own(std::string OwnEntry::*what, std::string text);
    void begin_pair(const RacePair& asked);
    void race_pair();
    void show(ShownRace race);
    void show_first_recorded();
    void count_for(const RaceRequest& request, bool about_to_race);
    void count(std::vector<CountedLaunch> launches, bool about_to_race);
    [[nodiscard]] RaceWorker::CountWhen count_when(bool about_to_race) const;
    void describe_files();
    void choose_lines(LineChoice choice);
    // A name derived from the race, in the folder for saved races.
    [[nodiscard]] std::filesystem::path file_of_shown(RaceExport what) const;
    void save(const SaveRace& to);
    void keep(const Race& race);
    void saved(const std::filesystem::path& path, const Status& status);
    ShownRace* race_of(RaceId id);

    void take(DeviceFound& update);
    void take(RaceBegun& update);
    void take(RaceProgressed& update);
    void take(RaceEnded& update);
    void take(LaunchCounted& update);
    void take(RaceRead& update);
    void take(RacesScanned& update);
    void take(RaceDescribed& update);
    void take(FileWritten& update);
    void take(OwnRecognised& update);
    void take(OwnStage& update);
    void take(OwnRefused& update);
    void refresh();

    RaceBenchOptions options;
    std::vector<std::filesystem::path> files;
    std::map<std::filesystem::path, std::string> summaries;  // empty: being read
    RaceRequest next;
    bool looked = false, looking = false;  // for the device
    bool asked_for_first_recorded = false;
    std::optional<RaceMachine> machine;
    std::string fault, why_no_gpu, message;
    std::string saved_message;  // the last message that says where a file was saved
    std::optional<ShownRace> shown, own, compared;  // own: set while another race is shown
    std::optional<ShownRace> former;                // shown when the running race began
    std::optional<PairRace> pair;
    std::optional<OwnEntry> own_kernel;
    std::string stage;  // RaceBench::stage()
    RaceId newest = 0;
    int files_pending = 0;              // number of files being read and written
    std::optional<RaceRequest> wanted;  // asked for while looking for the device
    bool awaiting_begin = false;        // a requested race has not begun
    bool cancelling = false;            // a cancelled race has not ended
    bool changed = false, pair_changed = false;
    RaceView view;
    std::vector<std::pair<CountedLaunch, std::optional<SizedCounts>>> counted;
    std::vector<CountedLaunch> counting;   // requested, not counted yet
    std::vector<CountedLaunch> postponed;  // those of `counting` that wait for the device
    std::vector<std::pair<Contender, SizedCounts>> sized;  // `counted`, by contender
    RaceWorker worker;                                     // last: its threads end first
};

}  // namespace tilereel
