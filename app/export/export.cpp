#include "app/export/export.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/export/film/film.h"
#include "app/export/player.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {
namespace {

constexpr double kSecondsPerTick = 0.160;  // at x1
constexpr double kRunUpTicks = 16;         // played before a picture, so that it shows flights
constexpr double kFrameSeconds = 1.0 / 60;

// Plays up to `tick` and stops exactly there, so that animations look as they do in the window.
void arrive_at(Player& player, double tick) {
    player.play_from(std::max(0.0, tick - kRunUpTicks));
    while (player.workbench().playing()) {
        const double left =
            (tick - player.position()) * kSecondsPerTick / player.workbench().speed();
        if (left <= 1e-9) break;
        player.skip_frame(std::min(left, kFrameSeconds));
    }
}

// A replay as a film: frames that play, `step_seconds` each, then frames that hold the end.
class ReplayFilm : public FilmSource {
  public:
    ReplayFilm(Player& player, double from_tick, const FilmOptions& options)
        : player_(player), from_tick_(std::clamp(from_tick, 0.0, player.ticks())) {
        const double until = std::min(options.until.value_or(player.ticks()), player.ticks());
        const double speed = player.workbench().speed();
        const double play_seconds = std::max(0.0, until - from_tick_) * kSecondsPerTick / speed;
        const double film_seconds = std::min(play_seconds, options.longest_seconds);
        until_tick_ = std::max(until, from_tick_);
        playing_frames_ =
            std::max(1, static_cast<int>(std::ceil(film_seconds * options.frames_per_second)));
        holding_frames_ =
            static_cast<int>(std::lround(options.hold_seconds * options.frames_per_second));
        step_seconds_ = play_seconds / playing_frames_;
    }
    [[nodiscard]] int frames() const override { return playing_frames_ + holding_frames_; }

    Status samples(int count, const Take& take) override {
        for (int i = 0; i < count; ++i) {
            const double share = static_cast<double>(i) / std::max(1, count - 1);
            arrive_at(player_, from_tick_ + share * (until_tick_ - from_tick_));
            TRY(take(player_.frame(0), 1));
        }
        return Done{};
    }

    Status play(const Take& take) override {
        player_.play_from(from_tick_);
        for (int i = 0; i < playing_frames_; ++i)
            TRY(take(player_.frame(i == 0 ? 0.0 : step_seconds_), 1));
        return take(player_.frame(step_seconds_), holding_frames_);
    }

  private:
    Player& player_;
    double from_tick_, until_tick_ = 0, step_seconds_ = 0;
    int playing_frames_ = 0, holding_frames_ = 0;
};

// A player paused at the requested tick, with the animations of a replay that has just played.
Result<std::unique_ptr<Player>> player_at_tick(PictureRequest request) {
    const double tick = request.tick.value_or(0.0);
    Result<std::unique_ptr<Player>> player = Player::create(std::move(request));
    if (!player) return player.error();
    // The middle of the tick: its request is in progress, and earlier animations have ended.
    arrive_at(**player, std::min(tick + 0.5 * (tick > 0), (*player)->ticks()));
    return player;
}

}  // namespace

Status export_png(PictureRequest request, const std::filesystem::path& path) {
    const auto player = TRY(player_at_tick(std::move(request)));
    return save_png(player->frame(0), path);
}

Status export_vector(PictureRequest request, VectorKind kind, const std::filesystem::path& path) {
    const auto player = TRY(player_at_tick(std::move(request)));
    const auto bytes = TRY(player->vector_stage(kind));
    return replace_file(path, bytes);
}

Status export_film(PictureRequest request, FilmKind kind, const std::filesystem::path& path,
                   const FilmOptions& options) {
    const PictureLook look = request.look;
    const double tick = request.tick.value_or(0.0);
    const std::unique_ptr<Player> player = TRY(Player::create(std::move(request)));
    ReplayFilm film(*player, tick, options);
    return write_film(film, kind, look, path, options);
}

}  // namespace tilereel
