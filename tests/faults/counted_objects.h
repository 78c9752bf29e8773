#pragma once
// Which calls of a program count: those of the program itself and of chosen libraries.
#include <execinfo.h>
#include <link.h>
#include <string.h>

#include <cstdint>

namespace tilereel_faults {

struct Range {
    uintptr_t begin = 0, end = 0;
    [[nodiscard]] bool holds(const void* address) const {
        const auto at = reinterpret_cast<uintptr_t>(address);
        return at >= begin && at < end;
    }
};
constexpr int kMostRanges = 16;
struct Ranges {
    Range all[kMostRanges];
    int count = 0;
    void add(const Range& range) {
        if (count < kMostRanges) all[count++] = range;
    }
    [[nodiscard]] bool hold(const void* address) const {
        for (int i = 0; i < count; ++i)
            if (all[i].holds(address)) return true;
        return false;
    }
};

constexpr int kFrames = 24;

inline uintptr_t program_base = 0;
// counted: the program and the libraries of FAULT_AS. looked_through: this library and those of C
// and C++, whose calls count if a counted object called them.
inline Ranges counted, looked_through;

// Whether one of the names in the list, separated by colons, is part of the path.
inline bool named(const char* path, const char* list) {
    while (list != nullptr && *list != '\0') {
        const char* end = strchrnul(list, ':');
        char name[64] = {};
        const auto length = static_cast<size_t>(end - list);
        if (length > 0 && length < sizeof name) {
            memcpy(name, list, length);
            if (strstr(path, name) != nullptr) return true;
        }
        list = *end == ':' ? end + 1 : end;
    }
    return false;
}

// For dl_iterate_phdr(). `data`: the list of FAULT_AS.
inline int note_object(dl_phdr_info* info, size_t, void* data) {
    Range range{~uintptr_t{0}, 0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        const uintptr_t begin = info->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
        if (begin < range.begin) range.begin = begin;
        if (end > range.end) range.end = end;
    }
    const bool program = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
    const bool self = range.holds(reinterpret_cast<const void*>(&note_object));
    if (program) program_base = info->dlpi_addr;
    if (program || named(info->dlpi_name, static_cast<const char*>(data)))
        counted.add(range);
    else if (self || named(info->dlpi_name, "libstdc++:libc.so:libgcc_s"))
        looked_through.add(range);
    return 0;
}

// Whether the call that returns to `caller` counts: a counted object made it, directly or through
// the C or C++ library.
inline bool is_counted(const void* caller) {
    if (counted.hold(caller)) return true;
    if (!looked_through.hold(caller)) return false;
    void* frames[kFrames];
    const int count = backtrace(frames, kFrames);
    for (int i = 0; i < count; ++i) {
        if (counted.hold(frames[i])) return true;
        if (!looked_through.hold(frames[i])) return false;
    }
    return false;
}

}  // namespace tilereel_faults
