// Preloaded into a program: makes the n-th call of a kind fail, once, or only counts the calls.
//   FAULT_COUNTS=FILE   where the counts go: one 64-bit number for each kind, in the order below;
//                       then 24 numbers: where the program was when the call failed, as offsets
//                       into its file, innermost first
//   FAULT_PATHS=FILE    for each call its call path as a hash: two 64-bit numbers, the kind and the
//                       hash, in the order of the calls
//   FAULT_KIND=NAME     the kind that fails; FAULT_AT=N  its N-th call, from 1, or "all" of them
//   FAULT_AS=NAME:...   calls of libraries count, too, if their path contains a NAME (such as
//   libzip)
//   FAULT_IN=NAME       only in a process whose program has this file name; others pass all of
//                       this on to their children
// Only calls between the start and the end of main() count, and only those of the program itself:
// made by it directly, or through the C or C++ library. Drivers and other libraries may abort if
// they get no memory, which a program cannot prevent.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <new>

#include "tests/faults/counted_objects.h"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

using namespace tilereel_faults;

enum Kind { kAlloc, kThread, kOpen, kWrite, kShort, kFsync, kRename, kSpawn, kKinds };
constexpr const char* kNames[kKinds] = {"alloc", "thread", "open",   "write",
                                        "short", "fsync",  "rename", "spawn"};

struct CallPath {
    uint64_t kind, hash;
};
constexpr uint64_t kMostPaths = 4'000'000;

std::atomic<bool> active{false};
std::atomic<uint64_t>* counts = nullptr;  // kKinds of them, then kFrames; shared with the test
CallPath* paths = nullptr;                // kMostPaths of them; nullptr without FAULT_PATHS
std::atomic<uint64_t> path_count{0};
constexpr uint64_t kAll = ~uint64_t{0};
uint64_t fails_at[kKinds] = {};  // 0: never
thread_local bool busy = false;

void note_place() {
    busy = true;
    void* frames[kFrames];
    const int count = backtrace(frames, kFrames);
    for (int i = 0; i < count; ++i)
        counts[kKinds + i] = reinterpret_cast<uintptr_t>(frames[i]) - program_base;
    busy = false;
}

// Hashes (FNV-1a) the return addresses of all counted callers, relative to the program.
void note_path(Kind kind) {
    constexpr int kDeepest = 96;
    void* frames[kDeepest];
    const int count = backtrace(frames, kDeepest);
    uint64_t hash = 0xcbf29ce484222325;
    for (int i = 0; i < count; ++i)
        if (counted.hold(frames[i]))
            hash = (hash ^ (reinterpret_cast<uintptr_t>(frames[i]) - program_base)) * 0x100000001b3;
    const uint64_t at = path_count.fetch_add(1);
    if (at < kMostPaths) paths[at] = {static_cast<uint64_t>(kind), hash};
}

bool fails(Kind kind, const void* caller) {
    if (!active.load(std::memory_order_relaxed) || busy) return false;
    busy = true;
    const bool ours = is_counted(caller);
    if (ours && paths != nullptr) note_path(kind);
    busy = false;
    if (!ours) return false;
    const bool failing = counts[kind].fetch_add(1) + 1 == fails_at[kind];
    if (failing) note_place();
    return failing || fails_at[kind] == kAll;
}

template <class Function>
Function* real(const char* name) {
    busy = true;
    auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    busy = false;
    return found;
}

void* shared_file(const char* path, size_t bytes) {
    const int descriptor = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) _exit(99);
    void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (shared == MAP_FAILED) _exit(99);
    return shared;
}

// Whether the running program's file has this name; nullptr: any name.
bool is_the_program(const char* name) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (name == nullptr || length <= 0) return name == nullptr;
    path[length] = 0;
    const char* const slash = strrchr(path, '/');
    return strcmp(slash == nullptr ? path : slash + 1, name) == 0;
}

__attribute__((constructor)) void prepare() {
    const char* file = getenv("FAULT_COUNTS");
    if (file == nullptr || !is_the_program(getenv("FAULT_IN"))) return;
    counts = static_cast<std::atomic<uint64_t>*>(
        shared_file(file, (kKinds + kFrames) * sizeof(uint64_t)));
    if (const char* path_file = getenv("FAULT_PATHS"))
        paths = static_cast<CallPath*>(shared_file(path_file, kMostPaths * sizeof(CallPath)));
    const char *kind = getenv("FAULT_KIND"), *at = getenv("FAULT_AT");
    for (int i = 0; kind != nullptr && at != nullptr && i < kKinds; ++i)
        if (strcmp(kind, kNames[i]) == 0)
            fails_at[i] = strcmp(at, "all") == 0 ? kAll : strtoull(at, nullptr, 10);
    void* frames[2];
    backtrace(frames, 2);  // loads the unwinder
    dl_iterate_phdr(note_object, getenv("FAULT_AS"));
    for (const char* name : {"LD_PRELOAD", "FAULT_COUNTS", "FAULT_PATHS", "FAULT_KIND", "FAULT_AT",
                             "FAULT_AS", "FAULT_IN"})
        unsetenv(name);  // not for the program's children
}

using Main = int(int, char**, char**);
Main* program_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
    active = counts != nullptr;
    const int code = program_main(argc, argv, environment);
    active = false;
    return code;
}

int refuse(int error) {
    errno = error;
    return -1;
}

}  // namespace

#define CALLER __builtin_return_address(0)

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
    using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
    program_main = main;
    return real<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                            stack_end);
}

void* malloc(size_t bytes) {
    if (fails(kAlloc, CALLER)) return errno = ENOMEM, nullptr;
    return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
    if (fails(kAlloc, CALLER)) return errno = ENOMEM, nullptr;
    return __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
    if (fails(kAlloc, CALLER)) return errno = ENOMEM, nullptr;
    return __libc_realloc(old, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
    if (fails(kAlloc, CALLER)) return errno = ENOMEM, nullptr;
    return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, size_t alignment, size_t bytes) {
    if (fails(kAlloc, CALLER)) return ENOMEM;
    *memory = __libc_memalign(alignment, bytes);
    return *memory == nullptr ? ENOMEM : 0;
}
// Only anonymous mappings count, such as a fiber's stack. Mappings of files do not, and the C
// library maps the stacks of threads without this function.
void* mmap(void* at, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
    static auto* const next = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
    if ((flags & MAP_ANONYMOUS) != 0 && fails(kAlloc, CALLER)) return errno = ENOMEM, MAP_FAILED;
    return next(at, bytes, protection, flags, descriptor, offset);
}

// Making memory accessible can fail as making it can.
int mprotect(void* at, size_t bytes, int protection) noexcept {
    static auto* const next = real<int(void*, size_t, int)>("mprotect");
    if (protection != PROT_NONE && fails(kAlloc, CALLER)) return refuse(ENOMEM);
    return next(at, bytes, protection);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
    static auto* const next =
        real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    if (fails(kThread, CALLER)) return EAGAIN;
    return next(thread, attributes, run, argument);
}

#define MODE_OF(flags)                                 \
    mode_t mode = 0;                                   \
    if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) {    \
        va_list more;                                  \
        va_start(more, flags);                         \
        mode = static_cast<mode_t>(va_arg(more, int)); \
        va_end(more);                                  \
    }
int open(const char* path, int flags, ...) {
    static auto* const next = real<int(const char*, int, ...)>("open");
    MODE_OF(flags)
    if (fails(kOpen, CALLER)) return refuse(EMFILE);
    return next(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    static auto* const next = real<int(const char*, int, ...)>("open64");
    MODE_OF(flags)
    if (fails(kOpen, CALLER)) return refuse(EMFILE);
    return next(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    static auto* const next = real<int(int, const char*, int, ...)>("openat");
    MODE_OF(flags)
    if (fails(kOpen, CALLER)) return refuse(EMFILE);
    return next(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
    static auto* const next = real<FILE*(const char*, const char*)>("fopen");
    if (fails(kOpen, CALLER)) return errno = EMFILE, nullptr;
    return next(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
    static auto* const next = real<FILE*(const char*, const char*)>("fopen64");
    if (fails(kOpen, CALLER)) return errno = EMFILE, nullptr;
    return next(path, mode);
}
int pipe2(int* ends, int flags) {
    static auto* const next = real<int(int*, int)>("pipe2");
    if (fails(kOpen, CALLER)) return refuse(EMFILE);
    return next(ends, flags);
}
int socketpair(int domain, int type, int protocol, int* ends) {
    static auto* const next = real<int(int, int, int, int*)>("socketpair");
    if (fails(kOpen, CALLER)) return refuse(EMFILE);
    return next(domain, type, protocol, ends);
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
    static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
    if (fails(kWrite, CALLER)) return refuse(ENOSPC);
    return next(descriptor, data, fails(kShort, CALLER) ? (bytes + 1) / 2 : bytes);
}
ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t offset) {
    static auto* const next = real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
    if (fails(kWrite, CALLER)) return refuse(ENOSPC);
    return next(descriptor, data, fails(kShort, CALLER) ? (bytes + 1) / 2 : bytes, offset);
}
ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
    static auto* const next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
    if (fails(kWrite, CALLER)) return refuse(ENOSPC);
    return next(descriptor, data, fails(kShort, CALLER) ? (bytes + 1) / 2 : bytes, offset);
}
ssize_t send(int socket, const void* data, size_t bytes, int flags) {
    static auto* const next = real<ssize_t(int, const void*, size_t, int)>("send");
    if (fails(kWrite, CALLER)) return refuse(EPIPE);
    return next(socket, data, fails(kShort, CALLER) ? (bytes + 1) / 2 : bytes, flags);
}

int fsync(int descriptor) {
    static auto* const next = real<int(int)>("fsync");
    return fails(kFsync, CALLER) ? refuse(EIO) : next(descriptor);
}
int rename(const char* from, const char* to) noexcept {
    static auto* const next = real<int(const char*, const char*)>("rename");
    return fails(kRename, CALLER) ? refuse(EIO) : next(from, to);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
    static auto* const next = real<int(int, const char*, int, const char*, int)>("linkat");
    if (fails(kRename, CALLER)) return refuse(EIO);
    return next(from_folder, from, to_folder, to, flags);
}

// Called in a child that shares the memory of its parent, until it succeeds.
int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
    static auto* const next = real<int(const char*, char* const*, char* const*)>("execvpe");
    if (fails(kSpawn, CALLER)) return refuse(EAGAIN);
    return next(file, arguments, environment);
}
pid_t _Fork() noexcept {
    static auto* const next = real<pid_t()>("_Fork");
    return fails(kSpawn, CALLER) ? refuse(EAGAIN) : next();
}

}  // extern "C"

namespace {
// As operator new does without memory.
[[noreturn]] void refuse_memory() {
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}
void* get(size_t bytes, const void* caller) {
    if (fails(kAlloc, caller)) refuse_memory();
    void* const memory = __libc_malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* get(size_t bytes, std::align_val_t alignment, const void* caller) {
    if (fails(kAlloc, caller)) refuse_memory();
    void* const memory = __libc_memalign(static_cast<size_t>(alignment), bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
}  // namespace

void* operator new(size_t bytes) { return get(bytes, CALLER); }
void* operator new[](size_t bytes) { return get(bytes, CALLER); }
void* operator new(size_t bytes, std::align_val_t alignment) {
    return get(bytes, alignment, CALLER);
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
    return get(bytes, alignment, CALLER);
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
    return fails(kAlloc, CALLER) ? nullptr : __libc_malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t) noexcept { free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { free(memory); }
