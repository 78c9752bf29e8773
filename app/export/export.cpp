#include "app/export/export.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/export/film_encoder.h"
#include "app/export/output_file.h"
#include "app/export/player.h"

namespace tilereel {
namespace {

constexpr double kSecondsPerTick = 0.160;  // at x1
constexpr double kRunUpTicks = 16;         // played before a picture, so that flights are under way
constexpr double kFrameSeconds = 1.0 / 60;
constexpr int kPaletteFrames = 20;  // pictures that a film's 256 colours are chosen from

// Plays up to `tick` and stops exactly there, as the eye would find it.
void arrive_at(Player& player, double tick) {
    player.play_from(std::max(0.0, tick - kRunUpTicks));
    while (player.workbench().playing()) {
        const double left =
            (tick - player.position()) * kSecondsPerTick / player.workbench().speed();
        if (left <= 1e-9) break;
        player.skip_frame(std::min(left, kFrameSeconds));
    }
}

// How a replay of any length becomes a film: frames that play, each `step_seconds` of play, then
// frames that hold the end.
struct FilmPlan {
    int playing_frames = 0, holding_frames = 0;
    double from_tick = 0, step_seconds = 0;
};

FilmPlan plan_film(const Player& player, double from_tick, double speed,
                   const FilmOptions& options) {
    const double play_seconds = std::max(0.0, player.ticks() - from_tick) * kSecondsPerTick / speed;
    const double film_seconds = std::min(play_seconds, options.longest_seconds);
    FilmPlan plan;
    plan.from_tick = from_tick;
    plan.playing_frames =
        std::max(1, static_cast<int>(std::ceil(film_seconds * options.frames_per_second)));
    plan.holding_frames =
        static_cast<int>(std::lround(options.hold_seconds * options.frames_per_second));
    plan.step_seconds = play_seconds / plan.playing_frames;
    return plan;
}

// The colours of the whole film, from pictures spread over it; ffmpeg writes them to a PNG.
Status choose_palette(Player& player, const FilmPlan& plan, const FilmFormat& format,
                      const std::filesystem::path& palette) {
    Result<FilmEncoder> encoder = FilmEncoder::start(
        format, {"-vf", "palettegen=reserve_transparent=0:stats_mode=full", "-frames:v", "1",
                 "-update", "1", "-f", "image2", "-c:v", "png", "file:" + palette.string()});
    if (!encoder) return encoder.error();
    for (int i = 0; i < kPaletteFrames; ++i) {
        const double share = static_cast<double>(i) / (kPaletteFrames - 1);
        arrive_at(player, plan.from_tick + share * (player.ticks() - plan.from_tick));
        if (Status added = encoder->add(player.frame(0)); !added) return added;
    }
    return encoder->finish();
}

Status encode_film(Player& player, const FilmPlan& plan, const FilmFormat& format,
                   const std::filesystem::path& palette, const std::filesystem::path& film) {
    Result<FilmEncoder> encoder =
        FilmEncoder::start(format, {"-f", "png_pipe", "-i", "file:" + palette.string(), "-lavfi",
                                    "paletteuse=dither=none:diff_mode=rectangle", "-loop", "0",
                                    "-f", "gif", "file:" + film.string()});
    if (!encoder) return encoder.error();
    player.play_from(plan.from_tick);
    Image image;
    for (int i = 0; i < plan.playing_frames; ++i) {
        image = player.frame(i == 0 ? 0.0 : plan.step_seconds);
        if (Status added = encoder->add(image); !added) return added;
    }
    image = player.frame(plan.step_seconds);
    for (int i = 0; i < plan.holding_frames; ++i)
        if (Status added = encoder->add(image); !added) return added;
    return encoder->finish();
}

}  // namespace

Status export_png(PictureRequest request, const std::filesystem::path& path) {
    const double tick = request.tick.value_or(0.0);
    Result<std::unique_ptr<Player>> player = Player::create(std::move(request));
    if (!player) return player.error();
    arrive_at(**player, std::clamp(tick, 0.0, (*player)->ticks()));
    return save_png((*player)->frame(0), path);
}

Status export_gif(PictureRequest request, const std::filesystem::path& path,
                  const FilmOptions& options) {
    const FilmFormat format{request.width, request.height, options.frames_per_second};
    const double tick = request.tick.value_or(0.0);
    Result<std::unique_ptr<Player>> player = Player::create(std::move(request));
    if (!player) return player.error();
    const FilmPlan plan = plan_film(**player, std::clamp(tick, 0.0, (*player)->ticks()),
                                    (*player)->workbench().speed(), options);
    std::filesystem::path palette_path = path;
    palette_path += ".palette";
    const OutputFile palette(palette_path);
    OutputFile film(path);
    if (Status chosen = choose_palette(**player, plan, format, palette.temporary()); !chosen)
        return chosen;
    if (Status made = encode_film(**player, plan, format, palette.temporary(), film.temporary());
        !made)
        return made;
    return film.keep();
}

}  // namespace tilereel
