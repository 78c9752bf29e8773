#include "app/export/film/video.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/files/temporary_folder.h"

namespace tilereel {
namespace {

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
    return value;
}

bool is_whole_mp4(std::string_view bytes) {
    bool index = false, frames = false;
    while (bytes.size() >= 8) {
        const std::string_view kind = bytes.substr(4, 4);
        std::uint64_t length = big_endian(bytes.substr(0, 4));
        if (length == 1 && bytes.size() >= 16) length = big_endian(bytes.substr(8, 8));
        if (length < 8 || length > bytes.size()) return false;
        index = index || kind == "moov";
        frames = frames || kind == "mdat";
        bytes.remove_prefix(length);
    }
    return bytes.empty() && index && frames;
}

// Reads an EBML element's size. Its length is 1 to 8 bytes: the number of leading zero bits of the
// first byte, plus one.
bool take_size(std::string_view& bytes, std::uint64_t& size) {
    if (bytes.empty()) return false;
    const auto first = static_cast<std::uint8_t>(bytes[0]);
    std::size_t length = 1;
    while (length <= 8 && (first >> (8 - length) & 1) == 0) ++length;
    if (length > 8 || bytes.size() < length) return false;
    size = big_endian(bytes.substr(0, length)) & ((std::uint64_t{1} << 7 * length) - 1);
    bytes.remove_prefix(length);
    return true;
}

bool is_whole_webm(std::string_view bytes) {
    constexpr std::string_view kHeader = "\x1a\x45\xdf\xa3", kSegment = "\x18\x53\x80\x67";
    std::uint64_t size = 0;
    if (!bytes.starts_with(kHeader)) return false;
    bytes.remove_prefix(kHeader.size());
    if (!take_size(bytes, size) || size > bytes.size()) return false;
    bytes.remove_prefix(size);
    if (!bytes.starts_with(kSegment)) return false;
    bytes.remove_prefix(kSegment.size());
    return take_size(bytes, size) && size > 0 && size == bytes.size();
}

std::vector<std::string> arguments_of(VideoKind kind, const std::filesystem::path& output) {
    // Players need even sizes. Without "bitexact" the file would contain ffmpeg's version.
    std::vector<std::string> words = {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"};
    const std::vector<std::string> coder =
        kind == VideoKind::kMp4
            ? std::vector<std::string>{"-c:v", "libx264", "-preset", "veryfast", "-crf", "18"}
            : std::vector<std::string>{"-c:v",      "libvpx-vp9", "-deadline", "realtime",
                                       "-cpu-used", "8",          "-row-mt",   "1",
                                       "-crf",      "24",         "-b:v",      "0"};
    words.insert(words.end(), coder.begin(), coder.end());
    words.insert(words.end(), {"-pix_fmt", "yuv420p", "-fflags", "+bitexact", "-flags:v",
                               "+bitexact", "-map_metadata", "-1"});
    if (kind == VideoKind::kMp4) words.insert(words.end(), {"-movflags", "+faststart"});
    words.insert(words.end(), {"-f", kind == VideoKind::kMp4 ? "mp4" : "webm", output.string()});
    return words;
}

}  // namespace

bool is_whole_video(VideoKind kind, std::string_view bytes) {
    return kind == VideoKind::kMp4 ? is_whole_mp4(bytes) : is_whole_webm(bytes);
}

Status write_video(VideoKind kind, const FilmFormat& format, const std::filesystem::path& path,
                   const std::function<Status(FilmEncoder&)>& add_frames) {
    // Opened first, so that a path that cannot be written is reported before the work.
    ReplacingFile file = TRY(ReplacingFile::open(path));
    auto folder = TRY(TemporaryFolder::make());
    const std::filesystem::path made = folder.path() / "film";
    auto encoder = FilmEncoder::start(
        format, {.arguments = arguments_of(kind, made),
                 .side_input = {},
                 .take = [](std::span<const std::byte>) -> Status { return Done{}; }});
    if (!encoder) return encoder.error();
    TRY(add_frames(*encoder));
    TRY(encoder->finish());
    std::ifstream read(made, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(read), {}};
    if (!is_whole_video(kind, bytes))
        return failed("ffmpeg gave only a part of the film; try again or export a --png");
    TRY(file.write(std::as_bytes(std::span(bytes))));
    return file.commit();
}

}  // namespace tilereel
