#include "instrumentation/cuda/runtime/program_limits.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tilereel::runtime {
namespace {

void raise_limit(int which, rlimit& former) {
    if (getrlimit(static_cast<__rlimit_resource_t>(which), &former) != 0) return;
    const rlimit raised{former.rlim_max, former.rlim_max};
    setrlimit(static_cast<__rlimit_resource_t>(which), &raised);
}

// The limit of a file's size when the program began, which Tilereel sets.
rlim_t most_bytes_at_begin = RLIM_INFINITY;
[[gnu::constructor(101)]] void note_limits() {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0) most_bytes_at_begin = limit.rlim_max;
}

bool lacks_descriptors() {
    const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno == EMFILE;
    close(file);
    return false;
}

}  // namespace

RaisedFileLimits::RaisedFileLimits() {
    raise_limit(RLIMIT_FSIZE, bytes_);
    raise_limit(RLIMIT_NOFILE, descriptors_);
}

RaisedFileLimits::~RaisedFileLimits() {
    setrlimit(RLIMIT_FSIZE, &bytes_);
    setrlimit(RLIMIT_NOFILE, &descriptors_);
}

std::string why_program_prevents_file(const std::string& folder) {
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0 && errno == ENOENT)
        return "the program has removed the folder of its own recording from TMPDIR; let it remove "
               "only files that it has made";
    if (lacks_descriptors())
        return "the program may open no more files, so its recording cannot be written: it has too "
               "many open, or limits them with setrlimit(); close files, or raise that limit";
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_max < most_bytes_at_begin)
        return "the program limits the size of its files to " + std::to_string(limit.rlim_max) +
               " bytes with setrlimit(), and its recording is larger; raise that limit";
    return {};
}

}  // namespace tilereel::runtime
