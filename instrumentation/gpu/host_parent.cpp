#include "host_parent.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "dump.h"

namespace tilereel_gpu {
namespace {

std::string text_of(const char* name, const char* otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}
std::uint64_t number_of(const char* name, std::uint64_t otherwise) {
    const std::string text = text_of(name, "");
    return text.empty() ? otherwise : std::strtoull(text.c_str(), nullptr, 10);
}
std::vector<std::uint32_t> numbers_in(const std::string& text) {  // with any separators
    std::vector<std::uint32_t> numbers;
    for (const char* at = text.c_str(); *at != 0;) {
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
    read.folder = text_of("TILEREEL_RECORD_FOLDER", "");
    read.launch = std::atoll(text_of("TILEREEL_RECORD_LAUNCH", "-1").c_str());
    read.blocks = numbers_in(text_of("TILEREEL_RECORD_BLOCKS", ""));
    read.more_blocks = numbers_in(text_of("TILEREEL_RECORD_MORE_BLOCKS", ""));
    read.accesses_a_launch = number_of("TILEREEL_RECORD_ACCESSES_A_LAUNCH", 1 << 24);
    read.accesses = number_of("TILEREEL_RECORD_ACCESSES", 1 << 26);
    return read;
}

}  // namespace

const Options& options() {
    static const Options read = read_options();
    return read;
}

Message& Message::add(const char* name, const std::string& text) {
    std::string quoted;
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return put(name, "\"" + quoted + "\"");
}

Message& Message::add(const char* name, std::uint64_t number) {
    return put(name, std::to_string(number));
}

Message& Message::add(const char* name, const std::vector<std::uint32_t>& numbers) {
    std::string list;
    for (const std::uint32_t number : numbers)
        list += (list.empty() ? "" : ",") + std::to_string(number);
    return put(name, "[" + list + "]");
}

void Message::send() {
    if (options().pipe < 0) return;
    text_ += "}\n";
    for (std::size_t sent = 0; sent < text_.size();) {
        const ssize_t count = write(options().pipe, text_.data() + sent, text_.size() - sent);
        if (count <= 0) return;
        sent += static_cast<std::size_t>(count);
    }
}

Message& Message::put(const char* name, const std::string& value) {
    text_ += (text_.empty() ? "{\"" : ",\"") + std::string(name) + "\":" + value;
    return *this;
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
