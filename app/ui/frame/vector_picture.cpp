#include "app/ui/frame/vector_picture.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fontconfig/fontconfig.h>

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "app/ui/cells/cell_renderer.h"
#include "app/ui/cells/cells.h"
#include "app/ui/cells/vector_cells.h"
#include "app/ui/draw/clear.h"
#include "app/ui/fonts/font_files.h"

namespace tilereel {
namespace {

using Bytes = std::vector<std::byte>;
using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Picture = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;
using FontFace = std::unique_ptr<cairo_font_face_t, decltype(&cairo_font_face_destroy)>;

constexpr double kPointsAPixel = 0.75;  // a point is 1/72 inch, a CSS pixel 1/96 inch

cairo_status_t append(void* to, const unsigned char* data, unsigned int size) {
    const auto* from = reinterpret_cast<const std::byte*>(data);
    auto& bytes = *static_cast<Bytes*>(to);
    bytes.insert(bytes.end(), from, from + size);
    return CAIRO_STATUS_SUCCESS;
}

Surface make_surface(VectorKind kind, const Rect& part, Bytes& bytes) {
    if (kind == VectorKind::kPdf) {
        Surface pdf(cairo_pdf_surface_create_for_stream(append, &bytes, part.w * kPointsAPixel,
                                                        part.h * kPointsAPixel),
                    &cairo_surface_destroy);
        // PDF 1.4 can be read everywhere. By default cairo writes the newest version that it
        // supports.
        cairo_pdf_surface_restrict_to_version(pdf.get(), CAIRO_PDF_VERSION_1_4);
        return pdf;
    }
    Surface surface(cairo_svg_surface_create_for_stream(append, &bytes, part.w, part.h),
                    &cairo_surface_destroy);
    cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
    return surface;
}

// The font file that the window uses for this face. If there is none, cairo's sans-serif font.
FontFace make_face(Face face) {
    const std::vector<std::string> files = files_of(face);
    if (files.empty())
        return {cairo_toy_font_face_create("sans-serif", CAIRO_FONT_SLANT_NORMAL,
                                           CAIRO_FONT_WEIGHT_NORMAL),
                &cairo_font_face_destroy};
    FcPattern* const pattern = FcPatternCreate();
    FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(files.front().c_str()));
    FontFace made(cairo_ft_font_face_create_for_pattern(pattern), &cairo_font_face_destroy);
    FcPatternDestroy(pattern);
    return made;
}

class VectorPainter {
  public:
    explicit VectorPainter(cairo_t* picture) : picture_(picture) {
        cairo_font_options_t* const options = cairo_font_options_create();
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        cairo_set_font_options(picture, options);
        cairo_font_options_destroy(options);
    }

    void draw(const ImDrawData& data) {
        for (int i = 0; i < data.CmdListsCount; ++i)
            for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer)
                draw(*data.CmdLists[i], command);
    }

  private:
    void draw(const ImDrawList& list, const ImDrawCmd& command) {
        const ImVec4& clip = command.ClipRect;
        if (clip.z <= clip.x || clip.w <= clip.y) return;
        cairo_save(picture_);
        cairo_rectangle(picture_, clip.x, clip.y, clip.z - clip.x, clip.w - clip.y);
        cairo_clip(picture_);
        if (command.UserCallback == nullptr)
            draw_triangles(list, command);
        else if (const KeptShape* shape = kept_shape(command))
            std::visit([this](const auto& each) { draw(each); }, *shape);
        else if (const QueuedGrid* grid = queued_grid(command))
            draw_vector_cells(picture_, *grid);
        else if (const QueuedMoving* moving = queued_moving(command))
            draw_vector_cells(picture_, *moving);
        else if (const QueuedClear* clear = queued_clear(command))
            draw(*clear);
        cairo_restore(picture_);
    }

    // Consecutive triangles of the same colour become one path, so that there are no seams between
    // them.
    void draw_triangles(const ImDrawList& list, const ImDrawCmd& command) {
        const std::span<const ImDrawIdx> indices(list.IdxBuffer.Data + command.IdxOffset,
                                                 command.ElemCount);
        std::optional<ImU32> color;
        const auto end_path = [&] {
            if (!color) return;
            set_source(picture_, *color);
            cairo_fill(picture_);
        };
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
            const auto corner = [&](std::size_t at) -> const ImDrawVert& {
                return list.VtxBuffer[static_cast<int>(command.VtxOffset + indices[i + at])];
            };
            if (corner(0).col != color) {
                end_path();
                color = corner(0).col;
            }
            add_triangle(corner(0).pos, corner(1).pos, corner(2).pos);
        }
        end_path();
    }

    // All triangles of a path get the same orientation, so that overlapping ones do not cancel out.
    void add_triangle(ImVec2 a, ImVec2 b, ImVec2 c) {
        if ((b.x - a.x) * (c.y - a.y) < (b.y - a.y) * (c.x - a.x)) std::swap(b, c);
        cairo_move_to(picture_, a.x, a.y);
        cairo_line_to(picture_, b.x, b.y);
        cairo_line_to(picture_, c.x, c.y);
        cairo_close_path(picture_);
    }

    void draw(const QueuedClear& clear) {
        set_source(picture_, clear.color);
        cairo_rectangle(picture_, clear.rect.x, clear.rect.y, clear.rect.w, clear.rect.h);
        cairo_fill(picture_);
    }

    void draw(const KeptLine& line) {
        for (const ImVec2& point : line.points) cairo_line_to(picture_, point.x, point.y);
        if (line.closed) cairo_close_path(picture_);
        set_source(picture_, line.color);
        cairo_set_line_width(picture_, line.width);
        cairo_stroke(picture_);
    }

    void draw(const KeptText& text) {
        cairo_set_font_face(picture_, face(text.face));
        cairo_set_font_size(picture_, text.px);
        set_source(picture_, text.color);
        // Scaled to the width in the window, because cairo and Dear ImGui may space letters
        // differently.
        cairo_text_extents_t extents{};
        cairo_text_extents(picture_, text.text.c_str(), &extents);
        cairo_translate(picture_, text.baseline.x, text.baseline.y);
        if (extents.x_advance > 0) cairo_scale(picture_, text.width / extents.x_advance, 1);
        cairo_move_to(picture_, 0, 0);
        cairo_show_text(picture_, text.text.c_str());
    }

    cairo_font_face_t* face(Face face) {
        FontFace& made = faces_[static_cast<std::size_t>(face)];
        if (!made) made = make_face(face);
        return made.get();
    }

    static FontFace no_face() { return {nullptr, &cairo_font_face_destroy}; }
    cairo_t* picture_;
    std::array<FontFace, 5> faces_{no_face(), no_face(), no_face(), no_face(), no_face()};
};

}  // namespace

void paint_frame(_cairo* picture) { VectorPainter(picture).draw(*ImGui::GetDrawData()); }

Result<std::vector<std::byte>> vector_picture(VectorKind kind, const Rect& part) {
    Bytes bytes;
    const Surface surface = make_surface(kind, part, bytes);
    const Picture picture(cairo_create(surface.get()), &cairo_destroy);
    if (kind == VectorKind::kPdf) cairo_scale(picture.get(), kPointsAPixel, kPointsAPixel);
    cairo_translate(picture.get(), -part.x, -part.y);
    paint_frame(picture.get());
    cairo_show_page(picture.get());
    cairo_surface_finish(surface.get());
    for (const cairo_status_t status :
         {cairo_status(picture.get()), cairo_surface_status(surface.get())})
        if (status != CAIRO_STATUS_SUCCESS)
            return failed("the picture cannot be drawn: " +
                          std::string(cairo_status_to_string(status)));
    return bytes;
}

}  // namespace tilereel
