// What nvcc refuses in device code is an error here, too: host code that ran in place of device
// code would not be recorded, and could end the process. Functions that are __host__ __device__ are
// not checked, because nvcc only warns there.
#include "device_rules.h"

#include <set>
#include <string>

#include "adopted_functions.h"
#include "descriptors.h"
#include "host_library.h"
#include "references.h"

namespace tilereel::runtime {
namespace {

bool is_attributed(tree decl, const char* attribute) {
    for (; decl; decl = decl_function_context(decl))
        if (lookup_attribute(attribute, DECL_ATTRIBUTES(decl))) return true;
    return false;
}

// The folder of our headers, with a slash at its end; empty if the file includes none of them.
const std::string& folder_of_our_headers() {
    static const std::string folder = [] {
        constexpr const char* kDeclares = "tilereel/language.h";  // where threadIdx is declared
        tree known = get_global_binding(get_identifier("threadIdx"));
        const char* const file = known ? LOCATION_FILE(DECL_SOURCE_LOCATION(known)) : NULL;
        const std::string path = file ? file : "";
        const size_t at = path.rfind(kDeclares);
        return at == std::string::npos ? std::string() : path.substr(0, at);
    }();
    return folder;
}

// Whether the user wrote the declaration: no header of the system or of ours has it.
bool is_of_user(tree decl) {
    const location_t location = DECL_SOURCE_LOCATION(decl);
    if (location <= BUILTINS_LOCATION || in_system_header_at(location)) return false;
    const std::string& ours = folder_of_our_headers();
    const char* const file = LOCATION_FILE(location);
    return file && !ours.empty() && strncmp(file, ours.c_str(), ours.size()) != 0;
}

// Whether our headers have a function of this name, which exists on a GPU: min(), max() and the
// mathematical functions. nvcc takes the user's function for another declaration of it.
bool is_named_as_ours(tree callee) {
    if (fndecl_built_in_p(callee)) return true;
    tree others = get_global_binding(DECL_NAME(callee));
    for (ovl_iterator other(others); other; ++other)
        if (TREE_CODE(*other) != TYPE_DECL && !is_of_user(*other)) return true;
    return false;
}

// "f"; of a library "std::vector<int>::push_back".
std::string name_of(tree decl) {
    std::string name = lang_hooks.decl_printable_name(decl, is_of_user(decl) ? 0 : 1);
    const std::string inner = "__cxx11::";
    for (size_t at; (at = name.find(inner)) != std::string::npos;) name.erase(at, inner.size());
    return name;
}

// "kernel k" or "device function f"
std::string title_of(tree decl) {
    return (is_attributed(decl, "tilereel_global") ? "kernel " : "device function ") +
           name_of(decl);
}

// The function that a virtual call names: that of the class which the call names.
tree virtual_callee(gimple* call) {
    tree reference = gimple_call_fn(call);
    if (!reference || TREE_CODE(reference) != OBJ_TYPE_REF) return NULL_TREE;
    tree type = obj_type_ref_class(reference);
    if (!type || !CLASS_TYPE_P(type) || !TYPE_BINFO(type)) return NULL_TREE;
    unsigned HOST_WIDE_INT index = tree_to_uhwi(OBJ_TYPE_REF_TOKEN(reference));
    tree entry = BINFO_VIRTUALS(TYPE_BINFO(type));
    for (; entry && index > 0; --index) entry = TREE_CHAIN(entry);
    return entry ? BV_FN(entry) : NULL_TREE;
}

// What to do instead of a built-in function of g++ that changes memory; NULL: it is none.
const char* advice_against_built_in(tree callee) {
    if (!fndecl_built_in_p(callee, BUILT_IN_NORMAL) || !DECL_NAME(callee)) return NULL;
    const std::string name = IDENTIFIER_POINTER(DECL_NAME(callee));
    if (name == "__sync_synchronize" || name == "__atomic_thread_fence" ||
        name == "__atomic_signal_fence")
        return "; use __threadfence()";
    return name.rfind("__sync_", 0) == 0 || name.rfind("__atomic_", 0) == 0
               ? "; use atomicAdd() and its like, or cuda::atomic_ref"
               : NULL;
}

// What to do instead of the call; NULL: device code can make it.
const char* advice_against(tree callee) {
    if (const char* const advice = advice_against_built_in(callee)) return advice;
    constexpr const char* kContainers = "; use arrays, printf(), or what <cuda/std/...> has";
    if (is_host_function_of_user(callee)) return "; mark it __device__, or __host__ __device__";
    if (DECL_NAME(callee) && is_of_host_c_library(callee))
        return TREE_THIS_VOLATILE(callee)  // does not return
                   ? "; end a thread with return, or the launch with __trap()"
                   : "";
    if (is_of_host_cpp_library(callee)) return kContainers;
    const bool is_made = DECL_LANG_SPECIFIC(callee) && DECL_CLASS_SCOPE_P(callee) &&
                         DECL_DESTRUCTOR_P(callee) &&
                         (DECL_ARTIFICIAL(callee) || DECL_DEFAULTED_FN(callee));
    return is_made && destroys_host_class(DECL_CONTEXT(callee)) ? kContainers : NULL;
}

// Whether it is a lambda that a function of the host makes, without __device__.
bool is_lambda_of_host(tree callee) {
    if (!DECL_LANG_SPECIFIC(callee) || !LAMBDA_FUNCTION_P(callee) || !is_of_user(callee))
        return false;
    tree maker = decl_function_context(TYPE_NAME(DECL_CONTEXT(callee)));
    return maker && !is_device_function(maker);
}

void check_call(tree caller, gimple* call, location_t location) {
    if (gimple_call_alloca_for_var_p(as_a<gcall*>(call))) {
        error_at(location,
                 "%s has an array whose length is not a constant: device code cannot have one; "
                 "give it a constant length",
                 title_of(caller).c_str());
        return;
    }
    tree callee = gimple_call_fndecl(call);
    if (!callee) callee = virtual_callee(call);
    if (!callee || is_device_function(callee)) return;
    const std::string symbol =
        DECL_NAME(callee) ? IDENTIFIER_POINTER(DECL_NAME(callee)) : std::string();
    const bool catches = symbol == "__cxa_begin_catch";
    if (catches || symbol == "__cxa_throw" || symbol == "__cxa_rethrow") {
        error_at(location, "%s %s an exception: device code has no exceptions",
                 title_of(caller).c_str(), catches ? "catches" : "throws");
        return;
    }
    if (is_lambda_of_host(callee)) {
        error_at(location,
                 "%s calls a lambda of host code: mark it __device__, as in [=] __device__ (int i) "
                 "{ ... }",
                 title_of(caller).c_str());
        return;
    }
    if (const char* const advice = advice_against(callee))
        error_at(location, "%s calls %s(), which is host code: device code cannot call it%s",
                 title_of(caller).c_str(), name_of(callee).c_str(), advice);
}

// A __device__ lambda of host code runs in a kernel, where the variables of the function that makes
// it do not exist. CUDA C++ Programming Guide, "Extended Lambda Restrictions".
void check_captures(tree lambda) {
    tree maker = decl_function_context(TYPE_NAME(DECL_CONTEXT(lambda)));
    if (!lookup_attribute("tilereel_device", DECL_ATTRIBUTES(lambda)) || !maker ||
        is_device_function(maker))
        return;
    for (tree field = TYPE_FIELDS(DECL_CONTEXT(lambda)); field; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) != FIELD_DECL || !TYPE_REF_P(TREE_TYPE(field))) continue;
        const char* const name = DECL_NAME(field) ? IDENTIFIER_POINTER(DECL_NAME(field)) : "";
        error_at(DECL_SOURCE_LOCATION(lambda),
                 "the __device__ lambda captures %s by reference, which is a variable of the host: "
                 "capture it by value, with [=]",
                 std::string(name).substr(strncmp(name, "__", 2) == 0 ? 2 : 0).c_str());
    }
}

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": the maximum amount
// of local memory per thread. ptxas refuses more.
void check_size(tree caller, tree local) {
    constexpr unsigned HOST_WIDE_INT kMostBytes = 512 << 10;
    tree size = TYPE_SIZE_UNIT(TREE_TYPE(local));
    if (!size || !tree_fits_uhwi_p(size) || tree_to_uhwi(size) <= kMostBytes) return;
    const std::string name = DECL_NAME(local) ? IDENTIFIER_POINTER(DECL_NAME(local)) : "an object";
    error_at(DECL_SOURCE_LOCATION(local),
             "%s: %s has %s bytes; a thread of a GPU has at most 512 KiB (524288 bytes) of local "
             "memory; put it into memory that cudaMalloc gives",
             title_of(caller).c_str(), name.c_str(), std::to_string(tree_to_uhwi(size)).c_str());
}

// Whether it is of a type with the attribute vector_size, or a part of such an object.
bool is_of_vector(tree reference) {
    for (; handled_component_p(reference); reference = TREE_OPERAND(reference, 0))
        if (VECTOR_TYPE_P(TREE_TYPE(reference))) return true;
    return TREE_TYPE(reference) && VECTOR_TYPE_P(TREE_TYPE(reference));
}

}  // namespace

bool is_host_function_of_user(tree callee) {
    if (DECL_ARTIFICIAL(callee) || !is_of_user(callee) || is_named_as_ours(callee)) return false;
    if (!DECL_LANG_SPECIFIC(callee)) return true;
    return !DECL_DECLARED_CONSTEXPR_P(callee) && !DECL_DEFAULTED_FN(callee) &&
           !LAMBDA_FUNCTION_P(callee) && !DECL_TEMPLATE_SPECIALIZATION(callee);
}

bool is_of_our_headers(tree decl) {
    const char* const file = LOCATION_FILE(DECL_SOURCE_LOCATION(decl));
    const std::string& ours = folder_of_our_headers();
    return file && !ours.empty() && strncmp(file, ours.c_str(), ours.size()) == 0;
}

void check_device_rules(function* function) {
    tree decl = function->decl;
    if (!is_of_user(decl) || is_attributed(decl, "tilereel_host") || is_adopted(decl)) return;
    if (DECL_LANG_SPECIFIC(decl) && LAMBDA_FUNCTION_P(decl)) check_captures(decl);
    if (lookup_attribute("tilereel_global", DECL_ATTRIBUTES(decl)) &&
        !VOID_TYPE_P(TREE_TYPE(TREE_TYPE(decl))))
        error_at(DECL_SOURCE_LOCATION(decl), "%s returns a value: a kernel must return void",
                 title_of(decl).c_str());
    bool has_vector = false;
    std::set<tree> used;  // local variables; nvcc leaves out those that are not used
    location_t location = DECL_SOURCE_LOCATION(decl);
    basic_block bb;
    FOR_EACH_BB_FN(bb, function)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        if (gimple_has_location(statement)) location = gimple_location(statement);
        if (gimple_clobber_p(statement)) continue;
        if (is_gimple_call(statement)) check_call(decl, statement, location);
        for (unsigned i = 0; i < gimple_num_ops(statement); ++i) {
            tree operand = gimple_op(statement, i);
            if (operand && !has_vector && is_of_vector(operand)) {
                has_vector = true;
                error_at(location,
                         "%s uses a type with the attribute vector_size: device code cannot; use "
                         "float4 and its like",
                         title_of(decl).c_str());
            }
            if (operand && TREE_CODE(operand) == ADDR_EXPR) operand = TREE_OPERAND(operand, 0);
            tree base = operand && is_memory(operand) ? get_base_address(operand) : NULL_TREE;
            if (base && VAR_P(base) && is_local(base) && used.insert(base).second)
                check_size(decl, base);
        }
    }
}

// A constructor that does nothing leaves no initial value.
void check_shared_variable(tree decl) {
    if (!VAR_P(decl) || !lookup_attribute("tilereel_shared", DECL_ATTRIBUTES(decl)) ||
        !is_of_user(decl) || !DECL_INITIAL(decl) || DECL_INITIAL(decl) == error_mark_node)
        return;
    tree type = strip_array_types(TREE_TYPE(decl));
    if (CLASS_TYPE_P(type) && !TYPE_HAS_TRIVIAL_DFLT(type)) return;
    error_at(DECL_SOURCE_LOCATION(decl),
             "%s is in shared memory and has an initial value: shared memory cannot have one; let "
             "threads store it, then __syncthreads()",
             IDENTIFIER_POINTER(DECL_NAME(decl)));
}

}  // namespace tilereel::runtime
