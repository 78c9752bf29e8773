#include "app/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace tilereel {

Status print_out(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE)
            return failed("the output was closed before its end; read all of it");
        if (written <= 0)
            return failed(std::string("cannot print: ") + std::strerror(errno) +
                          "; send the output somewhere else");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return Done{};
}

}  // namespace tilereel
