#pragma once
// What program_facts.cpp has found out about this program, for the compiler's own hooks.
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
    std::int64_t offset_bytes = 0;  // from the call frame address
    Site site{};                    // as the plugin describes it
    std::uint64_t value = 0;        // in the launch that runs
};

// A shared variable of a function.
struct SharedVariable {
    std::int64_t thread_offset = 0;  // from the thread pointer
    Variable variable{};
};

struct Function {
    std::uint64_t first = 0, last = 0;  // its code
    bool is_library = false;            // of our headers or the system's
    std::uint32_t line = 0;
    const char* file = nullptr;
    std::int64_t frame_bytes = -1;  // from the frame pointer to the call frame address
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
    std::uint64_t address = 0;  // that it returns to
    bool is_copy = false;       // the call that tells of a structure's load comes next
    std::uint32_t line = 0, column = 0;
    const char* file = nullptr;
    Function* function = nullptr;
    std::atomic<Site*> site{nullptr};  // of what is done here
};

class CompilerFacts {
  public:
    static CompilerFacts& instance();
    // What returns to `address`; null: not code of the program's.
    [[nodiscard]] CallSite* find(const void* address) const {
        for (std::uint64_t place = hash_of(address);; ++place) {
            CallSite* const found = table_[place & mask_];
            if (found == nullptr || found->address == reinterpret_cast<std::uint64_t>(address))
                return found;
        }
    }
    // What a thread does at a call: an access, a call. Made once.
    Site* site_at(CallSite& at, SiteKind kind, std::uint32_t bytes, bool is_aligned);
    // The same of something that a function of a library does for the call `at`.
    Site* site_for(CallSite& at, const void* inside, const char* callee, SiteKind kind,
                   std::uint32_t bytes, bool is_aligned);
    // Whether the compiler keeps something for itself there, in the thread's block.
    [[nodiscard]] bool is_guard(const void* address) const {
        const auto offset = static_cast<const char*>(address) -
                            static_cast<const char*>(__builtin_thread_pointer());
        return std::ranges::find(guards_, offset) != guards_.end();
    }
    // Variables of device code, which lie in device memory.
    void declare_variables();

  private:
    CompilerFacts();
    static std::uint64_t hash_of(const void* address) {
        return reinterpret_cast<std::uint64_t>(address) * 0x9e3779b97f4a7c15u >> 32;
    }
    void read(const std::string& path);
    void take(const std::vector<std::string>& fields);
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
    std::int64_t thread_block_ = 0;  // where thread-local variables begin, from the thread pointer
    std::deque<std::string> texts_;
    std::vector<const char*> files_;
    std::deque<Function> functions_;
    std::deque<CallSite> calls_;
    std::deque<Variable> variables_;
    std::vector<std::int64_t> guards_;                        // from the thread pointer
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
