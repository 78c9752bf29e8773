#pragma once
// Plays a workbench without a window, frame by frame, at a time of its own.
#include <memory>

#include "app/export/picture_request.h"
#include "app/shell/frame.h"
#include "app/ui/offscreen.h"
#include "app/ui/vector_picture.h"

namespace tilereel {

class Player {
  public:
    // Makes a player of any workbench. kWrongCall for a size that cannot be drawn; kFailed where
    // there is no EGL.
    static Result<std::unique_ptr<Player>> create(WorkbenchOptions options,
                                                  const PictureLook& look);
    // Records or takes the trace, and stands paused at the start.
    static Result<std::unique_ptr<Player>> create(PictureRequest request);

    // In ticks of the replay, which must exist.
    [[nodiscard]] double ticks() const;
    [[nodiscard]] double position() const;
    // Plays on from `from` (ticks) with nothing in flight.
    void play_from(double from);
    // One frame of the window, built only: motion goes on, no pixels are made.
    void skip_frame(double frame_seconds);
    // One frame with its pixels.
    [[nodiscard]] Image frame(double frame_seconds);
    // The stage of a frame without time passing.
    [[nodiscard]] Result<std::vector<std::byte>> vector_stage(VectorKind kind);
    // Likewise all of it.
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
