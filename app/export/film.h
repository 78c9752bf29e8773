#pragma once
// A film from frames: whatever shows them, and whatever the film is written as.
#include <filesystem>
#include <functional>

#include "app/export/picture_request.h"
#include "app/ui/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// What a film shows.
class FilmSource {
  public:
    // Takes a picture that stands for `frames` frames. An error ends the film.
    using Take = std::function<Status(const Image& image, int frames)>;

    virtual ~FilmSource() = default;
    [[nodiscard]] virtual int frames() const = 0;  // of the whole film
    // At most `count` pictures spread over the film, from which a GIF's colours are chosen.
    virtual Status samples(int count, const Take& take) = 0;
    virtual Status play(const Take& take) = 0;  // the whole film, from its first frame
};

// Errors: kCancelled when `options.interrupted` said so; kFailed for what ffmpeg cannot do, or
// where the film is not whole. An old film is replaced by a whole one or stays.
Status write_film(FilmSource& source, FilmKind kind, const PictureLook& look,
                  const std::filesystem::path& path, const FilmOptions& options);

}  // namespace tilereel
