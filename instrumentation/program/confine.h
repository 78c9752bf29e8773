#pragma once
// What a program that Tilereel runs may not do to other processes, and how its descendants are
// found. No privileges and no namespaces are needed.
#include <linux/filter.h>
#include <sys/types.h>

#include <vector>

namespace tilereel::program {

// A filter of system calls. With it, a process and its descendants cannot trace, read or write
// other processes, cannot signal or limit a process that is older than themselves, and cannot type
// into the terminal. Such calls fail with EPERM. They also stay in their process group, so that one
// signal reaches them all: setsid() and setpgid() do nothing. Empty if this computer's kind is not
// known.
[[nodiscard]] std::vector<sock_filter> process_filter();
// Takes from this process, for ever, what a privileged user can do besides reading and writing
// files: with it, the program could read and write the memory of its parent. Allocates no memory.
void drop_capabilities();
// Installs the filter in this process, for ever. `first`: the number of the first process that it
// may signal. Allocates no memory. False: the system has none.
bool install_filter(std::vector<sock_filter>& filter, pid_t first);

// From now on, orphans among the descendants of this process become its children, and processes
// without privileges cannot write its memory.
void adopt_orphans();
// Kills the adopted children, whatever group, session and environment they have chosen: children
// with a filter that this process lacks, except those in the groups `running`.
void end_orphans(const std::vector<pid_t>& running);

}  // namespace tilereel::program
