#include "descriptors.h"

#include <map>
#include <vector>

#include "adopted_functions.h"

namespace tilereel::runtime {
namespace {

// A structure of pointers and integers in the order given, as static data of the compiled file.
class Data {
  public:
    void pointer(tree value) { add(const_ptr_type_node, value ? value : null_pointer_node); }
    void text(const std::string& value) {
        pointer(value.empty() ? NULL_TREE : build_string_literal(value.size() + 1, value.c_str()));
    }
    void word(unsigned value) {
        add(unsigned_type_node, build_int_cstu(unsigned_type_node, value));
    }
    void wide(unsigned long value) {
        add(long_unsigned_type_node, build_int_cstu(long_unsigned_type_node, value));
    }
    tree finish() {
        tree type = make_node(RECORD_TYPE);
        tree last = NULL_TREE;
        for (const Field& field : fields_) {
            tree decl = build_decl(UNKNOWN_LOCATION, FIELD_DECL, NULL_TREE, field.type);
            DECL_FIELD_CONTEXT(decl) = type;
            if (last)
                DECL_CHAIN(last) = decl;
            else
                TYPE_FIELDS(type) = decl;
            last = decl;
        }
        layout_type(type);
        vec<constructor_elt, va_gc>* values = NULL;
        tree decl = TYPE_FIELDS(type);
        for (const Field& field : fields_) {
            CONSTRUCTOR_APPEND_ELT(values, decl, field.value);
            decl = DECL_CHAIN(decl);
        }
        return define(type, build_constructor(type, values));
    }

  private:
    struct Field {
        tree type, value;
    };
    void add(tree type, tree value) {
        fields_.push_back({type, TREE_CODE(value) == INTEGER_CST || TREE_TYPE(value) == type
                                     ? fold_convert(type, value)
                                     : build1(NOP_EXPR, type, value)});
    }
    static tree define(tree type, tree value) {
        static unsigned number = 0;
        const std::string name = "tilereel_data_" + std::to_string(number++);
        tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name.c_str()), type);
        TREE_STATIC(decl) = 1;
        TREE_ADDRESSABLE(decl) = 1;
        TREE_USED(decl) = 1;
        DECL_ARTIFICIAL(decl) = 1;
        DECL_IGNORED_P(decl) = 1;
        TREE_CONSTANT(value) = 1;
        TREE_STATIC(value) = 1;
        DECL_INITIAL(decl) = value;
        if (Descriptors::keeps_data) varpool_node::get_create(decl)->force_output = 1;
        varpool_node::finalize_decl(decl);
        return decl;
    }
    std::vector<Field> fields_;
};

unsigned bytes_of(tree type) {
    tree size = TYPE_SIZE_UNIT(type);
    return size && tree_fits_uhwi_p(size) ? unsigned(tree_to_uhwi(size)) : 0;
}

std::string place_in_file(location_t location, unsigned& line, unsigned& column) {
    const expanded_location place = expand_location(location);
    line = unsigned(place.line);
    column = unsigned(place.column);
    return place.file ? place.file : "";
}

}  // namespace

bool is_device_function(tree decl) {
    for (; decl; decl = decl_function_context(decl))
        if (lookup_attribute("tilereel_device", DECL_ATTRIBUTES(decl)) ||
            lookup_attribute("tilereel_global", DECL_ATTRIBUTES(decl)))
            return true;
    return false;
}
bool is_in_library(tree decl) {
    const location_t location = DECL_SOURCE_LOCATION(decl);
    const char* const file = in_system_header_at(location) ? LOCATION_FILE(location) : nullptr;
    return file &&
           (is_adopted(decl) || strstr(file, "/include/cub/") || strstr(file, "/tilereel/wmma/"));
}
bool is_shared(tree decl) {
    return VAR_P(decl) && lookup_attribute("tilereel_shared", DECL_ATTRIBUTES(decl));
}
bool is_device_variable(tree decl) {
    return VAR_P(decl) && (lookup_attribute("tilereel_device", DECL_ATTRIBUTES(decl)) ||
                           lookup_attribute("tilereel_constant", DECL_ATTRIBUTES(decl)));
}

ElementType element_type(tree type) {
    for (;;) {
        if (TREE_CODE(type) == ARRAY_TYPE) {
            type = TREE_TYPE(type);
        } else if (TREE_CODE(type) == RECORD_TYPE || TREE_CODE(type) == UNION_TYPE) {
            tree field = TYPE_FIELDS(type);
            while (field && (TREE_CODE(field) != FIELD_DECL || DECL_ARTIFICIAL(field)))
                field = DECL_CHAIN(field);
            if (!field) return {};
            type = TREE_TYPE(field);
        } else {
            break;
        }
    }
    ElementType element;
    element.scalar_bytes = bytes_of(type);
    if (TREE_CODE(type) == REAL_TYPE)
        element.scalar = 3;  // Scalar::kFloating of hooks.h
    else if (POINTER_TYPE_P(type))
        element.scalar = 4;
    else if (INTEGRAL_TYPE_P(type))
        element.scalar = TYPE_UNSIGNED(type) ? 2 : 1;
    return element;
}

// Where 16 bits are a half or a bfloat16, the name tells which: not a name that a typedef gives it.
std::string type_name(tree type) {
    tree pointed = type;
    while (POINTER_TYPE_P(pointed) || TREE_CODE(pointed) == ARRAY_TYPE)
        pointed = TREE_TYPE(pointed);
    if (CLASS_TYPE_P(pointed) && element_type(pointed).scalar_bytes == 2)
        type = strip_typedefs(type);
    return type_as_string(TYPE_MAIN_VARIANT(type), TFF_PLAIN_IDENTIFIER);
}

namespace {

constexpr unsigned kMostMembers = 64;

// Adds the innermost members of a value of the type at `offset_bytes`. Returns false if they are
// unknown.
bool add_members(tree type, unsigned long offset_bytes, const std::string& name,
                 std::vector<std::string>& members);

bool add_fields(tree type, unsigned long offset_bytes, const std::string& name,
                std::vector<std::string>& members) {
    for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) != FIELD_DECL) continue;
        if (DECL_BIT_FIELD_TYPE(field)) return false;
        const bool is_part = !DECL_NAME(field);  // a base class, or an anonymous structure
        if (DECL_ARTIFICIAL(field) && !is_part) continue;
        const std::string own = is_part ? "" : IDENTIFIER_POINTER(DECL_NAME(field));
        if (!add_members(TREE_TYPE(field), offset_bytes + int_byte_position(field),
                         name.empty() || own.empty() ? name + own : name + "." + own, members))
            return false;
    }
    return true;
}

bool add_members(tree type, unsigned long offset_bytes, const std::string& name,
                 std::vector<std::string>& members) {
    const bool is_half =
        bytes_of(type) == 2 && type_name(type).find("_") == 0;  // __half, __nv_bfloat16
    if (TREE_CODE(type) == ARRAY_TYPE) {
        const unsigned inner = bytes_of(TREE_TYPE(type));
        if (inner == 0 || bytes_of(type) / inner > kMostMembers) return false;
        for (unsigned i = 0; i < bytes_of(type) / inner; ++i)
            if (!add_members(TREE_TYPE(type), offset_bytes + i * inner,
                             name + "[" + std::to_string(i) + "]", members))
                return false;
        return true;
    }
    if (TREE_CODE(type) == RECORD_TYPE && !is_half)
        return add_fields(type, offset_bytes, name, members);
    const ElementType element = TREE_CODE(type) == UNION_TYPE ? ElementType{} : element_type(type);
    if (bytes_of(type) == 0 || members.size() == kMostMembers) return false;
    members.push_back(std::to_string(offset_bytes) + " " + std::to_string(element.scalar) + " " +
                      std::to_string(bytes_of(type)) + " " + name + " " + type_name(type));
    return true;
}

}  // namespace

std::string members_of(tree type) {
    std::vector<std::string> members;
    if (TREE_CODE(type) != RECORD_TYPE || !COMPLETE_TYPE_P(type) ||
        !add_members(type, 0, "", members))
        return "";
    std::string text;
    for (const std::string& member : members) text += (text.empty() ? "" : ";") + member;
    return text;
}

bool Descriptors::keeps_data = false;

Descriptors::Descriptors(tree function)
    : function_name_(lang_hooks.decl_printable_name(function, 1)) {}

tree Descriptors::site(location_t location, const SiteText& text, const SiteNumbers& numbers,
                       tree loop, tree variable) {
    unsigned line = 0, column = 0;
    Data data;
    data.text(place_in_file(location, line, column));
    data.text(function_name_);
    data.text(text.name);
    data.text(text.type);
    data.text(text.callee);
    data.text(text.members);
    data.pointer(loop);
    data.pointer(variable);
    for (unsigned value :
         {line, column, numbers.ordinal, numbers.kind, numbers.width_bytes, numbers.align_bytes,
          numbers.element.scalar, numbers.element.scalar_bytes, unsigned(numbers.in_library)})
        data.word(value);
    data.word(numbers.address);
    for (unsigned word = 0; word < kArithmeticPipes + 1; ++word) data.word(0);
    return build_fold_addr_expr(data.finish());
}

void Descriptors::set_instructions(tree site, const InstructionCounts& counts) {
    vec<constructor_elt, va_gc>& fields = *CONSTRUCTOR_ELTS(DECL_INITIAL(TREE_OPERAND(site, 0)));
    const unsigned first = fields.length() - (kArithmeticPipes + 1);
    for (unsigned pipe = 0; pipe < kArithmeticPipes; ++pipe)
        fields[first + pipe].value = build_int_cstu(unsigned_type_node, counts.by_pipe[pipe]);
    fields[first + kArithmeticPipes].value = build_int_cstu(unsigned_type_node, counts.clocks);
}

tree Descriptors::loop(tree outer, unsigned ordinal) {
    Data data;
    data.pointer(outer);
    data.wide(ordinal);
    return build_fold_addr_expr(data.finish());
}

tree Descriptors::inline_ptx(const std::string& text, const std::string& constraints,
                             bool has_operands) {
    Data data;
    data.text(text);
    data.text(constraints);
    data.wide(has_operands);
    data.pointer(NULL_TREE);  // InlinePtx::read, which the runtime sets
    return build_fold_addr_expr(data.finish());
}

tree Descriptors::subscripts(location_t location, const std::string& place, bool is_store,
                             const std::vector<unsigned>& extents) {
    constexpr std::size_t kMost = 4;  // Subscripts::kMost of hooks.h
    unsigned line = 0, column = 0;
    Data data;
    data.text(place_in_file(location, line, column));
    data.text(place);
    data.word(line);
    data.word(column);
    data.word(is_store);
    for (std::size_t i = 0; i < kMost; ++i) data.word(i < extents.size() ? extents[i] : 0);
    return build_fold_addr_expr(data.finish());
}

namespace {

std::map<tree, tree> known_variables, known_kernels;  // the data by the declaration

}  // namespace

void Descriptors::mark() {
    for (const std::map<tree, tree>* known : {&known_variables, &known_kernels})
        for (const auto& [decl, data] : *known) {
            gt_ggc_mx_tree_node(decl);
            if (data) gt_ggc_mx_tree_node(data);
        }
}

tree Descriptors::variable(tree decl) {
    tree& found = known_variables[decl];
    if (found) return build_fold_addr_expr(found);
    std::vector<unsigned> extents;
    tree element = TREE_TYPE(decl);
    for (; TREE_CODE(element) == ARRAY_TYPE; element = TREE_TYPE(element)) {
        const unsigned inner = bytes_of(TREE_TYPE(element));
        extents.push_back(inner == 0 ? 0 : bytes_of(element) / inner);
    }
    const bool shared = is_shared(decl), dynamic = shared && DECL_EXTERNAL(decl);
    const ElementType scalar = element_type(element);
    Data data;
    data.text(IDENTIFIER_POINTER(DECL_NAME(decl)));
    data.text(type_name(element));
    data.pointer(shared ? NULL_TREE : build_fold_addr_expr(decl));
    data.wide(dynamic ? 0 : bytes_of(TREE_TYPE(decl)));
    // Space of instrumentation/trace/space.h.
    data.word(shared ? 1 : lookup_attribute("tilereel_constant", DECL_ATTRIBUTES(decl)) ? 2 : 0);
    data.word(bytes_of(element));
    data.word(DECL_ALIGN_UNIT(decl));
    data.word(unsigned(extents.size()));
    extents.resize(4);
    for (unsigned extent : extents) data.word(extent);
    data.word(scalar.scalar);
    data.word(scalar.scalar_bytes);
    data.text(members_of(element));
    // A GPU's shared memory begins at a multiple of every width, and programs access an array of
    // narrow elements in wide words.
    constexpr unsigned kBits = 128;
    if (shared && !dynamic && DECL_ALIGN(decl) < kBits) {
        SET_DECL_ALIGN(decl, kBits);
        DECL_USER_ALIGN(decl) = 1;
    }
    found = data.finish();
    return build_fold_addr_expr(found);
}

// __cluster_dims__(x, y, z): extents that are not given are 1; 0: none is.
static void cluster_of(tree decl, unsigned (&extents)[3]) {
    tree attribute = lookup_attribute("tilereel_cluster", DECL_ATTRIBUTES(decl));
    for (unsigned& extent : extents) extent = attribute ? 1 : 0;
    unsigned i = 0;
    for (tree argument = attribute ? TREE_VALUE(attribute) : NULL_TREE; argument && i < 3;
         argument = TREE_CHAIN(argument), ++i) {
        tree value = maybe_constant_value(TREE_VALUE(argument));
        if (tree_fits_uhwi_p(value)) extents[i] = unsigned(tree_to_uhwi(value));
    }
}

const std::map<tree, tree>& Descriptors::kernel_descriptors() { return known_kernels; }

tree Descriptors::kernel_descriptor(tree decl) {
    tree& found = known_kernels[decl];
    if (found) return found;
    unsigned line = 0, column = 0;
    Data data;
    data.pointer(build_fold_addr_expr(decl));
    data.pointer(NULL_TREE);  // the version without hooks; unhooked.cpp
    data.text(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)));
    data.text(lang_hooks.decl_printable_name(decl, 1));
    data.text(place_in_file(DECL_SOURCE_LOCATION(decl), line, column));
    data.wide(line);
    unsigned extents[3];
    cluster_of(decl, extents);
    for (const unsigned extent : extents) data.word(extent);
    return found = data.finish();
}

}  // namespace tilereel::runtime
