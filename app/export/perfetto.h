#pragma once
// Writes a replay as a trace for Perfetto (ui.perfetto.dev) and Chrome (chrome://tracing).
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The events of one block: a track for each warp with its requests and waits, a track with the
// phases, barriers as instant events, and counters with the running sums of costs. A tick is shown
// as a microsecond.
// Source: Trace Event Format (Google, 2016), JSON object format: events X, i, C and M.
[[nodiscard]] nlohmann::ordered_json perfetto_events(Replay& replay);

// kWrongCall if the grid has no such block or it was not recorded. kFailed if the file cannot be
// written. An existing file is replaced only by a complete one.
Status export_perfetto(const Trace& trace, std::uint32_t block_x, std::uint32_t block_y,
                       const Generation& generation, const std::filesystem::path& path);

}  // namespace tilereel
