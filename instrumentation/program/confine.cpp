#include "instrumentation/program/confine.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

namespace tilereel::program {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kArchitecture = 0;  // no filter
#endif

// Replaced by the numbers of the process and its group when the filter is installed.
constexpr unsigned kOwn = 0x7ffffffe, kOwnGroup = 0u - kOwn;
constexpr unsigned kRefuse = SECCOMP_RET_ERRNO | 1;  // EPERM
constexpr long kNever[] = {SYS_ptrace,     SYS_process_vm_readv,  SYS_process_vm_writev,
                           SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd,
                           SYS_tkill,      SYS_migrate_pages,     SYS_move_pages,
                           SYS_kcmp};
// Files take room through them that no limit sees in time. Whoever calls posix_fallocate() gets
// zeros that are written.
constexpr long kUnsupported[] = {SYS_fallocate, SYS_io_uring_setup};
constexpr unsigned kNotSupported = SECCOMP_RET_ERRNO | EOPNOTSUPP;
// A process that leaves its group could not be ended together with the others. These calls do
// nothing and succeed, because programs that call them need no more.
constexpr long kPretended[] = {SYS_setsid, SYS_setpgid};
// Their first argument is a process.
constexpr long kOwnOnly[] = {SYS_kill,
                             SYS_tgkill,
                             SYS_rt_sigqueueinfo,
                             SYS_rt_tgsigqueueinfo,
                             SYS_prlimit64,
                             SYS_sched_setaffinity,
                             SYS_sched_setscheduler,
                             SYS_sched_setparam,
                             SYS_sched_setattr};

struct Confinement {
    long parent = 0, group = 0, no_new_privileges = 0, filters = 0;
    [[nodiscard]] bool is_more_confined_than(const Confinement& other) const {
        return no_new_privileges > other.no_new_privileges || filters > other.filters;
    }
};

Confinement state_of(const std::string& process) {
    Confinement state;
    std::ifstream file("/proc/" + process + "/status");
    for (std::string line; std::getline(file, line);) {
        const auto take = [&](std::string_view name, long& number) {
            if (line.starts_with(name)) number = std::atol(line.c_str() + name.size());
        };
        take("PPid:", state.parent);
        take("NSpgid:", state.group);
        take("NoNewPrivs:", state.no_new_privileges);
        take("Seccomp_filters:", state.filters);
    }
    return state;
}

void end_child(pid_t process) {
    kill(process, SIGKILL);
    // It can be waiting for a disk, so that it does not end at once.
    for (int i = 0; i < 200 && waitpid(process, nullptr, WNOHANG) == 0; ++i) usleep(1000);
}

}  // namespace

std::vector<sock_filter> process_filter() {
    std::vector<sock_filter> filter;
    if (kArchitecture == 0) return filter;
    const auto add = [&](int code, unsigned value, int yes = 0, int no = 0) {
        filter.push_back(sock_filter{static_cast<std::uint16_t>(code),
                                     static_cast<std::uint8_t>(yes), static_cast<std::uint8_t>(no),
                                     value});
    };
    const auto load = [&](std::size_t offset) {
        add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
    };
    const auto answer = [&](unsigned value) { add(BPF_RET | BPF_K, value); };
    const auto number = [](long call) { return static_cast<unsigned>(call); };
    // The lower half of an argument; x86-64 and ARM64 are little-endian.
    const auto argument = [&](std::size_t i) { load(offsetof(seccomp_data, args) + i * 8); };
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1);
    answer(kRefuse);
    load(offsetof(seccomp_data, nr));
    constexpr unsigned kX32Calls = 0x40000000;
    add(BPF_JMP | BPF_JGE | BPF_K, kX32Calls, 0, 1);
    answer(kRefuse);
    for (const long call : kNever) {
        add(BPF_JMP | BPF_JEQ | BPF_K, number(call), 0, 1);
        answer(kRefuse);
    }
    for (const long call : kUnsupported) {
        add(BPF_JMP | BPF_JEQ | BPF_K, number(call), 0, 1);
        answer(kNotSupported);
    }
    for (const long call : kPretended) {
        add(BPF_JMP | BPF_JEQ | BPF_K, number(call), 0, 1);
        answer(SECCOMP_RET_ERRNO);
    }
    // A descendant has a larger number than the process itself. -1 would be all processes.
    for (const long call : kOwnOnly) {
        add(BPF_JMP | BPF_JEQ | BPF_K, number(call), 0, 7);
        argument(0);
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);           // itself, or its group
        add(BPF_JMP | BPF_JGE | BPF_K, kOwn, 0, 3);        // older: refuse
        add(BPF_JMP | BPF_JGT | BPF_K, 0x7fffffff, 0, 1);  // a group?
        add(BPF_JMP | BPF_JGT | BPF_K, kOwnGroup, 1, 0);   // an older group: refuse
        answer(SECCOMP_RET_ALLOW);
        answer(kRefuse);
    }
    // Of these the second argument is the process, the group or the user; 0 is the caller's.
    constexpr unsigned kUser = 2, kUserOfIo = 3;
    for (const auto& [call, user] :
         {std::pair{SYS_setpriority, kUser}, std::pair{SYS_ioprio_set, kUserOfIo}}) {
        add(BPF_JMP | BPF_JEQ | BPF_K, number(call), 0, 6);
        argument(0);
        add(BPF_JMP | BPF_JEQ | BPF_K, user, 3);
        argument(1);
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
        answer(SECCOMP_RET_ALLOW);
        answer(kRefuse);
    }
    // A file's owner gets signals from the system.
    const auto refuse_second = [&](long call, std::initializer_list<unsigned> values) {
        const int length = static_cast<int>(values.size()) * 2 + 2;
        add(BPF_JMP | BPF_JEQ | BPF_K, number(call), 0, length);
        argument(1);
        for (const unsigned value : values) {
            add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
            answer(kRefuse);
        }
        answer(SECCOMP_RET_ALLOW);
    };
    constexpr unsigned kSetOwner = 8, kSetSignal = 10, kSetOwnerEx = 15;  // of fcntl()
    refuse_second(SYS_fcntl, {kSetOwner, kSetSignal, kSetOwnerEx});
    constexpr unsigned kSetFileOwner = 0x8901, kSetSocketOwner = 0x8902;
    refuse_second(SYS_ioctl, {kSetFileOwner, kSetSocketOwner, TIOCSTI});
    answer(SECCOMP_RET_ALLOW);
    return filter;
}

void drop_capabilities() {
    constexpr unsigned kKept = 1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE |
                               1u << CAP_DAC_READ_SEARCH | 1u << CAP_FOWNER | 1u << CAP_FSETID |
                               1u << CAP_SETUID | 1u << CAP_SETGID;
    constexpr unsigned long kMost = 64;
    for (unsigned long each = 0; each < kMost; ++each)
        if (each >= 32 || (kKept >> each & 1) == 0) prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2]{};
    if (syscall(SYS_capget, &header, sets) != 0) return;
    for (std::size_t i = 0; i < 2; ++i) {
        const unsigned kept = i == 0 ? kKept : 0;
        sets[i].permitted &= kept;
        sets[i].effective &= kept;
        sets[i].inheritable &= kept;
    }
    syscall(SYS_capset, &header, sets);
}

bool install_filter(std::vector<sock_filter>& filter, pid_t first) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (filter.empty()) return false;
    const auto own = static_cast<unsigned>(first);
    for (sock_filter& step : filter) {
        if (step.k == kOwn) step.k = own;
        if (step.k == kOwnGroup) step.k = 0u - own;
    }
    sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    // Older systems slow down all memory accesses of a process with a filter, unless it is told
    // that the filter does not protect the process against reading its own memory.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void end_orphans(const std::vector<pid_t>& running) {
    const Confinement own = state_of("self");
    // The children of an ended orphan are found in the next round.
    constexpr int kMostRounds = 1000;
    bool any = true;
    for (int round = 0; any && round < kMostRounds; ++round) {
        any = false;
        DIR* const processes = opendir("/proc");
        if (processes == nullptr) return;
        while (const dirent* const entry = readdir(processes)) {
            const pid_t process = std::atoi(entry->d_name);
            if (process <= 1) continue;
            const Confinement state = state_of(entry->d_name);
            if (state.parent != getpid() || !state.is_more_confined_than(own) ||
                std::ranges::find(running, state.group) != running.end())
                continue;
            end_child(process);
            any = true;
        }
        closedir(processes);
    }
}

}  // namespace tilereel::program
