#include "app/window/copy_picture.h"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "app/export/export.h"

namespace tilereel {
namespace {

// Writes the bytes to the command's input. False: there is no such command, or it failed.
bool give_to(const char* command, const std::vector<std::byte>& bytes) {
    // If the command fails, `cat` reads the rest, so that no write meets a closed pipe.
    const std::string line =
        std::string(command) + " >/dev/null 2>&1 || { cat >/dev/null; exit 1; }";
    std::FILE* const pipe = popen(line.c_str(), "w");
    if (pipe == nullptr) return false;
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), pipe) == bytes.size();
    return pclose(pipe) == 0 && written;
}

}  // namespace

Status copy_picture(const Image& image) {
    const std::vector<std::byte> bytes = TRY(png_of(image));
    static constexpr std::array kCommands = {
        "test -n \"$WAYLAND_DISPLAY\" && wl-copy --type image/png",
        "xclip -selection clipboard -t image/png -i"};
    for (const char* const command : kCommands)
        if (give_to(command, bytes)) return Done{};
    return failed(
        "the picture is not copied: install xclip (X11) or wl-clipboard (Wayland); Ctrl+S saves "
        "the picture as a file");
}

}  // namespace tilereel
