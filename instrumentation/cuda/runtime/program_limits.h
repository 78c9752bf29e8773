#pragma once
// Limits that the program sets for its own process, and what else it does to the recorder's files.
#include <sys/resource.h>

#include <string>

namespace tilereel::runtime {

// While it exists, files may be as large and as many as the hard limits allow: a program may lower
// its own limits, but the recorder writes in the same process.
class RaisedFileLimits {
  public:
    RaisedFileLimits();
    ~RaisedFileLimits();
    RaisedFileLimits(const RaisedFileLimits&) = delete;
    RaisedFileLimits& operator=(const RaisedFileLimits&) = delete;

  private:
    rlimit bytes_{}, descriptors_{};  // as the program has them
};

// Why a file in `folder` cannot be written, if the program itself is the reason: a sentence that
// begins with "the program ". Empty: it is not.
[[nodiscard]] std::string why_program_prevents_file(const std::string& folder);

}  // namespace tilereel::runtime
