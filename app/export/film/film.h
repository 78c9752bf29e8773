#pragma once
// Writes a film from a source of frames.
#include <filesystem>
#include <functional>

#include "app/export/picture_request.h"
#include "app/ui/gl/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The contents of a film.
class FilmSource {
  public:
    // Takes a picture that is shown for `frames` frames. An error ends the film.
    using Take = std::function<Status(const Image& image, int frames)>;

    virtual ~FilmSource() = default;
    [[nodiscard]] virtual int frames() const = 0;  // number of frames in the whole film
    // Passes at most `count` pictures of the film. A GIF's colours are chosen from them.
    virtual Status samples(int count, const Take& take) = 0;
    virtual Status play(const Take& take) = 0;  // passes the whole film, from its first frame
};

// kCancelled if `options.interrupted` returned true. kFailed if ffmpeg fails or the film is not
// complete. An existing file is replaced only by a complete film.
Status write_film(FilmSource& source, FilmKind kind, const PictureLook& look,
                  const std::filesystem::path& path, const FilmOptions& options);

}  // namespace tilereel
