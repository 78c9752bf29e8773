#include "app/ui/cells/cell_renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

#include "shaders.h"

namespace tilereel {
namespace {

CellRenderer* g_current_renderer = nullptr;  // Dear ImGui's callbacks are plain functions

constexpr int kRoles = 7;

using Color = std::array<float, 4>;
Color color_of(ImU32 color) {
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
    return {c.x, c.y, c.z, c.w};
}

// The looks that cell_looks.glsl can draw when FEW_LOOKS is defined.
bool few_looks_include(CellLook look) {
    return look == CellLook::kNothing || look == CellLook::kIdle || look == CellLook::kValid ||
           look == CellLook::kInFlight || look == CellLook::kBand || look == CellLook::kSolid;
}

constexpr int kVerticesOfCell = 6;  // two triangles

struct MovingVertex {  // the same for all vertices of a moving cell: vertex attributes 0 and 1
    float x, y, w, h;
    float look, role, alpha, radius;
};

void set_colors(GLint solid, GLint tint, GLint fixed, const Palette& palette) {
    std::array<Color, kRoles> solids, tints;
    for (int i = 0; i < kRoles; ++i) {
        const auto role = static_cast<ColorRole>(i);
        solids[static_cast<std::size_t>(i)] = color_of(palette.solid(role));
        tints[static_cast<std::size_t>(i)] = color_of(palette.tint(role));
    }
    // The order matches cell_looks.glsl: cell, panel, ink, ink3.
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

Result<CellRenderer::Program> CellRenderer::load(const char* looks, const char* vertex,
                                                 const char* fragment) {
    GlObject made = TRY(make_program(looks, vertex, fragment));
    Program p;
    p.program = std::move(made);
    static constexpr std::pair<GLint Program::*, const char*> kUniforms[] = {
        {&Program::display, "u_display"}, {&Program::solid, "u_solid"},
        {&Program::tint, "u_tint"},       {&Program::fixed, "u_fixed"},
        {&Program::scale, "u_scale"},     {&Program::at, "u_at"},
        {&Program::pitch, "u_pitch"},     {&Program::gap, "u_gap"},
        {&Program::radius, "u_radius"},   {&Program::count, "u_count"},
        {&Program::bounds, "u_bounds"},   {&Program::cells, "u_cells"}};
    for (const auto& [uniform, name] : kUniforms)
        p.*uniform = glGetUniformLocation(p.program.id(), name);
    return p;
}

Status CellRenderer::load(Programs& programs, const char* vertex, const char* fragment) {
    const std::string few_looks = std::string("#define FEW_LOOKS\n") + shaders::kCellLooks;
    Program few = TRY(load(few_looks.c_str(), vertex, fragment));
    Program all = TRY(load(shaders::kCellLooks, vertex, fragment));
    programs = {std::move(few), std::move(all)};
    return Done{};
}

Result<std::unique_ptr<CellRenderer>> CellRenderer::create() {
    std::unique_ptr<CellRenderer> renderer(new CellRenderer);
    Status loaded =
        load(renderer->grid_programs_, shaders::kCellGridVertex, shaders::kCellGridFragment);
    if (loaded)
        loaded = load(renderer->moving_programs_, shaders::kMovingCellVertex,
                      shaders::kMovingCellFragment);
    if (!loaded) return loaded.error();
    renderer->grid_vertices_ = make_vertex_array();
    renderer->moving_vertices_ = make_vertex_array();
    renderer->moving_buffer_ = make_buffer();
    glBindVertexArray(renderer->moving_vertices_.id());
    glBindBuffer(GL_ARRAY_BUFFER, renderer->moving_buffer_.id());
    for (GLuint attribute = 0; attribute < 2; ++attribute) {
        glEnableVertexAttribArray(attribute);
        glVertexAttribPointer(attribute, 4, GL_FLOAT, GL_FALSE, sizeof(MovingVertex),
                              reinterpret_cast<const void*>(attribute * 4 * sizeof(float)));
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
    glUniform1f(program.scale, scale);
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
    texture.few_looks = std::ranges::all_of(
        grid.cells, [](const Cell& cell) { return few_looks_include(cell.look); });
    ++uploads_;
}

void CellRenderer::prepare(const QueuedGrid& queued) {
    const CellGrid& grid = queued.grid;
    const auto largest = static_cast<std::uint32_t>(largest_texture_);
    prepared_ = Prepared::kNothing;
    if (grid.rows > largest || grid.columns > largest) return;
    prepared_ = Prepared::kGrid;
    if (textures_.size() <= queued.index) textures_.resize(queued.index + 1);
    GridTexture& texture = textures_[queued.index];
    glActiveTexture(GL_TEXTURE0);
    upload(texture, grid);
    const Program& program = texture.few_looks ? grid_programs_.few : grid_programs_.all;
    use(program, queued.theme, queued.scale);
    const float gap = std::min(grid.pitch_x, grid.pitch_y) < 6.0f ? 0.0f : std::round(grid.gap);
    const float x0 = std::floor(grid.at.x), y0 = std::floor(grid.at.y);
    const float x1 = std::ceil(grid.at.x + grid.pitch_x * static_cast<float>(grid.columns));
    const float y1 = std::ceil(grid.at.y + grid.pitch_y * static_cast<float>(grid.rows));
    glUniform4f(program.bounds, x0, y0, x1, y1);
    glUniform2f(program.at, grid.at.x, grid.at.y);
    glUniform2f(program.pitch, grid.pitch_x, grid.pitch_y);
    glUniform1f(program.gap, gap);
    glUniform1f(program.radius, grid.radius);
    glUniform2i(program.count, static_cast<GLint>(grid.columns), static_cast<GLint>(grid.rows));
    glUniform1i(program.cells, 0);
    glBindVertexArray(grid_vertices_.id());
}

void CellRenderer::prepare(const QueuedMoving& queued) {
    std::vector<MovingVertex> vertices;
    vertices.reserve(queued.cells.size() * kVerticesOfCell);
    moving_bounds_.clear();
    const float room = 3.0f * queued.scale;  // pixels; the same as in moving_cell.vert
    for (const MovingCell& cell : queued.cells) {
        const Rect& r = cell.rect;
        vertices.insert(
            vertices.end(), kVerticesOfCell,
            {r.x, r.y, r.w, r.h, static_cast<float>(cell.look), static_cast<float>(cell.role),
             static_cast<float>(cell.alpha) / 255.0f, cell.radius});
        moving_bounds_.push_back({r.x - room, r.y - room, r.right() + room, r.bottom() + room});
    }
    prepared_ = Prepared::kMoving;
    const bool few = std::ranges::all_of(
        queued.cells, [](const MovingCell& cell) { return few_looks_include(cell.look); });
    use(few ? moving_programs_.few : moving_programs_.all, queued.theme, queued.scale);
    glBindVertexArray(moving_vertices_.id());
    glBindBuffer(GL_ARRAY_BUFFER, moving_buffer_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(MovingVertex)),
                 vertices.data(), GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void CellRenderer::draw(const ImVec4& clip) const {
    if (prepared_ == Prepared::kNothing || !set_scissor(clip)) return;
    if (prepared_ == Prepared::kGrid) {
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        return;
    }
    const auto is_outside = [&](const ImVec4& cell) {
        return cell.x > clip.z || cell.y > clip.w || cell.z < clip.x || cell.w < clip.y;
    };
    // One draw call for each run of consecutive cells that touch the clip rectangle.
    for (auto begin = moving_bounds_.begin(); begin != moving_bounds_.end();) {
        begin = std::find_if_not(begin, moving_bounds_.end(), is_outside);
        const auto end = std::find_if(begin, moving_bounds_.end(), is_outside);
        if (begin != end)
            glDrawArrays(GL_TRIANGLES,
                         static_cast<GLint>(begin - moving_bounds_.begin()) * kVerticesOfCell,
                         static_cast<GLsizei>(end - begin) * kVerticesOfCell);
        begin = end;
    }
}

}  // namespace tilereel
