#pragma once
// A replay as a trace for Perfetto (ui.perfetto.dev) and Chrome (chrome://tracing).
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// One block: a track a warp with its requests and waits, a track with the phases, barriers as
// instants, and counters that add up what the requests cost. A tick is shown as a microsecond.
// Source: Trace Event Format (Google, 2016), JSON object format: events X, i, C and M.
[[nodiscard]] nlohmann::ordered_json perfetto_events(Replay& replay);

// kWrongCall for a block that the grid does not have; kFailed for a file that cannot be written. An
// old file stays until the new one is whole.
Status export_perfetto(const Trace& trace, std::uint32_t block_x, std::uint32_t block_y,
                       const Generation& generation, const std::filesystem::path& path);

}  // namespace tilereel
