// Runs a target without libFuzzer:
//   fuzz_corpus TARGET FOLDER                       each file of the kept corpus once
//   fuzz_corpus TARGET FOLDER SECONDS SEED CRASH    random mutations of these files
//   fuzz_corpus pack TRACE FILE                     a trace file as an input of the target `trace`
// The file CRASH holds the current input, and remains if the target crashes.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

#include "tests/fuzz/members.h"
#include "tests/fuzz/targets.h"

namespace {

using namespace tilereel::fuzz;
using Bytes = std::vector<std::uint8_t>;

constexpr int kLongestSeconds = 20;  // of CPU time for one input: longer is a hang

// Ends the process if the target needs longer, or waits for ever. Seconds of CPU time, because the
// process may be stopped or the machine busy.
void begin_limit() {
    constexpr unsigned kLongestWait = 3600;
    const itimerval limit{{0, 0}, {kLongestSeconds, 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
    alarm(kLongestWait);
}
void end_limit() {
    const itimerval none{};
    setitimer(ITIMER_PROF, &none, nullptr);
    alarm(0);
}

Bytes read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::filesystem::path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

class Mutator {
  public:
    Mutator(std::vector<Bytes> corpus, unsigned seed) : corpus_(std::move(corpus)), random_(seed) {}

    // `of_members`: changes members of a packed trace; otherwise bytes anywhere in the input.
    Bytes next(bool of_members) {
        Bytes input = pick();
        if (!of_members) return change(std::move(input));
        std::vector<Member> members = members_of(input);
        for (std::size_t times = 1 + below(3); times > 0 && !members.empty(); --times) {
            Member& member = members[below(members.size())];
            if (below(8) == 0) {  // the same member of another file
                for (Member& other : members_of(pick()))
                    if (other.name == member.name) member.bytes = std::move(other.bytes);
            } else if (member.name == "meta.npy" || below(4) == 0) {
                member.bytes = change(std::move(member.bytes));
            } else {  // a value after the header
                constexpr std::size_t kHeader = 128;
                if (member.bytes.size() <= kHeader) continue;
                const std::size_t at = kHeader + below(member.bytes.size() - kHeader);
                put_number(member.bytes, at & ~std::size_t{3});
            }
        }
        return bytes_of(members);
    }

  private:
    std::size_t below(std::size_t count) { return random_() % count; }
    const Bytes& pick() { return corpus_[below(corpus_.size())]; }

    void put_number(Bytes& bytes, std::size_t at) {
        static constexpr std::uint32_t kEdgeValues[] = {
            0,      1,      2,          31,         32,         0x7f,       0x7fff,
            0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000};
        const std::uint32_t number = below(2) == 0 ? kEdgeValues[below(std::size(kEdgeValues))]
                                                   : static_cast<std::uint32_t>(random_());
        for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
            bytes[at + i] = static_cast<std::uint8_t>(number >> 8 * i);
    }

    // Changes digits of a text to other numbers, and changes, removes, inserts or duplicates bytes.
    Bytes change(Bytes bytes) {
        for (std::size_t times = 1 + below(4); times > 0 && !bytes.empty(); --times) {
            const std::size_t at = below(bytes.size());
            const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
            const std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - at, 16));
            switch (below(6)) {
                case 0:
                    bytes[at] = static_cast<std::uint8_t>(random_());
                    break;
                case 1:
                    put_number(bytes, at);
                    break;
                case 2:
                    bytes.erase(here, here + static_cast<std::ptrdiff_t>(length));
                    break;
                case 3: {
                    const Bytes copy(here, here + static_cast<std::ptrdiff_t>(length));
                    bytes.insert(here, copy.begin(), copy.end());
                    break;
                }
                case 4:
                    change_number(bytes, at);
                    break;
                default: {
                    const Bytes& other = pick();
                    if (other.empty()) break;
                    const std::size_t from = below(other.size());
                    const std::size_t count = std::min(length, other.size() - from);
                    bytes.insert(here, other.begin() + static_cast<std::ptrdiff_t>(from),
                                 other.begin() + static_cast<std::ptrdiff_t>(from + count));
                }
            }
        }
        return bytes;
    }

    // Changes the first decimal number from `at` on.
    void change_number(Bytes& bytes, std::size_t at) {
        static constexpr const char* kEdgeValues[] = {
            "0",   "-1",         "1",          "3",       "33",  "255",
            "1e9", "2147483647", "4294967295", "1048577", "0.5", "18446744073709551615"};
        const auto digit = [](std::uint8_t byte) { return byte >= '0' && byte <= '9'; };
        const auto begin =
            std::find_if(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), digit);
        const auto end = std::find_if_not(begin, bytes.end(), digit);
        if (begin == end) return;
        const char* number = kEdgeValues[below(std::size(kEdgeValues))];
        const auto place = bytes.erase(begin, end);
        bytes.insert(place, number, number + std::strlen(number));
    }

    std::vector<Bytes> corpus_;
    std::mt19937_64 random_;
};

int fuzz(void (*target)(Input), const std::vector<Bytes>& corpus, bool of_members, char** argv) {
    const double seconds = std::atof(argv[0]);
    const std::filesystem::path last = argv[2];
    Mutator mutator(corpus, static_cast<unsigned>(std::atol(argv[1])));
    const auto used = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
    };
    const int terminal = dup(STDERR_FILENO);  // `command` redirects stderr
    std::uint64_t runs = 0;
    for (; used() < seconds; ++runs) {
        const Bytes input = mutator.next(of_members);
        write(last, input);
        begin_limit();
        target(input);
        end_limit();
    }
    std::filesystem::remove(last);
    dprintf(terminal, "%llu inputs in %.0f CPU-seconds\n", static_cast<unsigned long long>(runs),
            used());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    if (name == "pack" && argc == 4) {
        write(argv[3], bytes_of(members_of_file(argv[2])));
        return 0;
    }
    const std::map<std::string, void (*)(Input)> targets = {
        {"trace", run_trace},     {"race", run_race},      {"npy", run_npy},
        {"command", run_command}, {"text", run_text},      {"messages", run_messages},
        {"child", run_child},     {"folders", run_folders}};
    const auto target = targets.find(name);
    if (target == targets.end() || (argc != 3 && argc != 6)) {
        std::fprintf(stderr,
                     "fuzz_corpus trace|race|npy|command|text|messages|child|folders FOLDER "
                     "[SECONDS SEED CRASH]\n");
        return 2;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[2]))
        files.push_back(std::filesystem::absolute(entry.path()));
    std::ranges::sort(files);
    std::vector<Bytes> corpus;
    for (const auto& file : files) corpus.push_back(read(file));
    if (corpus.empty()) return 2;
    if (argc == 6) return fuzz(target->second, corpus, name == "trace", argv + 3);
    for (std::size_t i = 0; i < corpus.size(); ++i) {
        std::fprintf(stderr, "%s\n", files[i].filename().c_str());
        begin_limit();
        target->second(corpus[i]);
        end_limit();
    }
    return 0;
}
