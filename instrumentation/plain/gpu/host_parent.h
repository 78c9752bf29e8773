// What a recorded program is asked for by Tilereel, and what it tells: the same variables and
// messages as of the CPU's runtime. C++17.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilereel_gpu {

struct Options {
    int pipe = -1;
    std::string folder;                       // for the recordings
    long long launch = -1;                    // only this one
    std::vector<std::uint32_t> blocks, more;  // more: launch, block, launch, block ...
    std::uint64_t of_launch = 0, of_all = 0;  // accesses to record
};
const Options& options();

// A line of JSON for the parent.
class Message {
  public:
    explicit Message(const char* kind) { add("kind", std::string(kind)); }
    Message& add(const char* name, const std::string& text);
    Message& add(const char* name, std::uint64_t number);
    Message& add(const char* name, const std::vector<std::uint32_t>& numbers);
    void send();

  private:
    Message& put(const char* name, const std::string& value);
    std::string text_;
};

// What nvcc_build.cpp has written beside the program: the size of each of a kernel's parameters.
struct KernelTable {
    std::map<std::string, std::vector<std::uint32_t>> sizes;  // by symbol
    std::set<std::string> use_heap;                           // that call malloc() or free()
};
const KernelTable& kernel_table();

}  // namespace tilereel_gpu
