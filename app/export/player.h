#pragma once
// Plays a workbench without a window, frame by frame, with time steps chosen by the caller.
#include <memory>

#include "app/export/picture_request.h"
#include "app/shell/frame.h"
#include "app/ui/frame/offscreen.h"
#include "app/ui/frame/vector_picture.h"

namespace tilereel {

class Player {
  public:
    // Makes a player for any workbench. kWrongCall for a size that cannot be drawn; kFailed without
    // EGL.
    static Result<std::unique_ptr<Player>> create(WorkbenchOptions options,
                                                  const PictureLook& look);
    // Records the launch or takes the trace. The player is paused at the start.
    static Result<std::unique_ptr<Player>> create(PictureRequest request);

    // In ticks of the replay. There must be a replay.
    [[nodiscard]] double ticks() const;
    [[nodiscard]] double position() const;
    // Starts playing at the tick `from`, with no flights in progress.
    void play_from(double from);
    // Builds one frame of the window without rendering it: animations advance.
    void skip_frame(double frame_seconds);
    // Builds and renders one frame.
    [[nodiscard]] Image frame(double frame_seconds);
    // The stage of a frame, with a time step of 0.
    [[nodiscard]] Result<std::vector<std::byte>> vector_stage(VectorKind kind);
    // The whole frame, with a time step of 0.
    [[nodiscard]] Result<std::vector<std::byte>> vector_page(VectorKind kind);
    [[nodiscard]] Workbench& workbench() { return *workbench_; }
    [[nodiscard]] OffscreenRenderer& renderer() { return *renderer_; }
    [[nodiscard]] FrameState& frame_state() { return frame_state_; }

  private:
    Player() = default;
    [[nodiscard]] Look look(double frame_seconds) const;
    void draw(double frame_seconds);
    Result<std::vector<std::byte>> vector_of(VectorKind kind, const Rect& part);

    int width_ = 0, height_ = 0;
    double now_seconds_ = 0;
    std::unique_ptr<Workbench> workbench_;
    std::unique_ptr<OffscreenRenderer> renderer_;
    FrameState frame_state_;
};

}  // namespace tilereel
