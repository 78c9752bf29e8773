#pragma once
// Facts about this program for the hooks of -fsanitize=thread, from the file that program_facts.cpp
// writes.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct Parameter {
    std::int64_t offset_bytes = 0;  // from the call frame address (CFA)
    Site site{};                    // as the plugin would describe it
    std::uint64_t value = 0;        // in the running launch
};

// A shared variable of a function.
struct SharedVariable {
    std::int64_t thread_offset = 0;  // from the thread pointer
    Variable variable{};
};

struct Function {
    std::uint64_t first = 0, last = 0;  // its code: from `first` to before `last`
    bool is_library = false;            // from our headers or the system's
    std::uint32_t line = 0;
    const char* file = nullptr;
    std::int64_t frame_bytes = -1;  // from the frame pointer to the CFA; -1: unknown
    std::string name;
    const char* short_name = nullptr;  // without namespaces and template arguments
    bool is_kernel = false;
    Kernel kernel{};
    std::vector<Parameter> parameters;
    std::vector<std::unique_ptr<SharedVariable>> shared;
    std::deque<Loop> loops;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> loop_ranges;  // of each loop
};

// A call in the program's code.
struct CallSite {
    std::uint64_t address = 0;  // the return address
    bool is_copy = false;       // the store of a structure copy; the next call reports the load
    std::uint32_t line = 0, column = 0;
    const char* file = nullptr;
    Function* function = nullptr;
    std::atomic<Site*> site{nullptr};  // made by site_at()
};

class CompilerFacts {
  public:
    static CompilerFacts& instance();
    // The call that returns to `address`; null if it is not in the program's code.
    [[nodiscard]] CallSite* find(const void* address) const {
        for (std::uint64_t place = hash_of(address);; ++place) {
            CallSite* const found = table_[place & mask_];
            if (found == nullptr || found->address == reinterpret_cast<std::uint64_t>(address))
                return found;
        }
    }
    // The site of an access or a call that the hook call `at` reports. It is made once.
    Site* site_at(CallSite& at, SiteKind kind, std::uint32_t bytes, bool is_aligned);
    // A site at the line of the call `at` of the function `callee`: of the call itself, or of an
    // access that the function makes if it is a library's. `inside`: an address that
    // distinguishes the sites of one call.
    Site* site_for(CallSite& at, const void* inside, const char* callee, SiteKind kind,
                   std::uint32_t bytes, bool is_aligned);
    // Whether the address is a guard of a thread-local variable, which the compiler adds.
    [[nodiscard]] bool is_guard(const void* address) const {
        const auto offset = static_cast<const char*>(address) -
                            static_cast<const char*>(__builtin_thread_pointer());
        return std::ranges::find(guards_, offset) != guards_.end();
    }
    // Tells the runtime about the __device__ and __constant__ variables.
    void declare_variables();

  private:
    CompilerFacts();
    static std::uint64_t hash_of(const void* address) {
        return reinterpret_cast<std::uint64_t>(address) * 0x9e3779b97f4a7c15u >> 32;
    }
    void read(const std::string& path);
    void add_fact(const std::vector<std::string>& fields);
    void add_function(const std::vector<std::string>& fields);
    void add_call(const std::vector<std::string>& fields);
    void add_parameter(const std::vector<std::string>& fields);
    void fill(Variable& variable, const std::vector<std::string>& fields);
    void finish_function();
    void find_kernels();
    void make_table();
    [[nodiscard]] std::uint32_t alignment_of(std::uint32_t bytes, bool is_aligned) const;
    Site make_site(const CallSite& at, SiteKind kind, std::uint32_t bytes, bool is_aligned) const;
    const char* keep(const std::string& text);

    std::uint64_t loaded_at_ = 0;
    std::int64_t thread_block_ = 0;  // offset of the TLS block from the thread pointer
    std::deque<std::string> texts_;
    std::vector<const char*> files_;
    std::deque<Function> functions_;
    std::deque<CallSite> calls_;
    std::deque<Variable> variables_;
    std::vector<std::int64_t> guards_;                        // offsets from the thread pointer
    std::multimap<std::uint32_t, std::uint32_t> alignments_;  // of structures, by size
    std::vector<CallSite*> table_;
    std::uint64_t mask_ = 0;
    std::mutex mutex_;
    std::deque<Site> sites_;
    struct Inside {
        const CallSite* at;
        const void* inside;
        SiteKind kind;
        Site* site;
    };
    std::unordered_multimap<std::uint64_t, Inside> inside_;
};

}  // namespace tilereel::plain
