#include "host_parent.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "dump.h"

namespace tilereel_gpu {

const contract::Options& options() {
    static const contract::Options read = contract::read_options(std::getenv(contract::kVariable));
    return read;
}

void send_line(const std::string& line) {
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t count = write(options().pipe, line.data() + sent, line.size() - sent);
        if (count <= 0) return;
        sent += static_cast<std::size_t>(count);
    }
}

const KernelTable& kernel_table() {
    static const KernelTable table = [] {
        KernelTable read;
        char path[4096];
        const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
        if (length <= 0) return read;
        std::ifstream kernels(std::string(path, static_cast<std::size_t>(length)) + ".kernels");
        for (std::string line; std::getline(kernels, line);) {
            std::istringstream words(line);
            std::string name;
            words >> name;
            if (name == kUsesHeap) {
                words >> name;
                read.use_heap.insert(name);
                continue;
            }
            for (std::uint32_t size; words >> size;) read.sizes[name].push_back(size);
        }
        return read;
    }();
    return table;
}

}  // namespace tilereel_gpu
