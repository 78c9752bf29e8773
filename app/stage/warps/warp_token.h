#pragma once
// A warp's token: icon, name and word. It is filled yellow while the warp waits.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

struct Token {
    Rect rect;
    bool name = true;  // "warp 3"; else "3"
    float px = 15;     // font size of the name in pixels; smaller in a low token
};

void draw_token(Scene& scene, const Token& token, std::uint32_t warp);
// Widths in pixels: of a token with icon and name but without the word, and of the widest of
// `count` compact tokens.
[[nodiscard]] float full_token_width(const Scene& scene, float height, float px);
[[nodiscard]] float compact_token_width(const Scene& scene, std::uint32_t count, float px);
// What a warp does.
struct ActivityWords {
    Activity activity;
    const char *one, *many;  // "loads", "load"
    Icon icon;
};
// In the order in which they are listed.
inline constexpr std::array<ActivityWords, 7> kActivities = {
    {{Activity::kWaitsAtBarrier, "waits", "wait", Icon::kWait},
     {Activity::kWaitsForCopy, "waits", "wait for copies", Icon::kWait},
     {Activity::kLoads, "loads", "load", Icon::kLoad},
     {Activity::kComputes, "computes", "compute", Icon::kCompute},
     {Activity::kStores, "stores", "store", Icon::kLoad},
     {Activity::kReady, "ready", "ready", Icon::kForward},
     {Activity::kDone, "done", "done", Icon::kDone}}};
[[nodiscard]] inline const ActivityWords& words_of(Activity activity) {
    return *std::ranges::find(kActivities, activity, &ActivityWords::activity);
}
// Where the recording of the warp ends, if it stands there and has not returned; else nullopt.
[[nodiscard]] std::optional<WarpStop> stop_of(const Scene& scene, std::uint32_t warp);
// "loads"; where its recording was cut off: "in the loop, line 13".
[[nodiscard]] std::string word_of(const Scene& scene, std::uint32_t warp);

}  // namespace tilereel::stage
