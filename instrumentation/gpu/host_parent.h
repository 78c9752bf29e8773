// The options of Tilereel and the messages to it (instrumentation/contract), and the table of
// kernels. C++17.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "contract/message_line.h"
#include "contract/record_options.h"

namespace tilereel_gpu {

namespace contract = tilereel::contract;

const contract::Options& options();
void send_line(const std::string& line);
// `message`: a struct of contract/messages.h.
template <class Message>
void send_message(const Message& message) {
    if (options().pipe >= 0) send_line(contract::line_of(message));
}

// The table of kernels that nvcc_build.cpp writes into the program's folder.
struct KernelTable {
    std::map<std::string, std::vector<std::uint32_t>> sizes;  // bytes of parameters, by symbol
    std::set<std::string> use_heap;  // kernels that call malloc() or free()
};
const KernelTable& kernel_table();

}  // namespace tilereel_gpu
