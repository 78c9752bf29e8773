#include "instrumentation/program/process_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "instrumentation/program/occupied_bytes.h"

namespace tilereel::program {
namespace {

constexpr std::uint64_t kLeastFreeBytes = std::uint64_t{256} << 20;  // of a disk, and of memory

std::string bytes_in_words(std::uint64_t bytes) {
    constexpr int kGiB = 30, kMiB = 20;
    return bytes >> kGiB << kGiB == bytes ? std::to_string(bytes >> kGiB) + " GiB"
                                          : std::to_string(bytes >> kMiB) + " MiB";
}

// The beginning of a file of the system; empty if it cannot be read.
std::string_view read_proc(int folder, const char* name, std::array<char, 4096>& buffer) {
    const int file = ::openat(folder, name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    const ssize_t count = ::read(file, buffer.data(), buffer.size() - 1);
    ::close(file);
    buffer[count < 0 ? 0 : static_cast<std::size_t>(count)] = 0;
    return {buffer.data(), count < 0 ? 0 : static_cast<std::size_t>(count)};
}

// The number after the name in lines such as "Pss:   12 kB".
std::uint64_t number_after(std::string_view text, std::string_view name) {
    const std::size_t at = text.find(name);
    return at == std::string_view::npos
               ? 0
               : std::strtoull(text.data() + at + name.size(), nullptr, 10);
}

struct Member {
    std::uint64_t resident_bytes = 0, written_bytes = 0;
};

// A process of the group; nullopt: it is of another one, or has ended.
std::optional<Member> member_of(pid_t group, int processes, const char* number,
                                std::array<char, 4096>& buffer) {
    const std::string folder = number;
    std::string_view text = read_proc(processes, (folder + "/stat").c_str(), buffer);
    const std::size_t name_end = text.rfind(')');  // the program's name may contain blanks
    if (name_end == std::string_view::npos) return std::nullopt;
    constexpr int kGroup = 3, kResident = 22;  // fields of proc(5), after the name
    Member member;
    std::size_t at = name_end;
    for (int field = 1; field <= kResident; ++field) {
        at = text.find(' ', at + 1);
        if (at == std::string_view::npos) return std::nullopt;
        const char* const value = text.data() + at + 1;
        if (field == kGroup && std::atol(value) != group) return std::nullopt;
        if (field == kResident) member.resident_bytes = std::strtoull(value, nullptr, 10);
    }
    member.resident_bytes *= static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    text = read_proc(processes, (folder + "/io").c_str(), buffer);
    // Files that are mapped into memory are written without calls.
    member.written_bytes =
        std::max(number_after(text, "wchar: "), number_after(text, "\nwrite_bytes: "));
    return member;
}

// The share of a process in the pages that it has in memory, without those of files.
std::uint64_t share_of_memory(int processes, const std::string& number,
                              std::uint64_t resident_bytes) {
    std::array<char, 4096> buffer;
    const std::string_view text = read_proc(processes, (number + "/smaps_rollup").c_str(), buffer);
    if (text.find("Pss_Anon:") == std::string_view::npos) return resident_bytes;
    return (number_after(text, "Pss_Anon:") + number_after(text, "Pss_Shmem:")) << 10;
}

std::uint64_t free_memory_bytes() {
    std::array<char, 4096> buffer;
    const std::string_view text = read_proc(AT_FDCWD, "/proc/meminfo", buffer);
    if (text.empty()) return ~std::uint64_t{0};
    return (number_after(text, "MemAvailable:") + number_after(text, "SwapFree:")) << 10;
}

std::optional<std::uint64_t> free_disk_bytes(const std::filesystem::path& folder) {
    struct statvfs disk {};
    if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return std::nullopt;
    return static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
}

// Of what is little from the beginning, half may be used. 0: what is there does not matter.
std::uint64_t least_free(std::uint64_t now) {
    constexpr std::uint64_t kNothing = std::uint64_t{32} << 20;
    return now < kNothing ? 0 : std::min(kLeastFreeBytes, now / 2);
}

}  // namespace

bool has_copy(pid_t group, const std::filesystem::path& program) {
    DIR* const processes = ::opendir("/proc");
    if (processes == nullptr) return false;
    bool found = false;
    std::array<char, 4096> buffer;
    while (const dirent* const entry = found ? nullptr : ::readdir(processes)) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
            !member_of(group, ::dirfd(processes), entry->d_name, buffer))
            continue;
        std::error_code ended;
        found = std::filesystem::equivalent("/proc/" + std::string(entry->d_name) + "/exe", program,
                                            ended);
    }
    ::closedir(processes);
    return found;
}

ProcessWatch::ProcessWatch(pid_t group, GroupLimits limits)
    : group_(group), limits_(std::move(limits)) {
    if (limits_.processes == 0) return;
    std::vector<dev_t> devices;
    for (const std::filesystem::path& folder : limits_.on_disks) {
        struct stat status {};
        if (::stat(folder.c_str(), &status) != 0 ||
            std::ranges::find(devices, status.st_dev) != devices.end())
            continue;
        devices.push_back(status.st_dev);
        if (const std::optional<std::uint64_t> now = free_disk_bytes(folder))
            disks_.push_back({folder, least_free(*now)});
    }
    least_memory_bytes_ = least_free(free_memory_bytes());
    load_ = ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    threads_ = threads_of_computer();
    next_look_ = Clock::now();
}

ProcessWatch::~ProcessWatch() {
    if (load_ >= 0) ::close(load_);
}

std::string ProcessWatch::exceeded() {
    if (limits_.processes == 0) return {};
    // Processes that start others without end take all cores, and this process would not get to
    // counting them. So the group stands still meanwhile.
    const std::uint64_t threads = threads_of_computer();
    if (threads > threads_ + limits_.processes) {
        ::kill(-group_, SIGSTOP);
        threads_ = threads;
        std::string reason = look();
        if (reason.empty()) ::kill(-group_, SIGCONT);
        return reason;
    }
    const Clock::time_point now = Clock::now();
    if (now < next_look_) return {};
    threads_ = std::min(threads_, threads);
    std::string reason = look();
    constexpr int kTimesTheCost = 100;
    const Clock::time_point end = Clock::now();
    next_look_ = end + std::max<Clock::duration>(std::chrono::milliseconds(100),
                                                 kTimesTheCost * (end - now));
    return reason;
}

std::string ProcessWatch::look() {
    DIR* const processes = ::opendir("/proc");
    if (processes == nullptr) return {};
    std::vector<std::pair<std::string, Member>> members;
    std::array<char, 4096> buffer;
    std::uint64_t memory = 0, written = 0;
    OccupiedBytes occupied;
    while (const dirent* const entry = ::readdir(processes)) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        const std::optional<Member> member =
            member_of(group_, ::dirfd(processes), entry->d_name, buffer);
        if (!member) continue;
        members.emplace_back(entry->d_name, *member);
        memory += member->resident_bytes;
        written += written_by_all(entry->d_name, member->written_bytes);
        occupied.add_unnamed_files(::dirfd(processes), entry->d_name);
        if (members.size() > limits_.processes) break;
    }
    if (memory > limits_.memory_bytes) {  // pages that processes share were counted repeatedly
        memory = 0;
        for (const auto& [number, member] : members)
            memory += share_of_memory(::dirfd(processes), number, member.resident_bytes);
    }
    ::closedir(processes);
    std::erase_if(last_written_, [&](const auto& known) {
        const bool has_ended =
            std::ranges::find(members, known.first, &std::pair<std::string, Member>::first) ==
            members.end();
        if (has_ended) written_before_ += known.second;
        return has_ended;
    });
    if (!limits_.folder.empty()) occupied.add_folder(limits_.folder);
    written = std::max(written + written_before_, occupied.total());
    if (members.size() > limits_.processes)
        return "it had more than " + std::to_string(limits_.processes) +
               " processes at once; let it start fewer";
    if (memory > limits_.memory_bytes)
        return "it used more than " + bytes_in_words(limits_.memory_bytes) +
               " of memory; give it less to do";
    if (written > limits_.written_bytes)
        return "it wrote more than " + bytes_in_words(limits_.written_bytes) +
               "; let it write less";
    return look_at_computer();
}

// What a process has written. A smaller number than before is that of another process.
std::uint64_t ProcessWatch::written_by_all(const std::string& number, std::uint64_t now) {
    std::uint64_t& last = last_written_[number];
    if (now < last) written_before_ += last;
    return last = now;
}

std::string ProcessWatch::look_at_computer() const {
    for (const Disk& disk : disks_)
        if (const auto now = free_disk_bytes(disk.folder); now && *now < disk.least_free_bytes)
            return "less than " + bytes_in_words(disk.least_free_bytes) +
                   " are free on the disk of " + disk.folder.string() + "; make room there";
    if (free_memory_bytes() < least_memory_bytes_)
        return "this computer has less than " + bytes_in_words(least_memory_bytes_) +
               " of memory left; close other programs, or give this one less to do";
    return {};
}

// The fourth word of /proc/loadavg is "running/all".
std::uint64_t ProcessWatch::threads_of_computer() const {
    std::array<char, 128> text{};
    if (load_ < 0 || ::pread(load_, text.data(), text.size() - 1, 0) <= 0) return 0;
    return number_after(text.data(), "/");
}

}  // namespace tilereel::program
