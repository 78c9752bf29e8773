#include "tests/window/real_window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace tilereel {
namespace {

constexpr int kMargin = 120;  // of the screen beyond the window

}  // namespace

XServer::XServer(int width, int height)
    : server_({"Xvfb", "-displayfd", "3", "-screen", "0",
               std::to_string(width) + "x" + std::to_string(height) + "x24", "-nolisten", "tcp",
               "-noreset", "-fbdir", screen_.path().string()},
              {.extra_pipe = true}) {
    if (const auto number = server_.read_line()) display_ = ":" + *number;
}

// The file is an X window dump: numbers of 32 bits, the highest byte first, then the colours, then
// rows of pixels in the order blue, green, red, unused (X11/XWDFile.h).
int XServer::black_pixels(int x, int y, int width, int height) const {
    const std::string bytes = tests::read_bytes(screen_ / "Xvfb_screen0");
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
    const auto number = [&](std::size_t index) {
        std::size_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | byte(4 * index + i);
        return value;
    };
    constexpr std::size_t kFields = 25, kColourBytes = 12;
    if (bytes.size() < 4 * kFields || number(11) != 32) return -1;
    const std::size_t first = number(0) + kColourBytes * number(19), pitch = number(12);
    if (bytes.size() < first + pitch * static_cast<std::size_t>(y + height)) return -1;
    int black = 0;
    for (int row = y; row < y + height; ++row)
        for (int column = x; column < x + width; ++column) {
            const std::size_t at = first + pitch * static_cast<std::size_t>(row) +
                                   4 * static_cast<std::size_t>(column);
            black += static_cast<int>((byte(at) | byte(at + 1) | byte(at + 2)) == 0);
        }
    return black;
}

RealWindow::RealWindow(int width, int height, std::vector<std::string> arguments,
                       const std::filesystem::path& state_folder)
    : x_(width + kMargin, height + kMargin) {
    if (!x_.running()) return;
    const std::filesystem::path& kept = state_folder.empty() ? own_state_.path() : state_folder;
    std::vector<std::string> command = {TILEREEL_PROGRAM, "--print-state", "--size",
                                        std::to_string(width) + "x" + std::to_string(height)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    program_ = std::make_unique<Process>(
        command,
        Process::Options{.environment = {"DISPLAY=" + x_.display(), "WAYLAND_DISPLAY=<unset>",
                                         "LIBGL_ALWAYS_SOFTWARE=1",
                                         "XDG_STATE_HOME=" + kept.string()}});
    if (!wait_for("the first recording", [](const State& s) { return s.contains("ticks"); }))
        return;
    // The title says what is shown, and ends with the program's name.
    const auto found =
        output_of({"xdotool", "search", "--sync", "--onlyvisible", "--name", "Tilereel$"},
                  {"DISPLAY=" + x_.display()});
    if (found) window_id_ = found->substr(0, found->find('\n'));
    // Without a window manager the keyboard follows the mouse.
    xdotool({"mousemove", "--window", window_id_, "2", "2"});
}

bool RealWindow::wait_for(const std::string& what, const std::function<bool(const State&)>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    if (!state_.is_null() && holds(state_)) return true;
    while (std::chrono::steady_clock::now() < deadline) {
        const auto line = program_->read_line(deadline - std::chrono::steady_clock::now());
        if (!line) break;
        state_ = State::parse(*line, nullptr, false);
        if (!state_.is_discarded() && holds(state_)) return true;
    }
    ADD_FAILURE() << "never came: " << what << "; last state: " << state_.dump().substr(0, 400);
    return false;
}

void RealWindow::xdotool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "xdotool");
    EXPECT_TRUE(output_of(arguments, {"DISPLAY=" + x_.display()})) << arguments[1];
}

void RealWindow::key(const std::string& name) { xdotool({"key", name}); }

void RealWindow::move_to(const std::string& widget, double x_share, double y_share) {
    if (!wait_for("widget " + widget,
                  [&](const State& s) { return s.at("widgets").contains(widget); }))
        return;
    const auto rect = state_.at("widgets").at(widget).get<std::vector<double>>();
    xdotool({"mousemove", "--window", window_id_,
             std::to_string(std::lround(rect[0] + x_share * rect[2])),
             std::to_string(std::lround(rect[1] + y_share * rect[3]))});
}

void RealWindow::set_size(int width, int height) {
    xdotool({"windowsize", "--sync", window_id_, std::to_string(width), std::to_string(height)});
}

std::string RealWindow::title() const {
    const auto said =
        output_of({"xdotool", "getwindowname", window_id_}, {"DISPLAY=" + x_.display()});
    return said ? said->substr(0, said->find('\n')) : "";
}

void RealWindow::press_button() { xdotool({"mousedown", "1"}); }
void RealWindow::release_button() { xdotool({"mouseup", "1"}); }

void RealWindow::click(const std::string& widget, double x_share) {
    move_to(widget, x_share);
    xdotool({"click", "--delay", "60", "1"});
}

}  // namespace tilereel
