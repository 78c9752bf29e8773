#include "instrumentation/cuda/runtime/program_state.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

#include "instrumentation/cuda/runtime/message_pipe.h"
#include "instrumentation/cuda/runtime/source_line.h"

namespace tilereel::runtime {
namespace {

Options read_options() {
    Options read = contract::read_options(std::getenv(contract::kVariable));
    if (read.compiler.empty()) read.compiler = "g++ " __VERSION__;
    if (read.pipe < 0 || read.memory_file >= 0) {
        use_message_pipe(read.pipe);
        return read;
    }
    read.pipe = keep_message_pipe(read.pipe);
    // For a program that starts itself again with exec().
    setenv(contract::kVariable, contract::text_of(read).c_str(), 1);
    return read;
}

// Called by operator new without memory. The program's own code gets its exception.
void on_no_memory() {
    if (!HostCall::is_running()) throw std::bad_alloc();
    fail_recorder(
        "it has no more memory; record less with --accesses, or raise the limit of memory");
}

// Before the program's own constructors, so that send_end() is the last function at the exit.
constexpr int kFirst = 101;
[[gnu::constructor(kFirst)]] void watch_program() {
    if (options().pipe < 0) return;
    std::set_new_handler(on_no_memory);
    std::atexit(send_end);
    std::at_quick_exit(send_end);
}

std::atomic<cudaError_t> last{cudaSuccess}, sticky{cudaSuccess};

}  // namespace

const Options& options() {
    static const auto& read = *new Options(read_options());  // outlives the program's own objects
    return read;
}

void send_line(const std::string& line) {
    if (!write_message(line.data(), line.size()))
        fail_recorder("its messages do not reach Tilereel");
}

void fail_recorder(const char* why) {
    constexpr std::size_t kMostLetters = 400;
    contract::FixedText<512> text;
    text.append("\n", 1);  // a message may be half written
    contract::LineWriter(text).write(contract::RecorderFailedOf<std::string_view>{
        std::string_view(why).substr(0, kMostLetters)});
    const auto length = static_cast<ssize_t>(text.size());
    const int to = has_message_pipe() ? options().pipe : STDERR_FILENO;
    if (write(to, text.data(), text.size()) != length &&
        write(STDERR_FILENO, text.data(), text.size()) != length) {
        std::signal(contract::kRecorderIsSilent, SIG_DFL);
        std::raise(contract::kRecorderIsSilent);
    }
    end_process(contract::kRecorderFailed);
}

std::recursive_mutex& HostCall::lock() {
    static auto& mutex = *new std::recursive_mutex;
    return mutex;
}

cudaError_t set_error(cudaError_t error) {
    if (error != cudaSuccess) last = error;
    return error;
}

void set_sticky_error(cudaError_t error) {
    cudaError_t none = cudaSuccess;
    sticky.compare_exchange_strong(none, error);
    last = sticky.load();
}

cudaError_t sticky_error() {
    if (sticky != cudaSuccess) last = sticky.load();
    return sticky;
}

// Of a sticky error, too: as on an H200, it is there again after the next call that returns it.
cudaError_t last_error(bool clear) { return clear ? last.exchange(cudaSuccess) : last.load(); }

const char* error_message(cudaError_t error) {
    switch (error) {
#define TILEREEL_ERROR(name, number, words) \
    case name:                              \
        return words;
        TILEREEL_ERRORS
#undef TILEREEL_ERROR
    }
    return "unrecognized error code";
}

const char* error_name(cudaError_t error) {
    switch (error) {
#define TILEREEL_ERROR(name, number, words) \
    case name:                              \
        return #name;
        TILEREEL_ERRORS
#undef TILEREEL_ERROR
    }
    return "unrecognized error code";
}

void send_finding(RecordedFindingKind kind, std::string_view what, std::string_view advice,
                  const char* file, std::uint32_t line, std::uint64_t address, bool error) {
    SourceLine place{file, line};
    if (address != 0 && line == 0) place = source_line(address - 1);
    std::string sentence(what);
    if (address != 0 && place.line != 0 && sentence.ends_with('.'))
        sentence.insert(sentence.size() - 1, ", on line " + std::to_string(place.line));
    send_message(contract::Finding{{.kind = std::string(finding_name(kind)),
                                    .what = sentence,
                                    .advice = std::string(advice),
                                    .line = place.line,
                                    .error = error}});
}

KernelState& state_of_kernel(const void* entry) {
    static auto& states = *new std::map<const void*, KernelState>;
    return states[entry];
}

}  // namespace tilereel::runtime
