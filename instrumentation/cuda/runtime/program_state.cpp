#include "instrumentation/cuda/runtime/program_state.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

#include "instrumentation/cuda/runtime/message_pipe.h"
#include "instrumentation/cuda/runtime/source_line.h"

namespace tilereel::runtime {
namespace {

std::string text_of(const char* name, const char* otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

// The whole numbers in a text, with any separators.
std::vector<std::uint32_t> numbers_in(const std::string& text) {
    std::vector<std::uint32_t> numbers;
    const char* at = text.c_str();
    while (*at != 0) {
        char* end = nullptr;
        const unsigned long number = std::strtoul(at, &end, 10);
        if (end == at) break;
        numbers.push_back(static_cast<std::uint32_t>(number));
        at = *end == 0 ? end : end + 1;
    }
    return numbers;
}

Options read_options() {
    Options read;
    read.pipe = std::atoi(text_of("TILEREEL_RECORD_PIPE", "-1").c_str());
    read.memory_file = std::atoi(text_of("TILEREEL_RECORD_MEMORY_FILE", "-1").c_str());
    if (read.pipe >= 0 && read.memory_file < 0)
        read.pipe = keep_message_pipe(read.pipe);
    else
        use_message_pipe(read.pipe);
    read.folder = text_of("TILEREEL_RECORD_FOLDER", "");
    read.generation = text_of("TILEREEL_RECORD_GENERATION", "9.0");
    read.launch = std::atoll(text_of("TILEREEL_RECORD_LAUNCH", "-1").c_str());
    read.blocks = numbers_in(text_of("TILEREEL_RECORD_BLOCKS", ""));
    const std::vector<std::uint32_t> more = numbers_in(text_of("TILEREEL_RECORD_MORE_BLOCKS", ""));
    for (std::size_t i = 0; i + 1 < more.size(); i += 2)
        read.more_blocks.emplace_back(more[i], more[i + 1]);
    const auto number = [](const char* name, std::uint64_t& to) {
        const std::string text = text_of(name, "");
        if (!text.empty()) to = std::strtoull(text.c_str(), nullptr, 10);
    };
    number("TILEREEL_RECORD_ACCESSES_A_LAUNCH", read.accesses_a_launch);
    number("TILEREEL_RECORD_ACCESSES_OF_SAMPLE", read.accesses_of_sample);
    number("TILEREEL_RECORD_ACCESSES", read.accesses);
    read.workers =
        static_cast<unsigned>(std::atoi(text_of("TILEREEL_RECORD_WORKERS", "0").c_str()));
    read.compiler = text_of("TILEREEL_RECORD_COMPILER", "g++ " __VERSION__);
    read.independent_blocks = text_of("TILEREEL_RECORD_INDEPENDENT_BLOCKS", "0") == "1";
    read.other_blocks = text_of("TILEREEL_RECORD_OTHER_BLOCKS", "1") == "1";
    read.all_blocks = text_of("TILEREEL_RECORD_ALL_BLOCKS", "0") == "1";
    read.assignments = text_of("TILEREEL_RECORD_ASSIGNMENTS", "1") == "1";
    read.contents = text_of("TILEREEL_RECORD_CONTENTS", "1") == "1";
    read.interval =
        static_cast<std::uint32_t>(std::atoi(text_of("TILEREEL_RECORD_INTERVAL", "0").c_str()));
    return read;
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", c);
            out += code;
        } else {
            out += c;
        }
    }
    return out += '"';
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

Message::Message(std::string_view kind) : text_("{\"kind\":" + quoted(kind)) {}

Message& Message::add(std::string_view name, std::string_view text) {
    text_ += "," + quoted(name) + ":" + quoted(text);
    return *this;
}

Message& Message::add(std::string_view name, std::uint64_t number) {
    text_ += "," + quoted(name) + ":" + std::to_string(number);
    return *this;
}

Message& Message::add_list(std::string_view name, const std::vector<std::uint32_t>& numbers) {
    text_ += "," + quoted(name) + ":[";
    for (std::size_t i = 0; i < numbers.size(); ++i)
        text_ += (i == 0 ? "" : ",") + std::to_string(numbers[i]);
    text_ += "]";
    return *this;
}

void Message::send() {
    if (options().pipe < 0) return;
    text_ += "}\n";
    if (!write_message(text_.data(), text_.size()))
        fail_recorder("its messages do not reach Tilereel");
}

void fail_recorder(const char* why) {
    char text[512];
    const int length = std::snprintf(text, sizeof text,
                                     "\n{\"kind\":\"recorder_failed\",\"why\":\"%.400s\"}\n", why);
    const int to = has_message_pipe() ? options().pipe : STDERR_FILENO;
    if (write(to, text, static_cast<std::size_t>(length)) != length &&
        write(STDERR_FILENO, text, static_cast<std::size_t>(length)) != length) {
        std::signal(kRecorderIsSilent, SIG_DFL);
        std::raise(kRecorderIsSilent);
    }
    end_process(kRecorderFailed);
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
    Message("finding")
        .add("what_kind", finding_name(kind))
        .add("what", sentence)
        .add("advice", advice)
        .add("file", place.file)
        .add("line", place.line)
        .add("error", error ? 1 : 0)
        .send();
}

KernelState& state_of_kernel(const void* entry) {
    static auto& states = *new std::map<const void*, KernelState>;
    return states[entry];
}

}  // namespace tilereel::runtime
