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
    std::string folder;                       // for the dumps
    long long launch = -1;                    // the only launch that is recorded; -1: all
    std::vector<std::uint32_t> blocks, more;  // more: launch, block, launch, block ...
    std::uint64_t of_launch = 0, of_all = 0;  // most accesses: of one launch, of all
};
const Options& options();

// A message to the parent: one line of JSON.
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

// The table of kernels that nvcc_build.cpp writes into the program's folder.
struct KernelTable {
    std::map<std::string, std::vector<std::uint32_t>> sizes;  // bytes of parameters, by symbol
    std::set<std::string> use_heap;  // kernels that call malloc() or free()
};
const KernelTable& kernel_table();

}  // namespace tilereel_gpu
