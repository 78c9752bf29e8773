#include "app/ui/cell_renderer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "app/ui/scissor.h"
#include "shaders.h"

namespace tilereel {
namespace {

CellRenderer* g_current_renderer = nullptr;  // Dear ImGui's callbacks know of no object

constexpr int kRoles = 7;

using Color = std::array<float, 4>;
Color color_of(ImU32 color) {
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
    return {c.x, c.y, c.z, c.w};
}

struct Instance {  // one moving cell: vertex attributes 0 and 1
    float x, y, w, h;
    float look, role, alpha, radius;
};

void set_colors(GLint solid, GLint tint, GLint fixed, const Palette& palette) {
    std::array<Color, kRoles> solids, tints;
    for (int i = 0; i < kRoles; ++i) {
        const auto role = static_cast<Role>(i);
        solids[static_cast<std::size_t>(i)] = color_of(palette.solid(role));
        tints[static_cast<std::size_t>(i)] = color_of(palette.tint(role));
    }
    // Order as in cell_looks.glsl: cell, panel, ink, ink3.
    const std::array<Color, 4> others = {color_of(palette.cell), color_of(palette.panel),
                                         color_of(palette.ink), color_of(palette.ink3)};
    glUniform4fv(solid, kRoles, solids[0].data());
    glUniform4fv(tint, kRoles, tints[0].data());
    glUniform4fv(fixed, static_cast<GLsizei>(others.size()), others[0].data());
}

}  // namespace

CellRenderer* CellRenderer::current() { return g_current_renderer; }

CellRenderer::~CellRenderer() {
    if (g_current_renderer == this) g_current_renderer = nullptr;
}

Result<CellRenderer::Program> CellRenderer::load(const char* vertex, const char* fragment) {
    Result<GlObject> made = make_program(shaders::kCellLooks, vertex, fragment);
    if (!made) return made.error();
    Program p;
    p.program = std::move(made).value();
    const auto find = [&p](const char* name) { return glGetUniformLocation(p.program.id(), name); };
    p.display = find("u_display");
    p.solid = find("u_solid");
    p.tint = find("u_tint");
    p.fixed = find("u_fixed");
    p.lines = find("u_scale");
    p.at = find("u_at");
    p.pitch = find("u_pitch");
    p.gap = find("u_gap");
    p.radius = find("u_radius");
    p.count = find("u_count");
    p.bounds = find("u_bounds");
    p.cells = find("u_cells");
    return p;
}

Result<std::unique_ptr<CellRenderer>> CellRenderer::create() {
    std::unique_ptr<CellRenderer> renderer(new CellRenderer);
    Result<Program> grid = load(shaders::kCellGridVertex, shaders::kCellGridFragment);
    if (!grid) return grid.error();
    Result<Program> moving = load(shaders::kMovingCellVertex, shaders::kMovingCellFragment);
    if (!moving) return moving.error();
    renderer->grid_program_ = std::move(grid).value();
    renderer->moving_program_ = std::move(moving).value();
    renderer->grid_vertices_ = make_vertex_array();
    renderer->moving_vertices_ = make_vertex_array();
    renderer->moving_buffer_ = make_buffer();
    glBindVertexArray(renderer->moving_vertices_.id());
    glBindBuffer(GL_ARRAY_BUFFER, renderer->moving_buffer_.id());
    for (GLuint attribute = 0; attribute < 2; ++attribute) {
        glEnableVertexAttribArray(attribute);
        glVertexAttribPointer(attribute, 4, GL_FLOAT, GL_FALSE, sizeof(Instance),
                              reinterpret_cast<const void*>(attribute * 4 * sizeof(float)));
        glVertexAttribDivisor(attribute, 1);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexArray(0);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &renderer->largest_texture_);
    g_current_renderer = renderer.get();
    return renderer;
}

void CellRenderer::use(const Program& program, Theme theme, float scale) const {
    const ImDrawData& data = *ImGui::GetDrawData();
    glUseProgram(program.program.id());
    glUniform4f(program.display, data.DisplayPos.x, data.DisplayPos.y, data.DisplaySize.x,
                data.DisplaySize.y);
    glUniform1f(program.lines, scale);
    set_colors(program.solid, program.tint, program.fixed, palette(theme));
}

void CellRenderer::upload(GridTexture& texture, const CellGrid& grid) {
    static_assert(sizeof(Cell) == 4, "a cell is one RGBA8UI texel");
    const auto width = static_cast<GLsizei>(grid.columns), height = static_cast<GLsizei>(grid.rows);
    const bool same_size = texture.rows == grid.rows && texture.columns == grid.columns;
    if (texture.texture.id() == 0) texture.texture = make_texture();
    glBindTexture(GL_TEXTURE_2D, texture.texture.id());
    if (same_size &&
        std::memcmp(texture.cells.data(), grid.cells.data(), grid.cells.size() * sizeof(Cell)) == 0)
        return;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    if (same_size) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
                        grid.cells.data());
    } else {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, width, height, 0, GL_RGBA_INTEGER,
                     GL_UNSIGNED_BYTE, grid.cells.data());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    texture.rows = grid.rows;
    texture.columns = grid.columns;
    texture.cells = grid.cells;
    ++uploads_;
}

void CellRenderer::draw(const QueuedGrid& queued, const ImVec4& clip) {
    const CellGrid& grid = queued.grid;
    const auto largest = static_cast<std::uint32_t>(largest_texture_);
    if (grid.rows > largest || grid.columns > largest || !set_scissor(clip)) return;
    if (textures_.size() <= queued.index) textures_.resize(queued.index + 1);
    use(grid_program_, queued.theme, queued.scale);
    glActiveTexture(GL_TEXTURE0);
    upload(textures_[queued.index], grid);
    const float gap = std::min(grid.pitch_x, grid.pitch_y) < 6.0f ? 0.0f : std::round(grid.gap);
    const float x0 = std::floor(grid.at.x), y0 = std::floor(grid.at.y);
    const float x1 = std::ceil(grid.at.x + grid.pitch_x * static_cast<float>(grid.columns));
    const float y1 = std::ceil(grid.at.y + grid.pitch_y * static_cast<float>(grid.rows));
    glUniform4f(grid_program_.bounds, x0, y0, x1, y1);
    glUniform2f(grid_program_.at, grid.at.x, grid.at.y);
    glUniform2f(grid_program_.pitch, grid.pitch_x, grid.pitch_y);
    glUniform1f(grid_program_.gap, gap);
    glUniform1f(grid_program_.radius, grid.radius);
    glUniform2i(grid_program_.count, static_cast<GLint>(grid.columns),
                static_cast<GLint>(grid.rows));
    glUniform1i(grid_program_.cells, 0);
    glBindVertexArray(grid_vertices_.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
}

void CellRenderer::draw(const QueuedMoving& queued, const ImVec4& clip) {
    if (!set_scissor(clip)) return;
    std::vector<Instance> instances;
    instances.reserve(queued.cells.size());
    for (const MovingCell& cell : queued.cells)
        instances.push_back({cell.rect.x, cell.rect.y, cell.rect.w, cell.rect.h,
                             static_cast<float>(cell.look), static_cast<float>(cell.role),
                             static_cast<float>(cell.alpha) / 255.0f, cell.radius});
    use(moving_program_, queued.theme, queued.scale);
    glBindVertexArray(moving_vertices_.id());
    glBindBuffer(GL_ARRAY_BUFFER, moving_buffer_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(Instance)),
                 instances.data(), GL_STREAM_DRAW);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(instances.size()));
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexArray(0);
}

}  // namespace tilereel
