#pragma once
// Draws the queued cells with OpenGL while Dear ImGui's backend renders the draw lists.
#include <imgui.h>

#include <deque>
#include <memory>
#include <vector>

#include "app/ui/cells/cell_grid.h"
#include "app/ui/gl/gl.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct QueuedGrid {
    CellGrid grid;
    Theme theme = Theme::kDark;
    float scale = 1;
    std::size_t index = 0;  // position among the grids of the frame; a grid mostly keeps its index,
                            // so its texture can be reused
};
struct QueuedMoving {
    std::vector<MovingCell> cells;
    Theme theme = Theme::kDark;
    float scale = 1;
};
struct CellQueue {  // deques, because callbacks hold pointers to the elements while more are added
    std::deque<QueuedGrid> grids;
    std::deque<QueuedMoving> moving;
};

class CellRenderer {
  public:
    // Needs a current OpenGL 3.3 context; the renderer becomes current().
    static Result<std::unique_ptr<CellRenderer>> create();
    ~CellRenderer();
    // The renderer that exists; nullptr if there is no OpenGL.
    [[nodiscard]] static CellRenderer* current();

    // Sets the OpenGL state for these cells. draw() may then be called several times, until other
    // code changes the state.
    void prepare(const QueuedGrid& grid);
    void prepare(const QueuedMoving& moving);
    // Draws the prepared cells inside `clip`: left, top, right, bottom in pixels.
    void draw(const ImVec4& clip) const;
    // Number of texture uploads so far. A grid that has not changed is not uploaded again.
    [[nodiscard]] std::uint64_t uploads() const { return uploads_; }

  private:
    struct Program {
        GlObject program;
        GLint display = -1, solid = -1, tint = -1, fixed = -1, scale = -1;
        GLint at = -1, pitch = -1, gap = -1, radius = -1, count = -1, bounds = -1, cells = -1;
    };
    struct Programs {
        Program few, all;  // `few` draws only the looks of FEW_LOOKS, and is faster
    };
    struct GridTexture {
        GlObject texture;
        std::uint32_t rows = 0, columns = 0;
        std::vector<Cell> cells;  // the contents of the texture
        bool few_looks = false;
    };
    CellRenderer() = default;
    static Result<Program> load(const char* looks, const char* vertex, const char* fragment);
    static Status load(Programs& programs, const char* vertex, const char* fragment);
    void use(const Program& program, Theme theme, float scale) const;
    void upload(GridTexture& texture, const CellGrid& grid);

    Programs grid_programs_, moving_programs_;
    GlObject grid_vertices_, moving_vertices_, moving_buffer_;
    std::vector<GridTexture> textures_;  // index: QueuedGrid::index
    enum class Prepared { kNothing, kGrid, kMoving };
    Prepared prepared_ = Prepared::kNothing;
    std::vector<ImVec4> moving_bounds_;  // left, top, right, bottom of each prepared moving cell
    std::uint64_t uploads_ = 0;
    int largest_texture_ = 0;
};

}  // namespace tilereel
