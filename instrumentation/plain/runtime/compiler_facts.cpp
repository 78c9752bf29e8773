#include "instrumentation/plain/runtime/compiler_facts.h"

#include <link.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "instrumentation/plain/program_facts.h"
#include "instrumentation/plain/runtime/memory.h"
#include "instrumentation/plain/runtime/program.h"

// The addresses of kernels. language.h makes g++ write them to the section
// __patchable_function_entries.
extern "C" {
extern const std::uint64_t kernels_begin[] __asm__("__start___patchable_function_entries")
    __attribute__((weak, visibility("hidden")));
extern const std::uint64_t kernels_end[] __asm__("__stop___patchable_function_entries")
    __attribute__((weak, visibility("hidden")));
}

namespace tilereel::plain {
namespace {

struct Image {
    std::uint64_t loaded_at = 0;
    const void* thread_block = nullptr;
};

// The image of the program itself, which the system lists first.
Image find_image() {
    Image image;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            *static_cast<Image*>(to) = {info->dlpi_addr, info->dlpi_tls_data};
            return 1;
        },
        &image);
    return image;
}

std::uint64_t number(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }
std::uint32_t word(const std::string& text) { return static_cast<std::uint32_t>(number(text)); }

// "ns::multiply<16>" -> "multiply"
std::string short_name(const std::string& name) {
    std::string text = name.substr(0, name.starts_with("operator") ? name.size() : name.find('<'));
    const std::size_t scope = text.rfind("::");
    return scope == std::string::npos ? text : text.substr(scope + 2);
}

}  // namespace

CompilerFacts& CompilerFacts::instance() {
    static auto& facts = *new CompilerFacts;
    return facts;
}

CompilerFacts::CompilerFacts() {
    const Image image = find_image();
    loaded_at_ = image.loaded_at;
    thread_block_ = static_cast<const char*>(image.thread_block) -
                    static_cast<const char*>(__builtin_thread_pointer());
    read(options().folder + "/" + kProgramFacts);
    finish_function();
    find_kernels();
    make_table();
}

void CompilerFacts::read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> fields;
        std::istringstream text(line);
        for (std::string field; std::getline(text, field, '\t');) fields.push_back(field);
        fields.resize(std::max<std::size_t>(fields.size(), 15));
        add_fact(fields);
    }
}

const char* CompilerFacts::keep(const std::string& text) {
    return texts_.emplace_back(text).c_str();
}

void CompilerFacts::add_fact(const std::vector<std::string>& fields) {
    const std::string& kind = fields[0];
    if (kind == "file") {
        files_.push_back(keep(fields[2]));
    } else if (kind == "function") {
        finish_function();
        add_function(fields);
    } else if (kind == "call") {
        add_call(fields);
    } else if (kind == "loop") {
        functions_.back().loop_ranges.emplace_back(number(fields[1]) + loaded_at_,
                                                   number(fields[2]) + loaded_at_);
    } else if (kind == "parameter") {
        add_parameter(fields);
    } else if (kind == "guard") {
        guards_.push_back(thread_block_ + static_cast<std::int64_t>(number(fields[1])));
    } else if (kind == "structure") {
        alignments_.emplace(word(fields[1]), word(fields[2]));
    } else if (kind == "device" || kind == "constant") {
        Variable& variable = variables_.emplace_back();
        fill(variable, fields);
        variable.space = kind == "device" ? VariableSpace::kDevice : VariableSpace::kConstant;
        variable.address = reinterpret_cast<const void*>(number(fields[1]) + loaded_at_);
    } else if (kind == "shared" || kind == "dynamic") {
        auto shared = std::make_unique<SharedVariable>();
        fill(shared->variable, fields);
        shared->variable.space =
            kind == "shared" ? VariableSpace::kShared : VariableSpace::kDynamicShared;
        shared->thread_offset = thread_block_ + static_cast<std::int64_t>(number(fields[1]));
        functions_.back().shared.push_back(std::move(shared));
    }
}

void CompilerFacts::add_function(const std::vector<std::string>& fields) {
    Function& function = functions_.emplace_back();
    function.first = number(fields[1]) + loaded_at_;
    function.last = number(fields[2]) + loaded_at_;
    function.is_library = fields[3] == "1";
    function.line = word(fields[4]);
    function.file = files_.at(number(fields[5]));
    function.frame_bytes = std::strtoll(fields[6].c_str(), nullptr, 10);
    function.name = fields[7];
    function.short_name = keep(short_name(function.name));
}

void CompilerFacts::add_call(const std::vector<std::string>& fields) {
    CallSite& call = calls_.emplace_back();
    call.address = number(fields[1]) + loaded_at_;
    call.is_copy = fields[2] == "1";
    call.line = word(fields[3]);
    call.column = word(fields[4]);
    call.file = files_.at(number(fields[5]));
    call.function = &functions_.back();
}

void CompilerFacts::add_parameter(const std::vector<std::string>& fields) {
    Parameter parameter;
    parameter.offset_bytes = std::strtoll(fields[1].c_str(), nullptr, 10);
    Site& site = parameter.site;
    site.kind = SiteKind::kParameter;
    site.width_bytes = word(fields[2]);
    site.align_bytes = word(fields[3]);
    site.scalar = static_cast<Scalar>(word(fields[4]));
    site.scalar_bytes = word(fields[5]);
    site.name = keep(fields[6]);
    site.type = keep(fields[7]);
    if (!fields[8].empty()) site.members = keep(fields[8]);
    site.line = functions_.back().line;
    site.file = functions_.back().file;
    site.function = functions_.back().name.c_str();
    functions_.back().parameters.push_back(parameter);
}

void CompilerFacts::fill(Variable& variable, const std::vector<std::string>& fields) {
    variable.bytes = number(fields[2]);
    variable.element_bytes = word(fields[3]);
    variable.align_bytes = word(fields[4]);
    variable.scalar = static_cast<Scalar>(word(fields[5]));
    variable.scalar_bytes = word(fields[6]);
    variable.extent_count = word(fields[7]);
    for (unsigned i = 0; i < 4; ++i) variable.extents[i] = word(fields[8 + i]);
    variable.name = keep(fields[12]);
    variable.type = keep(fields[13]);
    if (!fields[14].empty()) variable.members = keep(fields[14]);
}

// Backward jumps to one place are one loop. An outer loop comes before its inner loops.
void CompilerFacts::finish_function() {
    if (functions_.empty()) return;
    Function& function = functions_.back();
    std::map<std::uint64_t, std::uint64_t> last;
    for (const auto& [begin, end] : function.loop_ranges) last[begin] = std::max(last[begin], end);
    function.loop_ranges.assign(last.begin(), last.end());
    std::ranges::stable_sort(function.loop_ranges, [](const auto& one, const auto& other) {
        return one.second - one.first > other.second - other.first;
    });
    for (const auto& [begin, end] : function.loop_ranges) {
        const Loop* outer = nullptr;
        for (std::size_t i = 0; i < function.loops.size(); ++i)
            if (function.loop_ranges[i].first <= begin && end <= function.loop_ranges[i].second)
                outer = &function.loops[i];
        function.loops.push_back({outer, begin - function.first + 1});
    }
}

void CompilerFacts::find_kernels() {
    for (const std::uint64_t* entry = kernels_begin; entry != kernels_end; ++entry)
        for (Function& function : functions_) {
            if (*entry < function.first || *entry >= function.last) continue;
            function.is_kernel = true;
            Kernel& kernel = function.kernel;
            kernel.entry = reinterpret_cast<void*>(function.first);
            // There is no version without hooks. Hooks cost little where nothing is recorded.
            kernel.unhooked = kernel.entry;
            kernel.symbol = kernel.name = function.name.c_str();
            kernel.file = function.file;
            kernel.line = function.line;
        }
}

void CompilerFacts::make_table() {
    table_.assign(std::bit_ceil(calls_.size() * 2 + 16), nullptr);
    mask_ = table_.size() - 1;
    for (CallSite& call : calls_) {
        std::uint64_t place = hash_of(reinterpret_cast<const void*>(call.address));
        while (table_[place & mask_] != nullptr) ++place;
        table_[place & mask_] = &call;
    }
}

// The alignment of an access. The compiler calls an access aligned if its type is aligned to its
// size or to 8 bytes. Of all structures of this size, the one with the least alignment is assumed.
std::uint32_t CompilerFacts::alignment_of(std::uint32_t bytes, bool is_aligned) const {
    // The largest power of two that divides the size, up to 16.
    const std::uint32_t natural = std::min(16u, bytes & (0u - bytes));
    const std::uint32_t least = is_aligned ? std::min(bytes, 8u) : 1;
    const auto [begin, end] = alignments_.equal_range(bytes);
    for (auto known = begin; known != end; ++known)
        if (known->second >= least) return std::min(known->second, std::max(natural, least));
    return is_aligned ? natural : std::min(natural, 4u);
}

Site CompilerFacts::make_site(const CallSite& at, SiteKind kind, std::uint32_t bytes,
                              bool is_aligned) const {
    Site site{};
    site.file = at.file;
    site.in_library = at.file != nullptr && std::strstr(at.file, "/include/cub/") != nullptr;
    site.function = at.function->name.c_str();
    site.line = at.line;
    site.column = at.column;
    site.kind = kind;
    site.ordinal = static_cast<std::uint32_t>(at.address - at.function->first);
    site.width_bytes = bytes;
    site.align_bytes = alignment_of(bytes, is_aligned);
    site.scalar_bytes = bytes;
    const Function& function = *at.function;
    for (std::size_t i = 0; i < function.loops.size(); ++i)
        if (at.address > function.loop_ranges[i].first &&
            at.address <= function.loop_ranges[i].second)
            site.loop = &function.loops[i];  // the innermost comes last
    return site;
}

Site* CompilerFacts::site_at(CallSite& at, SiteKind kind, std::uint32_t bytes, bool is_aligned) {
    if (Site* const site = at.site.load(std::memory_order_acquire)) return site;
    const std::lock_guard lock(mutex_);
    if (Site* const site = at.site.load()) return site;
    Site* const made = &sites_.emplace_back(make_site(at, kind, bytes, is_aligned));
    at.site.store(made, std::memory_order_release);
    return made;
}

Site* CompilerFacts::site_for(CallSite& at, const void* inside, const char* callee, SiteKind kind,
                              std::uint32_t bytes, bool is_aligned) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t key = at.address ^ hash_of(inside);
    const auto [begin, end] = inside_.equal_range(key);
    for (auto it = begin; it != end; ++it)
        if (it->second.at == &at && it->second.inside == inside && it->second.kind == kind)
            return it->second.site;
    Site* const made = &sites_.emplace_back(make_site(at, kind, bytes, is_aligned));
    made->callee = callee;
    inside_.emplace(key, Inside{&at, inside, kind, made});
    return made;
}

void CompilerFacts::declare_variables() {
    for (const Variable& variable : variables_) DeviceMemory::instance().variable(&variable);
}

}  // namespace tilereel::plain
