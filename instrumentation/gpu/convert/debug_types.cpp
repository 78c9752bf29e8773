#include "instrumentation/gpu/convert/debug_types.h"

#include <dwarf.h>

#include <algorithm>

namespace tilereel::gpu {
namespace {

// Finds the type of an entry, without typedefs and qualifiers (const, volatile, restrict, atomic).
// Returns false for void.
bool plain_type(Dwarf_Die* entry, Dwarf_Die* type) {
    Dwarf_Attribute attribute;
    Dwarf_Die at = *entry;
    for (;;) {
        if (dwarf_attr_integrate(&at, DW_AT_type, &attribute) == nullptr ||
            dwarf_formref_die(&attribute, type) == nullptr)
            return false;
        switch (dwarf_tag(type)) {
            case DW_TAG_typedef:
            case DW_TAG_const_type:
            case DW_TAG_volatile_type:
            case DW_TAG_restrict_type:
            case DW_TAG_atomic_type:
                at = *type;
                break;
            default:
                return true;
        }
    }
}

bool is_structure(Dwarf_Die* type) {
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

// Calls work(child) for each child, until it returns false.
template <class Work>
void each_child(Dwarf_Die* entry, Work&& work) {
    Dwarf_Die child;
    if (dwarf_child(entry, &child) != 0) return;
    do {
        if (!work(&child)) return;
    } while (dwarf_siblingof(&child, &child) == 0);
}

void describe_scalar(Dwarf_Die* type, DebugType& result) {
    result.scalar_bytes = static_cast<std::uint32_t>(number_of(type, DW_AT_byte_size).value_or(0));
    switch (dwarf_tag(type)) {
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
            result.scalar = runtime::Scalar::kPointer;
            return;
        case DW_TAG_enumeration_type:
            result.scalar = runtime::Scalar::kUnsigned;
            if (Dwarf_Die underlying; plain_type(type, &underlying))
                describe_scalar(&underlying, result);
            return;
        default:
            break;
    }
    switch (number_of(type, DW_AT_encoding).value_or(0)) {
        case DW_ATE_float:
            result.scalar = runtime::Scalar::kFloating;
            return;
        case DW_ATE_signed:
        case DW_ATE_signed_char:
            result.scalar = runtime::Scalar::kSigned;
            return;
        case DW_ATE_boolean:
        case DW_ATE_unsigned:
        case DW_ATE_unsigned_char:
        case DW_ATE_UTF:
            result.scalar = runtime::Scalar::kUnsigned;
            return;
        default:
            return;
    }
}

void add_extent(Dwarf_Die* range, DebugType& result) {
    std::uint64_t count = number_of(range, DW_AT_count).value_or(0);
    if (const auto last = number_of(range, DW_AT_upper_bound); last && count == 0)
        count = *last + 1;
    if (result.extent_count < result.extents.size())
        result.extents[result.extent_count++] = static_cast<std::uint32_t>(count);
    result.bytes *= count;
}

void describe(Dwarf_Die* type, DebugType& result);

// Where a member lies in its structure. g++ writes a number, nvcc an expression (DWARF, "Member
// Location"); libdw returns both as DW_OP_plus_uconst.
std::optional<std::uint64_t> member_offset(Dwarf_Die* member) {
    Dwarf_Attribute attribute;
    if (dwarf_attr(member, DW_AT_data_member_location, &attribute) == nullptr) return 0;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
        operations[0].atom != DW_OP_plus_uconst)
        return std::nullopt;
    return operations[0].number;
}

// Adds the innermost members of a member at `offset_bytes`. Returns false if they are unknown or
// too many.
bool add_member(const DebugType& member, std::uint64_t offset_bytes, const std::string& name,
                std::vector<DebugMember>& members) {
    constexpr std::size_t kMost = 64;
    const bool is_half = member.element_bytes == 2 && member.name.starts_with("_");  // __half
    std::uint64_t count = 1;
    for (std::uint32_t i = 0; i < member.extent_count; ++i) count *= member.extents[i];
    if (member.element_bytes == 0 || count == 0 || count > kMost) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
        // An element of an array of several extents is named by its linear index.
        const std::string own =
            member.extent_count == 0 ? name : name + "[" + std::to_string(i) + "]";
        const std::uint64_t at = offset_bytes + i * member.element_bytes;
        if (!member.is_structure || is_half) {
            members.push_back({at, member.scalar, member.element_bytes, own, member.name});
        } else if (member.members.empty()) {
            return false;
        }
        if (member.is_structure && !is_half)
            for (const DebugMember& inner : member.members)
                members.push_back({at + inner.offset_bytes, inner.scalar, inner.bytes,
                                   own.empty() ? inner.name : own + "." + inner.name,
                                   inner.type_name});
        if (members.size() > kMost) return false;
    }
    return true;
}

// Sets the members of a structure, the largest alignment of them, and the first one's innermost
// scalar.
void describe_members(Dwarf_Die* type, DebugType& result) {
    bool first = true, known = dwarf_tag(type) != DW_TAG_union_type;
    each_child(type, [&](Dwarf_Die* child) {
        const int tag = dwarf_tag(child);
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return true;
        if (number_of(child, DW_AT_external)) return true;  // a static member
        DebugType member;
        if (Dwarf_Die inner; plain_type(child, &inner)) describe(&inner, member);
        if (first) result.scalar = member.scalar, result.scalar_bytes = member.scalar_bytes;
        first = false;
        const std::optional<std::uint64_t> offset = member_offset(child);
        known =
            known && offset && !number_of(child, DW_AT_data_bit_offset) &&
            add_member(member, *offset, tag == DW_TAG_member ? name_of(child) : "", result.members);
        result.align_bytes = std::max(result.align_bytes, member.align_bytes);
        return true;
    });
    if (!known) result.members.clear();
}

void describe(Dwarf_Die* type, DebugType& result) {
    if (dwarf_tag(type) == DW_TAG_array_type) {
        result.bytes = 1;
        each_child(type, [&](Dwarf_Die* child) {
            if (dwarf_tag(child) == DW_TAG_subrange_type) add_extent(child, result);
            return true;
        });
        const DebugType array = result;
        Dwarf_Die element;
        if (!plain_type(type, &element)) return;
        describe(&element, result);
        result.extents = array.extents;
        result.extent_count = array.extent_count;
        result.bytes = array.bytes * result.element_bytes;
        return;
    }
    result.name = name_of(type);
    result.bytes = number_of(type, DW_AT_byte_size).value_or(0);
    if (dwarf_tag(type) == DW_TAG_pointer_type && result.bytes == 0) result.bytes = 8;
    result.element_bytes = static_cast<std::uint32_t>(result.bytes);
    result.is_structure = is_structure(type);
    if (result.is_structure) {
        describe_members(type, result);
    } else {
        describe_scalar(type, result);
        result.align_bytes = std::clamp(result.element_bytes, 1u, 16u);
    }
    if (const auto asked = number_of(type, DW_AT_alignment))
        result.align_bytes = std::max(result.align_bytes, static_cast<std::uint32_t>(*asked));
}

}  // namespace

std::optional<std::uint64_t> number_of(Dwarf_Die* entry, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(entry, attribute, &found) == nullptr) return std::nullopt;
    if (dwarf_whatform(&found) == DW_FORM_flag_present) return 1;
    if (dwarf_formudata(&found, &value) == 0) return value;
    Dwarf_Addr address = 0;
    if (dwarf_formaddr(&found, &address) == 0) return address;
    bool truth = false;
    if (dwarf_formflag(&found, &truth) == 0 && truth) return 1;
    return std::nullopt;
}

std::string name_of(Dwarf_Die* entry) {
    const char* const name = dwarf_diename(entry);
    return name == nullptr ? std::string() : name;
}

std::string members_text(const DebugType& type) {
    std::string text;
    for (const DebugMember& member : type.members)
        text += (text.empty() ? "" : ";") + std::to_string(member.offset_bytes) + " " +
                std::to_string(static_cast<unsigned>(member.scalar)) + " " +
                std::to_string(member.bytes) + " " + member.name + " " + member.type_name;
    return text;
}

DebugType type_of(Dwarf_Die* entry) {
    DebugType result;
    if (Dwarf_Die type; plain_type(entry, &type)) describe(&type, result);
    return result;
}

std::optional<DebugType> target_of(Dwarf_Die* entry) {
    Dwarf_Die pointer, target;
    if (!plain_type(entry, &pointer) || dwarf_tag(&pointer) != DW_TAG_pointer_type)
        return std::nullopt;
    DebugType result;
    if (plain_type(&pointer, &target)) describe(&target, result);
    return result;
}

}  // namespace tilereel::gpu
