#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "app/export/export.h"
#include "app/export/film/film.h"
#include "app/export/player.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {
namespace {

constexpr double kOneFrame = 1.0 / 60;

// Opens the Race page with the race `shown`, or without a race.
Result<std::unique_ptr<Player>> open_page(const RacePictureRequest& request,
                                          std::optional<Race> shown) {
    WorkbenchOptions options;
    options.request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
    options.races = std::make_unique<RaceBench>(RaceBenchOptions{
        .runner = {}, .recorded = {}, .shown = std::move(shown), .on_worker = false});
    auto player = Player::create(std::move(options), request.look);
    if (!player) return player;
    (*player)->workbench().apply(Command{SetMode{WindowMode::kRace}});
    (*player)->frame_state().race_view_only = request.only.has_value();
    return player;
}

void choose_view(Player& player, const RacePictureRequest& request) {
    Workbench& workbench = player.workbench();
    if (request.only) workbench.apply(Command{RaceAction{ShowRaceTab{*request.only}}});
    for (const RaceAction& command : request.then) workbench.apply(Command{command});
}

// The page with the whole race, after a frame that requests what the page needs, such as counts.
Result<std::unique_ptr<Player>> player_of(RacePictureRequest request) {
    Race race = std::move(request.race);
    auto player = open_page(request, std::move(race));
    if (!player) return player;
    choose_view(**player, request);
    (*player)->skip_frame(kOneFrame);
    return player;
}

// The events in the order of run_race(): for each size the checks of all contenders, then the
// samples.
std::vector<RaceEvent> events_of(const Race& race) {
    std::vector<RaceEvent> events;
    for (std::uint32_t size = 0; size < race.request.sizes.size(); ++size) {
        for (const Verified& verified : race.verified)
            if (verified.size == size) events.emplace_back(verified);
        for (const Sample& sample : race.samples)
            if (sample.size == size) events.emplace_back(sample);
    }
    return events;
}

class RaceFilm : public FilmSource {
  public:
    RaceFilm(Player& player, const RacePictureRequest& request, const FilmOptions& options)
        : player_(player),
          request_(request),
          events_(events_of(request.race)),
          running_frames_(std::max(
              1, static_cast<int>(std::ceil(options.longest_seconds * options.frames_per_second)))),
          holding_frames_(
              static_cast<int>(std::lround(options.hold_seconds * options.frames_per_second))),
          step_seconds_(1.0 / options.frames_per_second) {}
    [[nodiscard]] int frames() const override { return running_frames_ + holding_frames_; }

    Status samples(int count, const Take& take) override {
        begin();
        for (int i = 0; i < count; ++i) {
            play_events_up_to(events_.size() * static_cast<std::size_t>(i + 1) /
                              static_cast<std::size_t>(count));
            TRY(take(player_.frame(step_seconds_), 1));
        }
        return Done{};
    }

    Status play(const Take& take) override {
        begin();
        for (int i = 0; i < running_frames_; ++i) {
            play_events_up_to(events_.size() * static_cast<std::size_t>(i) /
                              static_cast<std::size_t>(running_frames_));
            TRY(take(player_.frame(step_seconds_), 1));
        }
        play_events_up_to(events_.size());
        player_.workbench().races().end();
        player_.skip_frame(step_seconds_);
        return take(player_.frame(step_seconds_), holding_frames_);
    }

  private:
    void begin() {
        player_.workbench().races().begin_again(request_.race);
        played_ = 0;
        choose_view(player_, request_);
        player_.skip_frame(kOneFrame);
    }
    void play_events_up_to(std::size_t count) {
        for (; played_ < count; ++played_) player_.workbench().races().add_event(events_[played_]);
    }

    Player& player_;
    const RacePictureRequest& request_;
    std::vector<RaceEvent> events_;
    std::size_t played_ = 0;
    int running_frames_, holding_frames_;
    double step_seconds_;
};

}  // namespace

Status export_race_png(RacePictureRequest request, const std::filesystem::path& path) {
    const auto player = TRY(player_of(std::move(request)));
    return save_png(player->frame(kOneFrame), path);
}

Status export_race_vector(RacePictureRequest request, VectorKind kind,
                          const std::filesystem::path& path) {
    const auto player = TRY(player_of(std::move(request)));
    const auto bytes = TRY(player->vector_page(kind));
    return replace_file(path, bytes);
}

Status export_race_film(RacePictureRequest request, FilmKind kind,
                        const std::filesystem::path& path, const FilmOptions& options) {
    request.race.recorded = true;
    const auto player = TRY(open_page(request, std::nullopt));
    RaceFilm film(*player, request, options);
    return write_film(film, kind, request.look, path, options);
}

Image cut_out(const Image& image, int x, int y, int width, int height) {
    const int left = std::clamp(x, 0, image.width), top = std::clamp(y, 0, image.height);
    Image part;
    part.width = std::clamp(x + width, left, image.width) - left;
    part.height = std::clamp(y + height, top, image.height) - top;
    for (int row = 0; row < part.height && part.width > 0; ++row) {
        const std::uint8_t* from = image.at(left, top + row);
        part.rgba.insert(part.rgba.end(), from, from + std::ptrdiff_t{4} * part.width);
    }
    return part;
}

}  // namespace tilereel
