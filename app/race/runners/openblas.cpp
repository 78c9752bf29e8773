#include "app/race/runners/openblas.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/race/runners/cpu_machine.h"
#include "app/race/runners/run_together.h"
#include "instrumentation/base/sanitizers.h"

namespace tilereel {
namespace {

// The address space for each thread: a buffer of OpenBLAS (BUFFER_SIZE in common_x86_64.h: at most
// 128 MiB), the stack, and a heap of the C library. The calling thread has a buffer, too.
constexpr std::size_t kBytesOfAThread = std::size_t{192} << 20;

bool has_room_for(int threads) {
    const std::size_t bytes = kBytesOfAThread * (static_cast<std::size_t>(threads) + 1);
    void* const room =
        ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    ::munmap(room, bytes);
    return true;
}

Status check_resources(int threads) {
    if (!has_room_for(threads))
        return failed("there is not enough memory for OpenBLAS; race with fewer --threads");
    if (run_together(threads, {}, [](int) {}) < threads)
        return failed("the system gives no threads to OpenBLAS; close some programs");
    return Done{};
}

// Ends the program before OpenBLAS shuts down. At exit OpenBLAS waits for its threads, which may
// wait for ever for memory. With a sanitizer, which reports at exit, the shutdown stays.
void leave_without_shutdown() {
#if !TILEREEL_ADDRESS_SANITIZER && !TILEREEL_THREAD_SANITIZER
    ::on_exit(
        [](int status, void*) {
            std::fflush(nullptr);
            ::_exit(status);
        },
        nullptr);
#endif
}

}  // namespace

Result<Openblas> Openblas::open(int threads) {
    // OpenBLAS starts a thread for each processor when it is loaded.
    TRY(check_resources(std::max(threads, processor_threads())));
    auto library = SharedLibrary::open({"libopenblas.so.0", "libopenblas.so"});
    if (!library)
        return failed("OpenBLAS is not on this machine; install libopenblas0 to race against it");
    leave_without_shutdown();
    Openblas openblas(*std::move(library));
    TRY(openblas.find_functions());
    const std::string config = openblas.config_();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
    openblas.set_threads_(threads);
    openblas.version_ = config.substr(0, config.find(' ', config.find(' ') + 1));
    return openblas;
}

Status Openblas::find_functions() {
    TRY(library_.find("cblas_sgemm", sgemm_));
    TRY(library_.find("openblas_set_num_threads", set_threads_));
    return library_.find("openblas_get_config", config_);
}

void Openblas::multiply(const ProductSize& size, const float* a, const float* b, float* c) const {
    constexpr int kRowMajor = 101, kNotTransposed = 111;
    sgemm_(kRowMajor, kNotTransposed, kNotTransposed, size.m, size.n, size.k, 1.0f, a, size.k, b,
           size.n, 0.0f, c, size.n);
}

}  // namespace tilereel
