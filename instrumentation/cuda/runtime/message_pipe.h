#pragma once
// The pipe to the parent process, for messages. The program may close or replace descriptors that
// it did not open, as daemons and servers do. The pipe is therefore kept at a high descriptor, and
// close(), dup2() and their like leave it alone. Each message checks that it still is the pipe.
#include <cstddef>

namespace tilereel::runtime {

// Call one of these once. The first leaves the pipe where it is; the second moves it to a high
// descriptor, which it returns.
void use_message_pipe(int descriptor);
[[nodiscard]] int keep_message_pipe(int descriptor);
// Whether the descriptor still is the pipe.
[[nodiscard]] bool has_message_pipe();
// False if the text does not reach the parent.
[[nodiscard]] bool write_message(const char* text, std::size_t bytes);
// Tells the parent that this process ends and that no message of it was lost. If the parent does
// not get it, the process ends with contract::kRecorderFailed. Allocates no memory.
void send_end();
// _exit() without send_end().
[[noreturn]] void end_process(int code);

}  // namespace tilereel::runtime
