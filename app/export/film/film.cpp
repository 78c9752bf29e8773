#include "app/export/film/film.h"

#include <cmath>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "app/export/film/film_encoder.h"
#include "app/export/film/gif_check.h"
#include "app/export/film/video.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {
namespace {

constexpr int kPalettePictures = 20;  // number of pictures that determine a GIF's colours

using Bytes = std::vector<std::byte>;

class FilmWriter {
  public:
    FilmWriter(FilmSource& source, const PictureLook& look, const std::filesystem::path& path,
               const FilmOptions& options)
        : source_(source),
          path_(path),
          options_(options),
          format_{look.width, look.height, options.frames_per_second} {}

    Status write_gif() {
        Result<ReplacingFile> file = ReplacingFile::open(path_);  // errors come before the work
        if (!file) return file.error();
        const Bytes palette = TRY(choose_palette());
        TRY(encode_gif(palette, *file));
        return file->commit();
    }
    Status write_with(VideoKind kind) {
        return write_video(kind, format_, path_,
                           [&](FilmEncoder& encoder) { return add_frames(encoder); });
    }

  private:
    Status check_cancelled() const {
        if (!options_.interrupted || !options_.interrupted()) return Done{};
        return Error{ErrorKind::kCancelled,
                     "interrupted; '" + path_.string() + "' was not written"};
    }

    // Chooses the colours for the whole film from pictures spread over it. Returns ffmpeg's palette
    // PNG.
    Result<Bytes> choose_palette() {
        Bytes palette;
        Result<FilmEncoder> encoder = FilmEncoder::start(
            format_,
            {.arguments = {"-vf", "palettegen=reserve_transparent=0:stats_mode=full", "-frames:v",
                           "1", "-f", "image2pipe", "-c:v", "png", "pipe:1"},
             .side_input = {},
             .take = [&palette](std::span<const std::byte> bytes) -> Status {
                 palette.insert(palette.end(), bytes.begin(), bytes.end());
                 if (palette.size() > kLargestSideInput)
                     return failed("ffmpeg gives a palette that is too large; reinstall it");
                 return Done{};
             }});
        if (!encoder) return encoder.error();
        const Status sampled =
            source_.samples(kPalettePictures, [&](const Image& image, int) -> Status {
                TRY(check_cancelled());
                return encoder->add(image);
            });
        if (!sampled) return sampled.error();
        TRY(encoder->finish());
        return palette;
    }

    Status add_frames(FilmEncoder& encoder) {
        added_ = 0;
        return source_.play([&](const Image& image, int frames) -> Status {
            TRY(check_cancelled());
            if (options_.progress) options_.progress(added_, source_.frames());
            for (int i = 0; i < frames; ++i, ++added_) TRY(encoder.add(image));
            return Done{};
        });
    }

    Status encode_gif(std::span<const std::byte> palette, ReplacingFile& file) {
        GifCheck film;
        Result<FilmEncoder> encoder =
            FilmEncoder::start(format_, {.arguments = {"-f", "png_pipe", "-i", "pipe:3", "-lavfi",
                                                       "paletteuse=dither=none:diff_mode=rectangle",
                                                       "-loop", "0", "-f", "gif", "pipe:1"},
                                         .side_input = palette,
                                         .take = [&](std::span<const std::byte> bytes) {
                                             film.take(bytes);
                                             return file.write(bytes);
                                         }});
        if (!encoder) return encoder.error();
        TRY(add_frames(*encoder));
        TRY(encoder->finish());
        return check_whole(film);
    }

    // Even if ffmpeg reports success, checks that the film has its end and the expected duration.
    Status check_whole(const GifCheck& film) const {
        const int a_frame = 100 / format_.frames_per_second + 1;  // frame in 1/100 s, rounded up
        const int expected = 100 * added_ / format_.frames_per_second;
        if (film.whole() && film.images() > 0 && film.images() <= added_ &&
            std::abs(film.hundredths() - expected) <= a_frame)
            return Done{};
        return failed("ffmpeg gave only a part of the film; try again or export a --png");
    }

    FilmSource& source_;
    const std::filesystem::path& path_;
    const FilmOptions& options_;
    FilmFormat format_;
    int added_ = 0;
};

}  // namespace

Status write_film(FilmSource& source, FilmKind kind, const PictureLook& look,
                  const std::filesystem::path& path, const FilmOptions& options) {
    FilmWriter writer(source, look, path, options);
    switch (kind) {
        case FilmKind::kGif:
            return writer.write_gif();
        case FilmKind::kMp4:
            return writer.write_with(VideoKind::kMp4);
        case FilmKind::kWebm:
            return writer.write_with(VideoKind::kWebm);
    }
    return failed("there is no such kind of film");
}

}  // namespace tilereel
