#pragma once
// The program in a real window on an X server of its own, used with xdotool.
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/trace/scratch_folder.h"
#include "tests/window/watched_process.h"

namespace tilereel {

// An X server that draws to memory (Xvfb). The destructor ends it.
class XServer {
  public:
    XServer(int width, int height);
    [[nodiscard]] bool running() const { return !display_.empty(); }
    [[nodiscard]] const std::string& display() const { return display_; }  // ":99"
    // The number of black pixels that the screen shows in a rectangle, or -1 if it cannot be read.
    [[nodiscard]] int black_pixels(int x, int y, int width, int height) const;

  private:
    tests::ScratchFolder screen_;  // Xvfb keeps a file with the pixels there
    Process server_;
    std::string display_;
};

// A window at the upper left of a screen that is larger, as most screens are.
class RealWindow {
  public:
    // `arguments`: of the program, besides --print-state and --size. `state_folder`: for the state
    // that is kept between sessions; empty: a folder of this window.
    RealWindow(int width, int height, std::vector<std::string> arguments,
               const std::filesystem::path& state_folder = {});
    [[nodiscard]] bool running() const { return x_.running() && program_ && program_->started(); }

    using State = nlohmann::json;
    // Reads states until `holds` is true of one. Fails the test if there is no such state.
    bool wait_for(const std::string& what, const std::function<bool(const State&)>& holds);
    [[nodiscard]] const State& state() const { return state_; }

    void key(const std::string& name);  // xdotool's names: Page_Down, space
    void move_to(const std::string& widget, double x_share = 0.5, double y_share = 0.5);
    void set_size(int width, int height);
    void press_button();
    void release_button();
    void click(const std::string& widget, double x_share = 0.5);
    [[nodiscard]] Process& program() { return *program_; }
    [[nodiscard]] std::string title() const;
    [[nodiscard]] const XServer& screen() const { return x_; }

  private:
    void xdotool(std::vector<std::string> arguments);
    tests::ScratchFolder own_state_;
    XServer x_;
    std::unique_ptr<Process> program_;
    std::string window_id_;
    State state_;
};

}  // namespace tilereel
