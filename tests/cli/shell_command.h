#pragma once
// Runs the built program as a user does, through the shell.
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/trace/scratch_folder.h"

namespace tilereel::tests {

struct Ended {
    int exit_code = -1;  // -1: killed by a signal
    std::string out, err;
};

// Runs a shell command in which "tilereel" is the program. The working directory is `folder`, or an
// empty folder of the test.
inline Ended shell(const std::string& command, const std::filesystem::path& folder) {
    const ScratchFolder logs;
    // A state of the test's own, in which the user has been told of a missing sandbox.
    std::filesystem::create_directories(logs / "state" / "tilereel");
    write_bytes(logs / "state" / "tilereel" / "trusted.json", "{\"told\": true}");
    const std::string script = "export XDG_STATE_HOME='" + (logs / "state").string() +
                               "'\ntilereel() { \"" TILEREEL_PROGRAM "\" \"$@\"; }\ncd '" +
                               folder.string() + "' || exit 99\n{ " + command + "\n} >'" +
                               (logs / "out").string() + "' 2>'" + (logs / "err").string() + "'\n";
    write_bytes(logs / "script", script);
    const int status = std::system(("bash '" + (logs / "script").string() + "'").c_str());
    return {WIFEXITED(status) && WEXITSTATUS(status) < 126 ? WEXITSTATUS(status) : -1,
            read_bytes(logs / "out"), read_bytes(logs / "err")};
}
inline Ended shell(const std::string& command) {
    const ScratchFolder folder;
    return shell(command, folder.path());
}

}  // namespace tilereel::tests
