#include "instrumentation/program/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>

#include "instrumentation/base/child_process.h"
#include "instrumentation/base/interruption.h"
#include "instrumentation/contract/record_options.h"
#include "instrumentation/program/confine.h"

namespace tilereel::program {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return number_; }
    void set(int number) {
        close();
        number_ = number;
    }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

  private:
    int number_;
};

struct Pipe {
    Descriptor read, write;
    bool open() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return false;
        read.set(ends[0]);
        write.set(ends[1]);
        return true;
    }
};

// Programs that run now and are confined or in a sandbox. The mutex is held while one starts and
// while orphans are ended, so that a program which starts is not taken for an orphan.
std::mutex confined_mutex;
std::vector<pid_t> confined_programs;

void end_confined(pid_t process) {
    const std::lock_guard lock(confined_mutex);
    std::erase(confined_programs, process);
    end_orphans(confined_programs);
}

class Reader {
  public:
    Reader(const ProcessRequest& request, ProcessResult& result)
        : request_(request), result_(result) {}
    // False at the end of the pipe.
    bool read_output(int from) {
        char buffer[65536];
        const ssize_t count = read(from, buffer, sizeof buffer);
        if (count <= 0) return count < 0 && errno == EINTR;
        const std::size_t room = request_.output_bytes > result_.output.size()
                                     ? request_.output_bytes - result_.output.size()
                                     : 0;
        result_.output.append(buffer, std::min(room, static_cast<std::size_t>(count)));
        if (room < static_cast<std::size_t>(count)) result_.output_cut = true;
        return true;
    }
    bool read_messages(int from) {
        char buffer[65536];
        const ssize_t count = read(from, buffer, sizeof buffer);
        if (count <= 0) return count < 0 && errno == EINTR;
        message_bytes_ += static_cast<std::uint64_t>(count);
        if (too_many_messages()) return true;  // they are read and discarded
        line_.append(buffer, static_cast<std::size_t>(count));
        std::size_t begin = 0;
        for (std::size_t end; (end = line_.find('\n', begin)) != std::string::npos; begin = end + 1)
            request_.on_message(line_.substr(begin, end - begin));
        line_.erase(0, begin);
        return true;
    }
    [[nodiscard]] bool too_many_messages() const {
        return message_bytes_ > kMostMessageBytes || line_.size() > kMostLineBytes;
    }

  private:
    const ProcessRequest& request_;
    ProcessResult& result_;
    std::string line_;
    std::uint64_t message_bytes_ = 0;
};

// Kills all processes that have a variable in their environment that begins with the mark.
// Processes that left the process group still have it.
void end_marked(const std::string& mark) {
    const std::string delimited = '\0' + mark;
    for (int attempt = 0; attempt < 10; ++attempt) {
        bool any = false;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
            const pid_t process = std::atoi(entry.path().filename().c_str());
            if (process <= 1 || process == getpid()) continue;
            std::ifstream file(entry.path() / "environ", std::ios::binary);
            const std::string variables{std::istreambuf_iterator<char>(file), {}};
            if (('\0' + variables).find(delimited) == std::string::npos) continue;
            any = kill(process, SIGKILL) == 0;
        }
        if (!any) return;
    }
}

// Ends the processes that a program has started outside its group.
void end_others(const ProcessRequest& request, pid_t process) {
    if (!request.mark.empty()) end_marked(request.mark);
    if (request.confined || request.sandbox) end_confined(process);
}

// Reads what a child writes until it ends, and ends it when it must.
class Run {
  public:
    Run(const ProcessRequest& request, ChildProcess& child, int output, int messages,
        ProcessResult& result)
        : request_(request),
          child_(child),
          reader_(request, result),
          watch_(child.id(), request.together),
          ended_(static_cast<int>(syscall(SYS_pidfd_open, child.id(), 0))),
          output_(output),
          messages_(messages),
          result_(result) {}

    void read_until_end() {
        while (!child_.has_ended()) {
            read_some();
            end_if_needed();
        }
        const pid_t process = child_.id();
        result_.process = request_.sandbox ? kFirstInSandbox : static_cast<std::uint32_t>(process);
        if (request_.confined) result_.left_copies = has_copy(process, request_.command[0]);
        const int status = child_.end();
        end_others(request_, process);
        // Reads what is still in the pipes, but not to their end: processes that left the group may
        // keep them open.
        rest(output_, [&] { return reader_.read_output(output_); });
        rest(messages_, [&] { return reader_.read_messages(messages_); });
        result_.seconds = elapsed();
        if (result_.end != ProcessEnd::kExit) return;
        if (WIFSIGNALED(status)) result_.end = ProcessEnd::kSignal;
        result_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }

  private:
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    void read_some() {
        // The third becomes readable when the process ends. If the system has no such descriptor,
        // poll() times out.
        pollfd ready[3] = {{output_, POLLIN, 0}, {messages_, POLLIN, 0}, {ended_.get(), POLLIN, 0}};
        poll(ready, 3, 20);
        if ((ready[0].revents & (POLLIN | POLLHUP)) != 0 && !reader_.read_output(output_))
            output_ = -1;
        if (messages_ >= 0 && (ready[1].revents & (POLLIN | POLLHUP)) != 0) {
            heard_at_ = elapsed();
            if (!reader_.read_messages(messages_)) messages_ = -1;
        }
    }
    void end_if_needed() {
        const bool dropped = request_.cancel != nullptr && request_.cancel->load();
        const bool interrupted = request_.interrupt != nullptr && request_.interrupt->load();
        const bool cancelled = was_interrupted() || interrupted || dropped;
        if (reader_.too_many_messages()) {
            result_.end = ProcessEnd::kMessages;
            child_.signal_group(SIGKILL);
            asked_ = true;
        }
        const double whole = request_.whole_seconds > 0 ? request_.whole_seconds
                                                        : request_.seconds * kWholeRunFactor;
        const bool late =
            request_.seconds > 0 && (elapsed() - heard_at_ > request_.seconds || elapsed() > whole);
        if ((cancelled || late) && !asked_) {
            asked_ = true;
            asked_at_ = result_.stopped_after = elapsed();
            result_.end = cancelled ? ProcessEnd::kCancelled : ProcessEnd::kTimeLimit;
        }
        // The program reports where it is. It stops only where that is safe, so it is asked again.
        if (asked_ && elapsed() - repeated_at_ > 0.02) {
            child_.signal_group(SIGTERM);
            repeated_at_ = elapsed();
        }
        // An interrupted program writes what it has recorded, and so does one whose time is up: on
        // a busy computer that takes long. Who cancels a run drops it.
        const double grace = was_interrupted() ? 2 : dropped ? 0.2 : 20;
        if (asked_ && elapsed() - asked_at_ > grace) child_.signal_group(SIGKILL);
        if (std::string reason = watch_.exceeded(); !reason.empty()) {
            child_.signal_group(SIGKILL);
            result_.end = ProcessEnd::kLimit;
            result_.limit = std::move(reason);
            asked_ = true;
        }
    }
    template <class ReadSome>
    void rest(int from, ReadSome&& read_some) {
        for (pollfd ready{from, POLLIN, 0};
             from >= 0 && poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) != 0 && read_some();) {
            if (elapsed() > request_.seconds + 2 && request_.seconds > 0) break;
        }
    }

    const ProcessRequest& request_;
    ChildProcess& child_;
    Reader reader_;
    ProcessWatch watch_;
    const Descriptor ended_;
    int output_, messages_;
    ProcessResult& result_;
    const Clock::time_point begin_ = Clock::now();
    bool asked_ = false;
    double asked_at_ = 0, heard_at_ = 0, repeated_at_ = 0;
};

// What to do after such an error of a start.
const char* advice_for(int error) {
    if (error == EACCES) return "; if its folder is mounted noexec, set TMPDIR to another";
    if (error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE)
        return "; close some programs and try again";
    return "";
}

std::vector<std::string> command_of(const ProcessRequest& request) {
    if (!request.sandbox) return request.command;
    return in_sandbox(*request.sandbox, request.folder.empty() ? "/tmp" : request.folder,
                      request.variables, request.command);
}

// Starts the child of a request. Its descriptors are for standard output and error, and messages.
ChildProcess start_child(const ProcessRequest& request, int output, int messages) {
    ChildRequest child{.command = command_of(request),
                       .folder = request.sandbox ? "/" : request.folder,
                       .variables = request.variables,
                       .descriptors = {{output, STDOUT_FILENO}, {output, STDERR_FILENO}},
                       .address_bytes = request.address_bytes,
                       .file_bytes = request.file_bytes,
                       .prepare = {}};
    if (messages >= 0) child.descriptors.emplace_back(messages, contract::kMessagePipe);
    if (request.memory_file >= 0)
        child.descriptors.emplace_back(request.memory_file, contract::kMemoryFile);
    if (!request.confined && !request.sandbox) return ChildProcess::start(child);
    std::vector<sock_filter> filter;
    if (request.confined) filter = process_filter();
    const bool is_in_sandbox = request.sandbox.has_value();
    if (request.confined)
        child.prepare = [&filter, is_in_sandbox] {
            // bwrap needs them to map user 0, and drops all of them for the program.
            if (!is_in_sandbox) drop_capabilities();
            // A SIGTERM asks the program to write what it has recorded. bwrap must outlive it.
            if (is_in_sandbox) signal(SIGTERM, SIG_IGN);
            install_filter(filter, is_in_sandbox ? kFirstInSandbox : getpid());
        };
    adopt_orphans();
    const std::lock_guard lock(confined_mutex);
    confined_programs.reserve(confined_programs.size() + 1);
    ChildProcess started = ChildProcess::start(child);
    if (started.error_number() == 0) confined_programs.push_back(started.id());
    return started;
}

}  // namespace

Result<ProcessResult> run_process(const ProcessRequest& request) {
    Pipe output, messages;
    if (!output.open() || (request.on_message && !messages.open()))
        return failed("cannot create a pipe: " + std::string(std::strerror(errno)) +
                      "; close some programs and try again");
    ChildProcess child = start_child(request, output.write.get(), messages.write.get());
    if (const int error = child.error_number(); error != 0)
        return failed("cannot run " + request.command[0] + ": " + std::strerror(error) +
                      advice_for(error));
    output.write.close();
    messages.write.close();
    ProcessResult result;
    Run(request, child, output.read.get(), messages.read.get(), result).read_until_end();
    return result;
}

}  // namespace tilereel::program
