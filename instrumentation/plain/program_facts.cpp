#include "instrumentation/plain/program_facts.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "instrumentation/plain/debug_file.h"
#include "instrumentation/plain/debug_types.h"

namespace tilereel::plain {
namespace {

// language.h marks variables of device code by these alignments (bytes).
constexpr std::uint64_t kDeviceAlignment = 256, kConstantAlignment = 512;

struct Place {
    std::string file;
    std::uint64_t line = 0, column = 0;
};

class Writer {
  public:
    Writer(const DebugFile& file, std::string ours, std::ostream& out)
        : dwarf_(file.dwarf()), ours_(std::move(ours)), marks_(file.marks()), out_(out) {
        frames_ = dwarf_getcfi(dwarf_);
        if (frames_ != nullptr) return;
        own_frames_.reset(dwarf_getcfi_elf(dwarf_getelf(dwarf_)));
        frames_ = own_frames_.get();
    }
    void run() {
        Dwarf_Off offset = 0, next = 0;
        std::size_t header = 0;
        while (dwarf_nextcu(dwarf_, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
            Dwarf_Die unit;
            if (dwarf_offdie(dwarf_, offset + header, &unit) != nullptr && is_recorded(&unit))
                add_unit(&unit);
            offset = next;
        }
        for (const std::uint64_t guard : marks_.guards) out_ << "guard\t" << guard << '\n';
        for (const auto& [bytes, align] : structures_)
            out_ << "structure\t" << bytes << '\t' << align << '\n';
    }

  private:
    // Whether the unit was compiled with -fsanitize=thread. DW_AT_producer holds the options.
    static bool is_recorded(Dwarf_Die* unit) {
        Dwarf_Attribute attribute;
        const char* const producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
        return producer != nullptr && std::strstr(producer, "-fsanitize=thread") != nullptr;
    }
    [[nodiscard]] bool is_library(const std::string& file) const {
        return file.empty() || file.starts_with(ours_) || file.starts_with("/usr/include/") ||
               file.starts_with("/usr/lib/");
    }
    unsigned number_of_file(const std::string& path) {
        const auto [entry, fresh] = files_.try_emplace(path, static_cast<unsigned>(files_.size()));
        if (fresh) out_ << "file\t" << entry->second << '\t' << path << '\n';
        return entry->second;
    }
    static std::string file_of(Dwarf_Die* entry) {
        const char* const file = dwarf_decl_file(entry);
        return file == nullptr ? std::string() : file;
    }
    static int line_of(Dwarf_Die* entry) {
        int line = 0;
        return dwarf_decl_line(entry, &line) == 0 ? line : 0;
    }
    template <class Work>
    static void each_child(Dwarf_Die* entry, Work&& work) {
        Dwarf_Die child;
        if (dwarf_child(entry, &child) != 0) return;
        do work(&child);
        while (dwarf_siblingof(&child, &child) == 0);
    }

    void add_unit(Dwarf_Die* unit) {
        unit_ = *unit;
        outer_dynamic_.clear();
        each_child(unit, [this](Dwarf_Die* child) { add_variables(child); });
        each_child(unit, [this](Dwarf_Die* child) { add_functions(child); });
    }
    // Variables outside of functions, including those in namespaces.
    void add_variables(Dwarf_Die* entry) {
        const int tag = dwarf_tag(entry);
        if (tag == DW_TAG_namespace)
            each_child(entry, [this](Dwarf_Die* child) { add_variables(child); });
        if (tag != DW_TAG_variable) return;
        if (is_dynamic_shared(entry)) {
            if (!is_library(file_of(entry)) && outer_dynamic_.empty())
                outer_dynamic_.push_back(*entry);
            return;
        }
        add_device_variable(entry);
    }
    // A declaration of an array without a bound is dynamic shared memory.
    static bool is_dynamic_shared(Dwarf_Die* entry) {
        return number_of(entry, DW_AT_declaration) && type_of(entry).extent_count != 0 &&
               type_of(entry).bytes == 0;
    }
    void add_device_variable(Dwarf_Die* entry) {
        const std::uint64_t align = number_of(entry, DW_AT_alignment).value_or(0);
        const auto place = operation_of(entry, DW_OP_addr);
        if (place && align == kDeviceAlignment) add_variable("device", *place, entry);
        if (place && align == kConstantAlignment) add_variable("constant", *place, entry);
    }
    // The operand of a location that begins with `operation`.
    static std::optional<std::uint64_t> operation_of(Dwarf_Die* entry, unsigned operation) {
        Dwarf_Attribute attribute;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (dwarf_attr_integrate(entry, DW_AT_location, &attribute) == nullptr ||
            dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0 ||
            operations[0].atom != operation)
            return std::nullopt;
        return operations[0].number;
    }
    static std::optional<std::uint64_t> thread_local_offset(Dwarf_Die* entry) {
        Dwarf_Attribute attribute;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (dwarf_attr_integrate(entry, DW_AT_location, &attribute) == nullptr ||
            dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 2)
            return std::nullopt;
        const unsigned last = operations[1].atom;
        if (last != DW_OP_form_tls_address && last != DW_OP_GNU_push_tls_address)
            return std::nullopt;
        return operations[0].number;
    }
    void add_variable(const char* kind, std::uint64_t place, Dwarf_Die* entry) {
        const DebugType type = type_of(entry);
        note_structure(type);
        std::uint64_t align = type.align_bytes;
        if (const auto asked = number_of(entry, DW_AT_alignment);
            asked && *asked < kDeviceAlignment)
            align = std::max(align, *asked);
        out_ << kind << '\t' << place << '\t' << type.bytes << '\t' << type.element_bytes << '\t'
             << align << '\t' << static_cast<unsigned>(type.scalar) << '\t' << type.scalar_bytes
             << '\t' << type.extent_count;
        for (const std::uint32_t extent : type.extents) out_ << '\t' << extent;
        out_ << '\t' << name_of(entry) << '\t' << type.name << '\t' << members_text(type) << '\n';
    }
    void note_structure(const DebugType& type) {
        if (type.is_structure) structures_.emplace(type.element_bytes, type.align_bytes);
    }

    void add_functions(Dwarf_Die* entry) {
        const int tag = dwarf_tag(entry);
        if (tag == DW_TAG_subprogram) add_function(entry);
        if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
            tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
            each_child(entry, [this](Dwarf_Die* child) { add_functions(child); });
    }
    void add_function(Dwarf_Die* function) {
        Dwarf_Addr low = 0, high = 0;
        if (dwarf_lowpc(function, &low) != 0 || dwarf_highpc(function, &high) != 0) return;
        const auto first = std::ranges::upper_bound(marks_.calls, low, {}, &MarkedCall::address);
        if (first == marks_.calls.end() || first->address > high) return;
        if (!seen_.insert(low).second) return;
        inlined_.clear();
        // The debug information of a lambda's function has its addresses, but no file.
        std::string file = file_of(function);
        if (file.empty()) file = place_of(low).file;
        const unsigned number = number_of_file(file);
        out_ << "function\t" << low << '\t' << high << '\t' << is_library(file) << '\t'
             << line_of(function) << '\t' << number << '\t' << frame_at(first->address - 1) << '\t'
             << full_name(function) << '\n';
        in_library_ = is_library(file);
        for (Dwarf_Die& outer : outer_dynamic_) add_variable("dynamic", 0, &outer);
        add_inner(function);
        for (auto call = first; call != marks_.calls.end() && call->address <= high; ++call)
            add_call(*call);
        for (const MarkedLoop& loop : marks_.loops)
            if (loop.begin >= low && loop.end <= high)
                out_ << "loop\t" << loop.begin << '\t' << loop.end << '\n';
    }
    // Parameters, shared variables and inlined functions, in the order of the source.
    void add_inner(Dwarf_Die* entry) {
        each_child(entry, [&](Dwarf_Die* child) {
            switch (dwarf_tag(child)) {
                case DW_TAG_formal_parameter:
                    if (dwarf_tag(entry) == DW_TAG_subprogram && !in_library_) add_parameter(child);
                    break;
                case DW_TAG_variable:
                    if (const auto offset = thread_local_offset(child))
                        add_variable("shared", *offset, child);
                    else if (is_dynamic_shared(child))
                        add_variable("dynamic", 0, child);
                    else
                        add_device_variable(child);
                    break;
                case DW_TAG_inlined_subroutine:
                    inlined_.push_back(*child);
                    add_inner(child);
                    break;
                case DW_TAG_lexical_block:
                    add_inner(child);
                    break;
                default:
                    break;
            }
        });
    }
    void add_parameter(Dwarf_Die* parameter) {
        const auto offset = operation_of(parameter, DW_OP_fbreg);
        if (!offset || name_of(parameter).empty()) return;
        DebugType type = type_of(parameter);
        const std::uint64_t bytes = type.bytes;
        std::uint64_t target_bytes = type.align_bytes;
        std::string name = type.name;
        if (type.name == "CUtensorMap_st") {  // its first 8 bytes: the address of its array
            out_ << "parameter\t" << static_cast<std::int64_t>(*offset) << "\t8\t1\t"
                 << static_cast<unsigned>(Scalar::kOther) << "\t1\t" << name_of(parameter)
                 << "\tvoid*\n";
            return;
        }
        if (const auto target = target_of(parameter)) {
            note_structure(*target);
            target_bytes = target->element_bytes;
            type = *target;
            name = target->name + "*";
        }
        if (type.extent_count != 0 || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
            return;
        out_ << "parameter\t" << static_cast<std::int64_t>(*offset) << '\t' << bytes << '\t'
             << target_bytes << '\t' << static_cast<unsigned>(type.scalar) << '\t'
             << type.scalar_bytes << '\t' << name_of(parameter) << '\t' << name << '\t'
             << members_text(type) << '\n';
    }
    void add_call(const MarkedCall& call) {
        const Place place = place_of(call.address - 1);
        const unsigned number = number_of_file(place.file);
        out_ << "call\t" << call.address << '\t' << call.is_copy << '\t' << place.line << '\t'
             << place.column << '\t' << number << '\n';
    }
    // The source line of an address. For inlined code of a library header: the line that calls it.
    Place place_of(std::uint64_t address) {
        Place place;
        if (Dwarf_Line* const line = dwarf_getsrc_die(&unit_, address)) {
            int number = 0, column = 0;
            if (dwarf_lineno(line, &number) == 0) place.line = static_cast<unsigned>(number);
            if (dwarf_linecol(line, &column) == 0) place.column = static_cast<unsigned>(column);
            const char* const file = dwarf_linesrc(line, nullptr, nullptr);
            if (file != nullptr) place.file = file;
        }
        // Outer functions come first in the list, so this order finds the innermost one.
        for (auto inlined = inlined_.rbegin(); inlined != inlined_.rend(); ++inlined) {
            if (!is_library(place.file)) break;
            if (dwarf_haspc(&*inlined, address) != 1) continue;
            place.line = number_of(&*inlined, DW_AT_call_line).value_or(0);
            place.column = number_of(&*inlined, DW_AT_call_column).value_or(0);
            place.file = file_number(number_of(&*inlined, DW_AT_call_file).value_or(0));
        }
        return place;
    }
    std::string file_number(std::uint64_t number) {
        Dwarf_Files* files = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrcfiles(&unit_, &files, &count) != 0 || number >= count) return {};
        const char* const name = dwarf_filesrc(files, number, nullptr, nullptr);
        return name == nullptr ? std::string() : name;
    }
    // The name with its namespaces and classes, as the compiler prints it.
    static std::string full_name(Dwarf_Die* function) {
        std::string name = name_of(function);
        Dwarf_Die declared = *function;
        Dwarf_Attribute attribute;
        for (const unsigned link : {DW_AT_abstract_origin, DW_AT_specification})
            if (dwarf_attr(&declared, link, &attribute) != nullptr)
                dwarf_formref_die(&attribute, &declared);
        Dwarf_Die* scopes = nullptr;
        const int count = dwarf_getscopes_die(&declared, &scopes);
        for (int i = 1; i < count; ++i) {
            const int tag = dwarf_tag(&scopes[i]);
            const bool named =
                tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
            const std::string scope = name_of(&scopes[i]);
            if (named) name = (scope.empty() ? "{anonymous}" : scope) + "::" + name;
        }
        std::free(scopes);
        return name;
    }
    // Bytes from the frame pointer to the call frame address (CFA), from which the offsets of
    // parameters are counted; -1: not known.
    [[nodiscard]] std::int64_t frame_at(std::uint64_t address) const {
        constexpr unsigned kRbp = 6, kX29 = 29;  // the ABIs' numbers: x86-64, AArch64
        Dwarf_Frame* frame = nullptr;
        if (frames_ == nullptr || dwarf_cfi_addrframe(frames_, address, &frame) != 0) return -1;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        std::int64_t offset = -1;
        if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count == 1) {
            const unsigned atom = operations[0].atom;
            if (atom == DW_OP_breg0 + kRbp || atom == DW_OP_breg0 + kX29)
                offset = static_cast<std::int64_t>(operations[0].number);
            else if (atom == DW_OP_bregx && operations[0].number == kRbp)
                offset = static_cast<std::int64_t>(operations[0].number2);
        }
        std::free(frame);
        return offset;
    }

    Dwarf* dwarf_;
    struct EndFrames {
        void operator()(Dwarf_CFI* frames) const { dwarf_cfi_end(frames); }
    };
    // We must free frames from .eh_frame, but not those from .debug_frame: elfutils, libdw.h.
    std::unique_ptr<Dwarf_CFI, EndFrames> own_frames_;
    Dwarf_CFI* frames_ = nullptr;
    std::string ours_;
    Marks marks_;
    std::ostream& out_;
    std::map<std::string, unsigned> files_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> structures_;  // size and alignment, bytes
    std::set<std::uint64_t> seen_;                                  // addresses of functions
    bool in_library_ = false;  // whether the current function is a library's
    // Dynamic shared arrays that the unit declares outside of functions; functions inlined into the
    // current function.
    std::vector<Dwarf_Die> outer_dynamic_, inlined_;
    Dwarf_Die unit_{};
};

}  // namespace

Status write_program_facts(const std::filesystem::path& program, const std::string& ours,
                           const std::filesystem::path& facts) {
    const DebugFile file(program);
    if (file.dwarf() == nullptr)
        return failed("the program's debug information cannot be read: " +
                      std::string(dwarf_errmsg(-1)));
    std::ofstream out(facts, std::ios::binary);
    Writer(file, ours, out).run();
    out.close();
    if (!out) return failed("cannot write " + facts.string());
    return Done{};
}

}  // namespace tilereel::plain
