// Films: the written files, and the files that remain after a failure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include "app/export/film/gif_check.h"
#include "app/export/film/video.h"
#include "tests/window/export_fixture.h"
#include "tests/window/watched_process.h"

namespace tilereel::film_test {
namespace {

using FilmTest = ExportTest;

TEST_F(FilmTest, GifPlaysAndIsSmall) {
    if (!is_installed("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    const FilmOptions options{.frames_per_second = 5, .longest_seconds = 1.0, .hold_seconds = 0.4};
    if (!made(export_film(small(), FilmKind::kGif, folder_ / "it's $(a) film %d.gif", options)))
        GTEST_SKIP() << "no EGL";
    const auto frames = output_of({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                   "stream=nb_read_frames,width,height", "-of", "csv=p=0",
                                   (folder_ / "it's $(a) film %d.gif").string()});
    ASSERT_TRUE(frames);
    EXPECT_EQ(*frames, "960,540,7\n") << "5 that play and 2 that hold";
    EXPECT_LT(std::filesystem::file_size(folder_ / "it's $(a) film %d.gif"), 2u << 20);
    EXPECT_EQ(files(), 1);
}

TEST_F(FilmTest, WithoutFfmpegTheErrorNamesIt) {
    const char* path = std::getenv("PATH");
    const std::string saved = path == nullptr ? "" : path;
    ::setenv("PATH", folder_.c_str(), 1);
    const Status status = export_film(small(), FilmKind::kGif, folder_ / "a.gif");
    ::setenv("PATH", saved.c_str(), 1);
    ASSERT_FALSE(status);
    EXPECT_TRUE(status.error().message.find("ffmpeg") != std::string::npos ||
                status.error().message.find("EGL") != std::string::npos)
        << status.error().message;
    EXPECT_EQ(files(), 0);
}

// A shell script named "ffmpeg", which is first in PATH during its lifetime.
class StandIn {
  public:
    StandIn(const std::filesystem::path& folder, const std::string& script) {
        const char* path = std::getenv("PATH");
        before_ = path == nullptr ? "" : path;
        std::filesystem::create_directories(folder);
        const std::filesystem::path program = folder / "ffmpeg";
        std::ofstream(program) << "#!/bin/sh\nPATH='" << before_ << "'\n" << script << '\n';
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        ::setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
    }
    ~StandIn() { ::setenv("PATH", before_.c_str(), 1); }
    StandIn(const StandIn&) = delete;
    StandIn& operator=(const StandIn&) = delete;

  private:
    std::string before_;
};

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A part of the replay: as many frames as its ticks take at x1, 160 ms each, and the hold.
TEST_F(FilmTest, VideosHaveTheFramesOfTheirRangeAndTheSameBytesAgain) {
    for (const auto& [kind, container, name] :
         {std::tuple(FilmKind::kMp4, VideoKind::kMp4, "a.mp4"),
          {FilmKind::kWebm, VideoKind::kWebm, "a.webm"}}) {
        PictureRequest request = small();
        request.tick = 2;
        FilmOptions options;
        options.frames_per_second = 5;
        options.hold_seconds = 0.4;  // 2 frames
        options.until = 7.0;         // 5 ticks: 0.8 seconds, 4 frames
        int frames = 0;
        options.progress = [&frames](int, int) { ++frames; };
        if (!made(export_film(request, kind, folder_ / name, options))) GTEST_SKIP() << "no EGL";
        EXPECT_EQ(frames, 5) << "those that play, and the last";
        const auto counted = output_of({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                        "stream=nb_read_frames,width,height", "-of", "csv=p=0",
                                        (folder_ / name).string()});
        ASSERT_TRUE(counted);
        EXPECT_EQ(*counted, "960,540,6\n") << name;
        const std::string first = bytes_of(folder_ / name);
        EXPECT_TRUE(is_whole_video(container, first));
        EXPECT_FALSE(
            is_whole_video(container, std::string_view(first).substr(0, first.size() - 9)));
        ASSERT_TRUE(export_film(request, kind, folder_ / name, options));
        EXPECT_EQ(bytes_of(folder_ / name), first) << name;
        options.interrupted = [] { return true; };
        const Status cancelled = export_film(request, kind, folder_ / name, options);
        ASSERT_FALSE(cancelled);
        EXPECT_EQ(cancelled.error().kind, ErrorKind::kCancelled);
        EXPECT_EQ(bytes_of(folder_ / name), first) << name;
    }
    EXPECT_EQ(files(), 2);
}

// Frames of a film, by ffprobe.
int frames_of(const std::filesystem::path& film) {
    const auto counted = output_of({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                    "stream=nb_read_frames", "-of", "csv=p=0", film.string()});
    return counted ? std::stoi(*counted) : -1;
}

// Two scenes of one stop each. A film waits as long as a viewer reads: the title has 2 words, the
// text 10 or 22; at 120 words a minute that is 6 seconds, then 12.
TEST_F(FilmTest, AFilmOfALessonWaitsUntilItsWordsAreRead) {
    if (!is_installed("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    const std::filesystem::path file = folder_ / "lesson.toml";
    std::ofstream(file) << "title = 'Film'\n"
                           "[[scene]]\ntitle = 'First scene'\nkernel = '02_naive'\n"
                           "text = 'one two three four five six seven eight nine ten'\n"
                           "[[scene]]\ntitle = 'Second scene'\nat = 'end'\n"
                           "text = 'a b c d e f g h i j k l m n o p q r s t u v'\n";
    LessonPictureRequest request{.file = file, .look = {.width = 960, .height = 540}};
    request.words_a_minute = 120;
    const FilmOptions options{.frames_per_second = 2};
    const std::filesystem::path film = folder_ / "a.mp4";
    if (!made(export_lesson_film(request, FilmKind::kMp4, film, options))) GTEST_SKIP() << "no EGL";
    const int all = frames_of(film);
    request.scene = 0;
    ASSERT_TRUE(made(export_lesson_film(request, FilmKind::kMp4, film, options)));
    EXPECT_EQ(frames_of(film), 12) << "6 seconds";
    const std::string first = bytes_of(film);
    ASSERT_TRUE(made(export_lesson_film(request, FilmKind::kMp4, film, options)));
    EXPECT_EQ(bytes_of(film), first) << "the same bytes again, whatever the clock says";
    request.scene = 1;
    ASSERT_TRUE(made(export_lesson_film(request, FilmKind::kMp4, film, options)));
    EXPECT_EQ(frames_of(film), 24) << "12 seconds";
    EXPECT_GT(all, 12 + 24) << "from one scene to the other the replay plays to its end";
    request.scene = 2;
    const Status none = export_lesson_film(request, FilmKind::kMp4, film, options);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "the lesson has 2 scenes; choose one of them");
    std::ofstream(file) << "title = 'Film'\n[[scene]]\ntitle = 'x'\nkernel = 'none_such'\n";
    const Status wrong = export_lesson_png({.file = file}, folder_ / "a.png");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("none_such"), std::string::npos) << wrong.error().message;
    EXPECT_EQ(files(), 2) << "the lesson and its film";
}

// From a scene without padding to one with it the words slide to their banks in 400 ms, as in the
// window: 8 of the frames after the change differ from the one before, then the picture stands.
TEST_F(FilmTest, WordsSlideToTheirBanksInAFilmOfALesson) {
    if (!is_installed("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    const std::filesystem::path file = folder_ / "lesson.toml";
    std::ofstream(file) << "title = 'Film'\n"
                           "[[scene]]\ntitle = 'Without'\nkernel = '08_tiled_b_transposed'\n"
                           "m = 32\nn = 32\nk = 32\ntile = 32\nat = 'conflict'\ntext = 'one'\n"
                           "[[scene]]\ntitle = 'With'\npad = 1\ntext = 'two'\n";
    constexpr int kWidth = 640, kHeight = 360, kFramesPerSecond = 20;
    const LessonPictureRequest request{.file = file, .look = {.width = kWidth, .height = kHeight}};
    const std::filesystem::path film = folder_ / "a.mp4", raw = folder_ / "a.raw";
    if (!made(export_lesson_film(request, FilmKind::kMp4, film,
                                 {.frames_per_second = kFramesPerSecond})))
        GTEST_SKIP() << "no EGL";
    ASSERT_TRUE(output_of({"ffmpeg", "-v", "error", "-i", film.string(), "-f", "rawvideo",
                           "-pix_fmt", "gray", raw.string()}));
    const std::string pixels = bytes_of(raw);
    const std::size_t size = std::size_t{kWidth} * kHeight, frames = pixels.size() / size;
    // The mean difference of a frame from the one before, in steps of grey.
    std::vector<double> change(frames);
    for (std::size_t i = 1; i < frames; ++i)
        for (std::size_t at = i * size; at < (i + 1) * size; ++at)
            change[i] += std::abs(static_cast<unsigned char>(pixels[at]) -
                                  static_cast<unsigned char>(pixels[at - size])) /
                         static_cast<double>(size);
    const auto scene = static_cast<std::size_t>(std::ranges::max_element(change) - change.begin());
    constexpr double kMoves = 0.05;
    ASSERT_LT(scene + kFramesPerSecond, frames);
    for (std::size_t i = 1; i < 8; ++i)
        EXPECT_GT(change[scene + i], kMoves) << i << " frames after the change of scene";
    for (std::size_t i = 10; i < kFramesPerSecond; ++i)
        EXPECT_LT(change[scene + i], kMoves) << i << " frames after the change of scene";
}

// The samples come one by one: the first frame has none, the last has all of them.
TEST_F(FilmTest, AFilmOfARaceShowsItsSamplesComing) {
    if (!is_installed("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    RacePictureRequest request;
    request.race.request = {.contenders = {{"02_naive", 16, 0}, {"09_tiled", 16, 0}},
                            .sizes = {{64, 64, 64}, {128, 128, 128}},
                            .repeats = 3};
    request.race.machine = {.gpu = false, .device = "a processor"};
    request.race.date = "2026-11-23T00:00:00Z";
    request.race.complete = true;
    for (const std::uint32_t size : {0u, 1u})
        for (const std::uint32_t contender : {0u, 1u}) {
            request.race.verified.push_back({.contender = contender, .size = size});
            for (const std::uint32_t repeat : {0u, 1u, 2u})
                request.race.samples.push_back({.contender = contender,
                                                .size = size,
                                                .repeat = repeat,
                                                .milliseconds = 1,
                                                .rate = 10.0 * (1 + contender + size)});
        }
    request.look = {.width = 960, .height = 540};
    const FilmOptions options{.frames_per_second = 4, .longest_seconds = 2, .hold_seconds = 1};
    const std::filesystem::path film = folder_ / "race.gif";
    if (!made(export_race_film(request, FilmKind::kGif, film, options))) GTEST_SKIP() << "no EGL";
    EXPECT_EQ(frames_of(film), 8 + 4);
    // A GIF is compressed without loss, so equal frames have equal pixels.
    const auto colours_at = [&](int frame) {
        const std::filesystem::path png = folder_ / "frame.png";
        EXPECT_TRUE(output_of({"ffmpeg", "-v", "error", "-y", "-i", film.string(), "-vf",
                               "select=eq(n\\," + std::to_string(frame) + ")", "-frames:v", "1",
                               png.string()}));
        return load(png).rgb;
    };
    const auto first = colours_at(0), middle = colours_at(5), last = colours_at(11);
    ASSERT_EQ(first.size(), last.size());
    EXPECT_NE(first, middle);
    EXPECT_NE(middle, last);
    EXPECT_EQ(colours_at(9), last) << "nothing changes at the end";
}

// Stand-ins for ffmpeg fail in several ways. The first, the second and the fifth exit with 0.
TEST_F(FilmTest, AFilmThatIsNotWholeNeverReplacesAnother) {
    if (!is_installed("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    const FilmOptions options{.frames_per_second = 5, .longest_seconds = 0.6, .hold_seconds = 0.4};
    const std::filesystem::path film = folder_ / "a.gif";
    PictureRequest request = small();
    request.look.width = 400;
    request.look.height = 300;
    if (!made(export_film(request, FilmKind::kGif, film, options))) GTEST_SKIP() << "no EGL";
    const std::string whole = bytes_of(film);
    const std::filesystem::path programs = folder_ / "bin";
    const auto expect_kept = [&](const std::string& script, const std::string& sentence) {
        const StandIn ffmpeg(programs, script);
        const Status status = export_film(request, FilmKind::kGif, film, options);
        ASSERT_FALSE(status) << script;
        EXPECT_NE(status.error().message.find(sentence), std::string::npos)
            << status.error().message;
        EXPECT_EQ(bytes_of(film), whole);
        EXPECT_EQ(files(), 2) << "the film and the folder of the stand-in";
    };
    expect_kept("ffmpeg \"$@\" | { head -c 9000; cat >/dev/null; }", "only a part of the film");
    expect_kept("ffmpeg \"$@\"; echo 'No space left on device' >&2", "No space left on device");
    expect_kept("ffmpeg \"$@\"; exit 3", "ended early");
    expect_kept("case $* in *paletteuse*) kill -9 $$;; *) ffmpeg \"$@\";; esac", "ended early");
    expect_kept("exit 0", "");
    // More error messages than a pipe holds, while ffmpeg is still being sent frames.
    expect_kept("yes 'trouble' | head -c 200000 >&2; cat >/dev/null; exit 1", "trouble");
}

TEST_F(FilmTest, AnInterruptedFilmLeavesTheOldOne) {
    if (!is_installed("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    std::ofstream(folder_ / "a.gif") << "old";
    int asked = 0;
    FilmOptions options{.frames_per_second = 5, .longest_seconds = 0.6, .hold_seconds = 0.4};
    options.interrupted = [&asked] { return ++asked == 22; };  // while the film is encoded
    const Status status = export_film(small(), FilmKind::kGif, folder_ / "a.gif", options);
    ASSERT_FALSE(status);
    if (status.error().message.find("EGL") != std::string::npos) GTEST_SKIP() << "no EGL";
    EXPECT_NE(status.error().message.find("interrupted"), std::string::npos);
    EXPECT_EQ(asked, 22);
    EXPECT_EQ(bytes_of(folder_ / "a.gif"), "old");
    EXPECT_EQ(files(), 1);
}

// A GIF of 1 x 1 by the format's description: a screen of two colours, a delay of 20 hundredths,
// one image, the trailer.
TEST(GifCheckTest, OnlyTheWholeFileIsWhole) {
    using std::string_literals::operator""s;
    const std::string gif = "GIF89a\1\0\1\0\x80\0\0"s + "\0\0\0\xff\xff\xff"s +
                            "\x21\xf9\4\0\x14\0\0\0"s + "\x2c\0\0\0\0\1\0\1\0\0"s +
                            "\2\2\x4c\1\0"s + "\x3b"s;
    const auto check_of = [](std::string_view bytes) {
        GifCheck check;
        check.take(std::as_bytes(std::span(bytes)));
        return check;
    };
    EXPECT_TRUE(check_of(gif).whole());
    EXPECT_EQ(check_of(gif).images(), 1);
    EXPECT_EQ(check_of(gif).hundredths(), 20);
    for (std::size_t length = 0; length < gif.size(); ++length)
        EXPECT_FALSE(check_of(std::string_view(gif).substr(0, length)).whole()) << length;
    EXPECT_FALSE(check_of(gif + "x").whole());
    EXPECT_FALSE(check_of("GIF88a" + gif.substr(6)).whole());
}

}  // namespace
}  // namespace tilereel::film_test
