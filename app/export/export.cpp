#include "app/export/export.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "app/export/film_encoder.h"
#include "app/export/player.h"
#include "app/export/temporary_folder.h"
#include "instrumentation/base/replacing_file.h"

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

Status copy_into(ReplacingFile& file, const std::filesystem::path& from) {
    std::ifstream stream(from, std::ios::binary);
    std::vector<char> bytes(1 << 16);
    while (stream) {
        stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        const auto count = static_cast<std::size_t>(stream.gcount());
        if (Status written = file.write(std::as_bytes(std::span(bytes).first(count))); !written)
            return written;
    }
    if (!stream.eof()) return failed("cannot read the film back from " + from.string());
    return Done{};
}

}  // namespace

Status export_png(PictureRequest request, const std::filesystem::path& path) {
    const double tick = request.tick.value_or(0.0);
    Result<std::unique_ptr<Player>> player = Player::create(std::move(request));
    if (!player) return player.error();
    // The middle of a tick: its request is under way, and who arrived before it has settled.
    arrive_at(**player, std::min(tick + 0.5 * (tick > 0), (*player)->ticks()));
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
    Result<ReplacingFile> file = ReplacingFile::open(path);  // before the work, not after it
    if (!file) return file.error();
    Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder) return folder.error();
    const std::filesystem::path palette = folder->file("palette.png");
    const std::filesystem::path film = folder->file("film.gif");
    if (Status chosen = choose_palette(**player, plan, format, palette); !chosen) return chosen;
    if (Status made = encode_film(**player, plan, format, palette, film); !made) return made;
    if (Status copied = copy_into(*file, film); !copied) return copied;
    return file->commit();
}

}  // namespace tilereel
