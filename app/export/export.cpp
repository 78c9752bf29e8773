#include "app/export/export.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "app/export/film_encoder.h"
#include "app/export/gif_check.h"
#include "app/export/player.h"
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
    double from_tick = 0, until_tick = 0, step_seconds = 0;
};

FilmPlan plan_film(const Player& player, double from_tick, double speed,
                   const FilmOptions& options) {
    const double until = std::min(options.until.value_or(player.ticks()), player.ticks());
    const double play_seconds = std::max(0.0, until - from_tick) * kSecondsPerTick / speed;
    const double film_seconds = std::min(play_seconds, options.longest_seconds);
    FilmPlan plan;
    plan.from_tick = from_tick;
    plan.until_tick = std::max(until, from_tick);
    plan.playing_frames =
        std::max(1, static_cast<int>(std::ceil(film_seconds * options.frames_per_second)));
    plan.holding_frames =
        static_cast<int>(std::lround(options.hold_seconds * options.frames_per_second));
    plan.step_seconds = play_seconds / plan.playing_frames;
    return plan;
}

Status check_going_on(const FilmOptions& options, const std::filesystem::path& path) {
    if (!options.interrupted || !options.interrupted()) return Done{};
    return Error{ErrorKind::kCancelled, "interrupted; '" + path.string() + "' was not written"};
}

using Bytes = std::vector<std::byte>;

// The colours of the whole film, from pictures spread over it, as ffmpeg's PNG.
Result<Bytes> choose_palette(Player& player, const FilmPlan& plan, const FilmFormat& format,
                             const std::function<Status()>& going_on) {
    Bytes palette;
    Result<FilmEncoder> encoder = FilmEncoder::start(
        format, {.arguments = {"-vf", "palettegen=reserve_transparent=0:stats_mode=full",
                               "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "pipe:1"},
                 .side_input = {},
                 .take = [&palette](std::span<const std::byte> bytes) -> Status {
                     palette.insert(palette.end(), bytes.begin(), bytes.end());
                     if (palette.size() > kLargestSideInput)
                         return failed("ffmpeg gives a palette that is too large; reinstall it");
                     return Done{};
                 }});
    if (!encoder) return encoder.error();
    for (int i = 0; i < kPaletteFrames; ++i) {
        if (Status on = going_on(); !on) return on.error();
        const double share = static_cast<double>(i) / (kPaletteFrames - 1);
        arrive_at(player, plan.from_tick + share * (plan.until_tick - plan.from_tick));
        if (Status added = encoder->add(player.frame(0)); !added) return added.error();
    }
    if (Status finished = encoder->finish(); !finished) return finished.error();
    return palette;
}

// Adds the frames that play, then those that hold the end.
Status add_frames(FilmEncoder& encoder, Player& player, const FilmPlan& plan,
                  const std::function<void(int, int)>& progress,
                  const std::function<Status()>& going_on) {
    player.play_from(plan.from_tick);
    for (int i = 0; i < plan.playing_frames; ++i) {
        if (Status on = going_on(); !on) return on;
        if (progress) progress(i, plan.playing_frames + 1);
        if (Status added = encoder.add(player.frame(i == 0 ? 0.0 : plan.step_seconds)); !added)
            return added;
    }
    const Image image = player.frame(plan.step_seconds);
    for (int i = 0; i < plan.holding_frames; ++i)
        if (Status added = encoder.add(image); !added) return added;
    return Done{};
}

// ffmpeg's success is no proof: the film must reach its end and last as long as its frames.
Status check_whole(const GifCheck& film, const FilmPlan& plan, const FilmFormat& format) {
    const int frames = plan.playing_frames + plan.holding_frames;
    const int a_frame = 100 / format.frames_per_second + 1;  // in hundredths, rounded up
    const int expected = 100 * frames / format.frames_per_second;
    if (film.whole() && film.images() > 0 && film.images() <= frames &&
        std::abs(film.hundredths() - expected) <= a_frame)
        return Done{};
    return failed("ffmpeg gave only a part of the film; try again or export a --png");
}

Status encode_film(Player& player, const FilmPlan& plan, const FilmFormat& format,
                   std::span<const std::byte> palette, ReplacingFile& file,
                   const std::function<void(int, int)>& progress,
                   const std::function<Status()>& going_on) {
    GifCheck film;
    Result<FilmEncoder> encoder =
        FilmEncoder::start(format, {.arguments = {"-f", "png_pipe", "-i", "pipe:3", "-lavfi",
                                                  "paletteuse=dither=none:diff_mode=rectangle",
                                                  "-loop", "0", "-f", "gif", "pipe:1"},
                                    .side_input = palette,
                                    .take = [&](std::span<const std::byte> bytes) {
                                        film.take(bytes);
                                        return file.write(bytes);
                                    }});
    if (!encoder) return encoder.error();
    if (Status added = add_frames(*encoder, player, plan, progress, going_on); !added) return added;
    if (Status finished = encoder->finish(); !finished) return finished;
    return check_whole(film, plan, format);
}

// A player that stands at the tick asked for, as the eye would find it.
Result<std::unique_ptr<Player>> player_at_tick(PictureRequest request) {
    const double tick = request.tick.value_or(0.0);
    Result<std::unique_ptr<Player>> player = Player::create(std::move(request));
    if (!player) return player.error();
    // The middle of a tick: its request is under way, and who arrived before it has settled.
    arrive_at(**player, std::min(tick + 0.5 * (tick > 0), (*player)->ticks()));
    return player;
}

struct Film {
    FilmFormat format;
    std::unique_ptr<Player> player;
    FilmPlan plan;
};

Result<Film> begin_film(PictureRequest request, const FilmOptions& options) {
    const FilmFormat format{request.width, request.height, options.frames_per_second};
    const double tick = request.tick.value_or(0.0);
    Result<std::unique_ptr<Player>> created = Player::create(std::move(request));
    if (!created) return created.error();
    std::unique_ptr<Player> player = std::move(created).value();
    const FilmPlan plan = plan_film(*player, std::clamp(tick, 0.0, player->ticks()),
                                    player->workbench().speed(), options);
    return Film{format, std::move(player), plan};
}

}  // namespace

Status export_png(PictureRequest request, const std::filesystem::path& path) {
    const auto player = player_at_tick(std::move(request));
    if (!player) return player.error();
    return save_png((*player)->frame(0), path);
}

Status export_vector(PictureRequest request, VectorKind kind, const std::filesystem::path& path) {
    const auto player = player_at_tick(std::move(request));
    if (!player) return player.error();
    const auto bytes = (*player)->vector_stage(kind);
    if (!bytes) return bytes.error();
    return replace_file(path, *bytes);
}

Status export_gif(PictureRequest request, const std::filesystem::path& path,
                  const FilmOptions& options) {
    Result<Film> film = begin_film(std::move(request), options);
    if (!film) return film.error();
    Result<ReplacingFile> file = ReplacingFile::open(path);  // before the work, not after it
    if (!file) return file.error();
    const auto going_on = [&] { return check_going_on(options, path); };
    const Result<Bytes> palette = choose_palette(*film->player, film->plan, film->format, going_on);
    if (!palette) return palette.error();
    if (Status made = encode_film(*film->player, film->plan, film->format, *palette, *file,
                                  options.progress, going_on);
        !made)
        return made;
    return file->commit();
}

Status export_video(PictureRequest request, VideoKind kind, const std::filesystem::path& path,
                    const FilmOptions& options) {
    Result<Film> film = begin_film(std::move(request), options);
    if (!film) return film.error();
    return write_video(kind, film->format, path, [&](FilmEncoder& encoder) {
        return add_frames(encoder, *film->player, film->plan, options.progress,
                          [&] { return check_going_on(options, path); });
    });
}

}  // namespace tilereel
