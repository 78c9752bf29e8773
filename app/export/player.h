#pragma once
// Plays a workbench without a window, frame by frame, at a time of its own.
#include <memory>

#include "app/export/export.h"
#include "app/shell/frame.h"
#include "app/ui/offscreen.h"
#include "app/ui/vector_picture.h"

namespace tilereel {

class Player {
  public:
    // Records or takes the trace, and stands paused at the start.
    static Result<std::unique_ptr<Player>> create(PictureRequest request);

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
    [[nodiscard]] Workbench& workbench() { return *workbench_; }
    [[nodiscard]] OffscreenRenderer& renderer() { return *renderer_; }

  private:
    Player() = default;
    [[nodiscard]] Look look(double frame_seconds) const;
    void draw(double frame_seconds);

    int width_ = 0, height_ = 0;
    double now_seconds_ = 0;
    std::unique_ptr<Workbench> workbench_;
    std::unique_ptr<OffscreenRenderer> renderer_;
    FrameState frame_state_;
};

}  // namespace tilereel
