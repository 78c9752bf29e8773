#include "instrumentation/gpu/convert/gpu_facts.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "instrumentation/gpu/convert/debug_file.h"

namespace tilereel::gpu {
namespace {

class NameReader {
  public:
    NameReader(Dwarf* dwarf, GpuFacts& facts) : dwarf_(dwarf), facts_(facts) {}
    void run() {
        Dwarf_Off offset = 0, next = 0;
        std::size_t header = 0;
        while (dwarf_nextcu(dwarf_, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
            Dwarf_Die unit;
            if (dwarf_offdie(dwarf_, offset + header, &unit) != nullptr) read(&unit);
            offset = next;
        }
    }

  private:
    template <class Work>
    static void each_child(Dwarf_Die* entry, Work&& work) {
        Dwarf_Die child;
        if (dwarf_child(entry, &child) != 0) return;
        do work(&child);
        while (dwarf_siblingof(&child, &child) == 0);
    }
    static std::string symbol_of(Dwarf_Die* entry) {
        Dwarf_Attribute attribute;
        for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
            if (const char* const text =
                    dwarf_formstring(dwarf_attr_integrate(entry, name, &attribute)))
                return text;
        return name_of(entry);
    }
    void read(Dwarf_Die* entry) {
        each_child(entry, [this](Dwarf_Die* child) {
            const int tag = dwarf_tag(child);
            if (tag == DW_TAG_variable) add_variable(child);
            if (tag == DW_TAG_subprogram) add_kernel(child);
            if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
                tag == DW_TAG_namespace || tag == DW_TAG_inlined_subroutine)
                read(child);
        });
    }
    void add_variable(Dwarf_Die* variable) {
        const DebugType type = type_of(variable);
        if (type.element_bytes != 0)
            facts_.names.try_emplace(symbol_of(variable), name_of(variable), type);
    }
    void add_kernel(Dwarf_Die* function) {
        GpuKernel kernel{.name = name_of(function), .file = {}, .line = 0, .parameters = {}};
        if (const char* const file = dwarf_decl_file(function)) kernel.file = file;
        int line = 0;
        if (dwarf_decl_line(function, &line) == 0) kernel.line = static_cast<std::uint32_t>(line);
        each_child(function, [&](Dwarf_Die* child) {
            if (dwarf_tag(child) != DW_TAG_formal_parameter) return;
            GpuParameter parameter{
                .name = name_of(child), .type = type_of(child), .is_pointer = false, .target = {}};
            if (const auto target = target_of(child)) {
                parameter.is_pointer = true;
                parameter.target = *target;
            }
            kernel.parameters.push_back(std::move(parameter));
        });
        facts_.kernels.try_emplace(symbol_of(function), std::move(kernel));
    }

    Dwarf* dwarf_;
    GpuFacts& facts_;
};

}  // namespace

void add_names(const std::filesystem::path& cubin, GpuFacts& facts) {
    const DebugFile file(cubin);
    if (file.dwarf() != nullptr) NameReader(file.dwarf(), facts).run();
}

std::string kernel_name(const std::string& symbol) {
    int status = 0;
    char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    if (text == nullptr) return symbol;
    std::string name = text;
    std::free(text);
    // Removes the parameters, which are in the last outermost parentheses, and the result type,
    // with which the name of a template begins.
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        depth += name[i] == ')';
        depth -= name[i] == '(';
        if (name[i] == '(' && depth == 0) {
            name.erase(i);
            break;
        }
    }
    depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        depth += name[i] == '>';
        depth -= name[i] == '<';
        if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
    }
    return name;
}

void add_ptx(const PatchedPtx& patched, GpuFacts& facts) {
    const auto first = static_cast<std::uint32_t>(facts.files.size());
    const auto renumber = [&](PtxPlace place) {
        if (place.file != 0) place.file += first - 1;
        return place;
    };
    facts.files.insert(facts.files.end(), patched.files.begin() + 1, patched.files.end());
    for (PtxSite site : patched.sites) {
        site.place = renumber(site.place);
        facts.sites.push_back(site);
    }
    facts.functions.insert(facts.functions.end(), patched.functions.begin(),
                           patched.functions.end());
    facts.loops.insert(facts.loops.end(), patched.loops.begin(), patched.loops.end());
    for (const PtxKernel& kernel : patched.kernels)
        for (PtxLeftOut each : kernel.left_out) {
            each.place = renumber(each.place);
            facts.left_out[kernel.symbol].push_back(std::move(each));
        }
    facts.variables.insert(facts.variables.end(), patched.variables.begin(),
                           patched.variables.end());
}

const PtxFunction* function_of(const GpuFacts& facts, std::uint32_t site) {
    const auto behind = std::ranges::upper_bound(facts.functions, site, {}, &PtxFunction::first);
    if (behind == facts.functions.begin()) return nullptr;
    const PtxFunction& function = *std::prev(behind);
    return site < function.end ? &function : nullptr;
}

std::optional<GpuCall> call_of(const GpuFacts& facts, std::uint32_t site, std::uint32_t caller) {
    const PtxFunction* const function = function_of(facts, site);
    if (function == nullptr || function->callers.empty() || caller == 0) return std::nullopt;
    const auto behind =
        std::ranges::upper_bound(function->callers, caller - 1, {}, &PtxCallSite::offset);
    if (behind == function->callers.begin()) return std::nullopt;
    const PtxCallSite& call = *std::prev(behind);
    const PtxFunction* const from = function_of(facts, call.site);
    const bool has_caller = from != nullptr && !from->callers.empty();
    return GpuCall{call.site, has_caller ? caller - call.offset : 0};
}

bool is_same_place(const GpuFacts& facts, GpuCall one, GpuCall other) {
    while (one.site != other.site || one.caller != other.caller) {
        const PtxPlace& a = facts.sites[one.site].place;
        const PtxPlace& b = facts.sites[other.site].place;
        if (a.file != b.file || a.line != b.line || a.column != b.column) return false;
        const auto from = call_of(facts, one.site, one.caller);
        const auto other_from = call_of(facts, other.site, other.caller);
        if (!from || !other_from) return !from && !other_from;
        one = *from, other = *other_from;
    }
    return true;
}

PtxPlace place_of(const GpuFacts& facts, std::uint32_t site, std::uint32_t caller) {
    GpuCall at{site, caller};
    while (facts.sites[at.site].place.in_library) {
        const auto call = call_of(facts, at.site, at.caller);
        if (!call || call->site >= facts.sites.size()) break;
        at = *call;
    }
    return facts.sites[at.site].place;
}

}  // namespace tilereel::gpu
