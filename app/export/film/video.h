#pragma once
// MP4 (H.264) and WebM (VP9) by ffmpeg.
#include <filesystem>
#include <functional>
#include <string_view>

#include "app/export/film/film_encoder.h"
#include "instrumentation/base/result.h"

namespace tilereel {

enum class VideoKind { kMp4, kWebm };

// `add_frames` passes all frames to the encoder. Players must be able to seek in the film, so
// ffmpeg writes a temporary file; if it is complete, it replaces `path`. The bytes are the same in
// each run.
Status write_video(VideoKind kind, const FilmFormat& format, const std::filesystem::path& path,
                   const std::function<Status(FilmEncoder&)>& add_frames);

// Whether the boxes of an MP4, or the Segment of a WebM, end at the end of the file.
// Source: ISO/IEC 14496-12, section 4.2; RFC 8794 (EBML), sections 4 and 5.
[[nodiscard]] bool is_whole_video(VideoKind kind, std::string_view bytes);

}  // namespace tilereel
