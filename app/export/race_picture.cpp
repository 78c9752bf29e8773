#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/export/export.h"
#include "app/shell/frame.h"
#include "app/ui/offscreen.h"
#include "instrumentation/base/replacing_file.h"

namespace tilereel {
namespace {

Status check_size(const RacePictureRequest& request) {
    if (request.width < 320 || request.height < 240 || request.width > kLargestPicture ||
        request.height > kLargestPicture)
        return wrong_call("a picture is 320x240 to " + std::to_string(kLargestPicture) + "x" +
                          std::to_string(kLargestPicture) + " pixels; choose a --size in between");
    if (request.text_px < 14 || request.text_px > 32)
        return wrong_call("the text size is 14 to 32 pixels; choose a --text in between");
    return Done{};
}

// The renderer with the last of the frames that show the race.
Result<std::unique_ptr<OffscreenRenderer>> draw_race(RacePictureRequest request, bool as_vectors) {
    if (Status sound = check_size(request); !sound) return sound.error();
    WorkbenchOptions options;
    options.request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
    options.playing = false;
    options.record_on_worker = false;
    options.races = std::make_unique<RaceBench>(RaceBenchOptions{
        .runner = {}, .recorded = {}, .shown = std::move(request.race), .on_worker = false});
    Workbench workbench(std::move(options));
    workbench.apply(Commands{SetMode{WindowMode::kRace}, SetTheme{request.light},
                             SetTextSize{request.text_px}});
    if (request.only) workbench.apply(Command{RaceAction{ShowRaceTab{*request.only}}});
    for (RaceAction& command : request.then) workbench.apply(Command{std::move(command)});
    auto renderer = OffscreenRenderer::create(request.width, request.height);
    if (!renderer) return renderer.error();
    std::optional<KeptShapes> keep;
    if (as_vectors) keep.emplace();
    FrameState state;
    state.race_view_only = request.only.has_value();
    double now_seconds = 0;
    const auto draw = [&](double seconds) {
        now_seconds += seconds;
        draw_frame(workbench, state,
                   look_of(workbench, static_cast<float>(request.width),
                           static_cast<float>(request.height), now_seconds, seconds));
    };
    // What the first frame asks for, such as counts, is there in the second.
    for (int i = 0; i < 2; ++i) (*renderer)->draw_settled(1.0 / 60, draw);
    return renderer;
}

}  // namespace

Status export_race_png(RacePictureRequest request, const std::filesystem::path& path) {
    const auto renderer = draw_race(std::move(request), false);
    if (!renderer) return renderer.error();
    return save_png((*renderer)->read(), path);
}

Status export_race_vector(RacePictureRequest request, VectorKind kind,
                          const std::filesystem::path& path) {
    const auto width = static_cast<float>(request.width);
    const auto height = static_cast<float>(request.height);
    const auto renderer = draw_race(std::move(request), true);
    if (!renderer) return renderer.error();
    const auto bytes = vector_picture(kind, {0, 0, width, height});
    if (!bytes) return bytes.error();
    return replace_file(path, *bytes);
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
