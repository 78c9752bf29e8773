#pragma once
// Pictures and film of the whole window, made without one.
#include <filesystem>

#include "app/export/picture_request.h"
#include "app/ui/image.h"
#include "app/ui/vector_picture.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The window as it looks on arriving at `tick` while playing. kWrongCall for what cannot be
// recorded or shown, kFailed for what the machine lacks or cannot write; never leaves half a file.
Status export_png(PictureRequest request, const std::filesystem::path& path);

// The machine's and the race's names stand in the picture. Errors as above.
Status export_race_png(RacePictureRequest request, const std::filesystem::path& path);
// A part of the image, cut to where it lies in it.
[[nodiscard]] Image cut_out(const Image& image, int x, int y, int width, int height);

// The replay from the start (or from `tick`) to its end. Needs ffmpeg. A film that is not whole
// never takes the place of an old one. The same request gives the same bytes.
Status export_film(PictureRequest request, FilmKind kind, const std::filesystem::path& path,
                   const FilmOptions& options = {});

// The race as it ran: its samples come one by one, evenly in time, in the order of the file.
Status export_race_film(RacePictureRequest request, FilmKind kind,
                        const std::filesystem::path& path, const FilmOptions& options = {});

// The scene's first stop. kFailed for a lesson with mistakes: they are in the message.
Status export_lesson_png(const LessonPictureRequest& request, const std::filesystem::path& path);
// The lesson as Page Down walks through it: it plays to each stop and waits there until a viewer
// has read what is new. `longest_seconds` does not apply.
Status export_lesson_film(const LessonPictureRequest& request, FilmKind kind,
                          const std::filesystem::path& path, const FilmOptions& options = {});

// The stage alone as it looks at `tick`, as SVG or PDF; a view of a race, or the whole page.
Status export_vector(PictureRequest request, VectorKind kind, const std::filesystem::path& path);
Status export_race_vector(RacePictureRequest request, VectorKind kind,
                          const std::filesystem::path& path);

// Writes a PNG beside `path` and renames it: on any failure nothing is left there.
Status save_png(const Image& image, const std::filesystem::path& path);

}  // namespace tilereel
