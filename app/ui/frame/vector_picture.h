#pragma once
// Writes the frame that Dear ImGui has just built as a vector picture.
//
// KeptShapes keep;            // before the frame is built
// ... build the frame ...
// vector_picture(VectorKind::kSvg, {0, 0, 800, 600});
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/ui/draw/draw.h"
#include "app/ui/draw/kept_shapes.h"
#include "instrumentation/base/result.h"

struct _cairo;  // cairo_t

namespace tilereel {

enum class VectorKind : std::uint8_t { kSvg, kPdf };

// Paints the whole frame onto any cairo surface. One pixel of the frame is one unit of the surface.
void paint_frame(_cairo* picture);
// Returns the bytes of a file that shows `part` of the frame. A pixel of the frame is a CSS pixel
// (1/96 inch). kFailed if memory is short.
[[nodiscard]] Result<std::vector<std::byte>> vector_picture(VectorKind kind, const Rect& part);

}  // namespace tilereel
