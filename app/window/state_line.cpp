#include "app/window/state_line.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {

std::string state_line(const Workbench& workbench) {
    nlohmann::ordered_json state;
    if (const Recording* recording = workbench.recording()) {
        const Launch& launch = recording->trace->launch;
        state["kernel"] = launch.kernel;
        if (recording->trace->product)
            state.update({{"m", launch.m}, {"n", launch.n}, {"k", launch.k}});
        if (is_rung(launch)) state.update({{"tile", launch.tile}, {"pad", launch.pad}});
    }
    state["recording"] = workbench.recording_progress() != nullptr;
    if (const Replay* replay = workbench.replay()) {
        state["block"] = replay->block();
        state["tick"] = static_cast<std::uint64_t>(std::max(0.0, workbench.position()));
        state["ticks"] = replay->schedule().ticks;
    }
    state["playing"] = workbench.playing();
    state["scrubbing"] = workbench.scrubbing();
    state["unit"] = static_cast<int>(workbench.unit());
    state["speed"] = workbench.speed();
    const RaceBench& races = workbench.races();
    state["racing"] = races.racing();
    state["measuring"] = races.looking_for_device();
    if (const ShownRace* shown = races.shown())
        state["race"] = {{"device", shown->race.machine.device},
                         {"recorded", shown->race.recorded},
                         {"complete", shown->race.complete},
                         {"samples", shown->figures.samples}};
    state["pair"] = races.pair() != nullptr;
    const ViewState& view = workbench.view();
    state["light"] = view.light;
    state["text_px"] = view.text_px;
    state["motion"] = view.motion;
    state["full_screen"] = view.full_screen;
    state["help"] = view.help;
    state["mode"] = static_cast<int>(view.mode);
    state["message"] = workbench.message();
    auto& widgets = state["widgets"] = nlohmann::ordered_json::object();
    for_each_widget([&widgets](std::string_view name, const Rect& rect) {
        widgets[std::string(name)] = {std::lround(rect.x), std::lround(rect.y), std::lround(rect.w),
                                      std::lround(rect.h)};
    });
    return json_text(state);
}

}  // namespace tilereel
