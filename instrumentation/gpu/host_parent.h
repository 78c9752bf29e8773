// The options that Tilereel passes to a recorded program in environment variables, and the messages
// that the program sends back. Both are those of the CPU's runtime (runtime/program_state.h).
// C++17.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilereel_gpu {

struct Options {
    int pipe = -1;
    std::string folder;                 // for the dumps
    long long launch = -1;              // the only launch that is recorded; -1: all
    std::vector<std::uint32_t> blocks;  // the only blocks that are recorded; empty: by budget
    // Blocks that are recorded in addition: launch, block, launch, block ...
    std::vector<std::uint32_t> more_blocks;
    std::uint64_t accesses_a_launch = 0;  // budget of recorded accesses
    std::uint64_t accesses = 0;           // of all launches together
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
