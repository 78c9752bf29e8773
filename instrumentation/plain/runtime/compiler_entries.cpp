// The entry points of -fsanitize=thread, and the runtime's replacements of C library functions in
// kernels.
#include <cstdlib>
#include <ctime>
#include <new>

#include "instrumentation/plain/include/tilereel/runtime_calls.h"
#include "instrumentation/plain/runtime/compiler_hooks.h"

using namespace tilereel::plain;

#define TILEREEL_FROM __builtin_return_address(0)

extern "C" {

void __tsan_init() {}

// `caller`: the return address of the function that calls this. A frame begins with the frame
// pointer of the caller.
void __tsan_func_entry(void* caller) {
    note_entry(caller, TILEREEL_FROM, *static_cast<const char* const*>(__builtin_frame_address(0)));
}

void __tsan_func_exit() { note_exit(TILEREEL_FROM); }

#define TILEREEL_ACCESS_OF(bytes)                                            \
    void __tsan_read##bytes(void* address) {                                 \
        note_access(address, bytes, SiteKind::kLoad, true, TILEREEL_FROM);   \
    }                                                                        \
    void __tsan_write##bytes(void* address) {                                \
        note_access(address, bytes, SiteKind::kStore, true, TILEREEL_FROM);  \
    }                                                                        \
    void __tsan_unaligned_read##bytes(void* address) {                       \
        note_access(address, bytes, SiteKind::kLoad, false, TILEREEL_FROM);  \
    }                                                                        \
    void __tsan_unaligned_write##bytes(void* address) {                      \
        note_access(address, bytes, SiteKind::kStore, false, TILEREEL_FROM); \
    }
TILEREEL_ACCESS_OF(1)
TILEREEL_ACCESS_OF(2)
TILEREEL_ACCESS_OF(4)
TILEREEL_ACCESS_OF(8)
TILEREEL_ACCESS_OF(16)

void __tsan_read_range(void* address, std::size_t bytes) {
    note_access(address, static_cast<std::uint32_t>(bytes), SiteKind::kLoad, false, TILEREEL_FROM);
}
void __tsan_write_range(void* address, std::size_t bytes) {
    note_access(address, static_cast<std::uint32_t>(bytes), SiteKind::kStore, false, TILEREEL_FROM);
}
void __tsan_vptr_update(void** address, void*) {
    note_access(address, sizeof(void*), SiteKind::kStore, true, TILEREEL_FROM);
}
void __tsan_vptr_read(void** address) {
    note_access(address, sizeof(void*), SiteKind::kLoad, true, TILEREEL_FROM);
}

// The program calls these instead of functions of the C library (assembly.cpp). Threads of a kernel
// get the runtime's version.
void* tilereel_malloc(std::size_t bytes);
void tilereel_free(void* pointer);
long tilereel_clock(void);
int tilereel_printf(const char* format, ...);

void* tilereel_any_malloc(std::size_t bytes) {
    return block_of_thread() != nullptr ? tilereel_malloc(bytes) : std::malloc(bytes);
}
void tilereel_any_free(void* pointer) {
    block_of_thread() != nullptr ? tilereel_free(pointer) : std::free(pointer);
}
void* tilereel_any_new(std::size_t bytes) {
    return block_of_thread() != nullptr ? tilereel_malloc(bytes) : ::operator new(bytes);
}
void tilereel_any_delete(void* pointer) {
    block_of_thread() != nullptr ? tilereel_free(pointer) : ::operator delete(pointer);
}
long tilereel_any_clock(void) {
    return block_of_thread() != nullptr ? tilereel_clock() : static_cast<long>(std::clock());
}
int tilereel_puts(const char* text) { return tilereel_printf("%s\n", text); }
int tilereel_putchar(int letter) { return tilereel_printf("%c", letter); }

void tilereel_syncthreads() {
    note_call(TILEREEL_FROM, "__syncthreads");
    barrier_count(0);
}
}
