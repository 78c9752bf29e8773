#include "app/export/player.h"

#include <algorithm>
#include <string>

#include "app/export/watched_block.h"
#include "instrumentation/program/program.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

Status check_look(const PictureLook& look) {
    if (look.width < 320 || look.height < 240 || look.width > kLargestPicture ||
        look.height > kLargestPicture)
        return wrong_call("a picture is 320x240 to " + std::to_string(kLargestPicture) + "x" +
                          std::to_string(kLargestPicture) + " pixels; choose a --size in between");
    if (look.text_px < 14 || look.text_px > 32)
        return wrong_call("the text size is 14 to 32 pixels; choose a --text in between");
    return Done{};
}

Status check_request(const PictureRequest& request) {
    TRY(check_look(request.look));
    if (request.trace) return Done{};
    const KernelInfo* kernel = find_kernel(request.request.kernel);
    if (kernel == nullptr)
        return wrong_call("there is no kernel '" + request.request.kernel +
                          "'; 'tilereel kernels' lists them");
    TRY(validate(*kernel, request.request.parameters));
    return Done{};
}

}  // namespace

Result<std::unique_ptr<Player>> Player::create(WorkbenchOptions options, const PictureLook& look) {
    TRY(check_look(look));
    std::unique_ptr<Player> player(new Player);
    player->width_ = look.width;
    player->height_ = look.height;
    options.playing = false;
    options.record_on_worker = false;
    player->workbench_ = std::make_unique<Workbench>(std::move(options));
    player->workbench_->apply(Commands{SetTheme{look.light}, SetTextSize{look.text_px}});
    auto renderer = TRY(OffscreenRenderer::create(look.width, look.height));
    player->renderer_ = std::move(renderer);
    return player;
}

Result<std::unique_ptr<Player>> Player::create(PictureRequest request) {
    TRY(check_request(request));
    WorkbenchOptions options;
    options.request = std::move(request.request);
    options.trace = std::move(request.trace);
    options.make_programs = [] {
        return std::make_unique<ProgramBench>(
            ProgramBenchOptions{.on_thread = false, .run = program::run_program});
    };
    auto player = create(std::move(options), request.look);
    if (!player) return player;
    Workbench& workbench = (*player)->workbench();
    workbench.advance(0);  // takes the recording over
    if (workbench.replay() == nullptr) return failed(workbench.message());
    workbench.apply(Command{SetGeneration{std::string(request.generation->id)}});
    if (auto block = watched_block(*workbench.recording()->trace, request.block_x, request.block_y);
        !block)
        return block.error();
    workbench.apply(Command{WatchBlock{request.block_x, request.block_y}});
    if (request.compare) {
        workbench.apply(Command{Compare{{}, *request.compare}});
        workbench.advance(0);
        if (workbench.lock_step() == nullptr)
            return failed(workbench.message().empty() ? "the other side has nothing to show"
                                                      : workbench.message());
    }
    return player;
}

double Player::ticks() const { return static_cast<double>(workbench_->replay()->schedule().ticks); }

double Player::position() const { return workbench_->position(); }

void Player::play_from(double from) {
    workbench_->apply(Command{SeekTo{std::clamp(from, 0.0, ticks()), false}});
    if (!workbench_->playing()) workbench_->apply(Command{PlayPause{}});
}

Look Player::look(double frame_seconds) const {
    return look_of(*workbench_, static_cast<float>(width_), static_cast<float>(height_),
                   now_seconds_, frame_seconds);
}

void Player::draw(double frame_seconds) {
    now_seconds_ += frame_seconds;
    draw_frame(*workbench_, frame_state_, look(frame_seconds));
}

void Player::skip_frame(double frame_seconds) {
    renderer_->build(frame_seconds, [this, frame_seconds] { draw(frame_seconds); });
}

Image Player::frame(double frame_seconds) {
    renderer_->draw_settled(frame_seconds, [this](double seconds) { draw(seconds); });
    return renderer_->read();
}

Result<std::vector<std::byte>> Player::vector_of(VectorKind kind, const Rect& part) {
    const KeptShapes keep;
    renderer_->draw_settled(0, [this](double seconds) { draw(seconds); });
    return vector_picture(kind, part);
}

Result<std::vector<std::byte>> Player::vector_stage(VectorKind kind) {
    const auto width = static_cast<float>(width_), height = static_cast<float>(height_);
    return vector_of(kind, layout_of(look(0), width, height).stage);
}

Result<std::vector<std::byte>> Player::vector_page(VectorKind kind) {
    return vector_of(kind, {0, 0, static_cast<float>(width_), static_cast<float>(height_)});
}

}  // namespace tilereel
