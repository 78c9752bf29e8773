#include "submission_rules.h"

#include <map>
#include <set>

#include "descriptors.h"
#include "references.h"

namespace tilereel::runtime {

std::string submission;

namespace {

// Whoever reads the compiler's messages knows by the first words that a rule is broken, and not the
// language.
void refuse(location_t location, const std::string& why) {
    error_at(location, "not accepted: %s", why.c_str());
}

constexpr const char* kMain = "tilereel_main_of_the_file";
constexpr const char* kHostCode =
    "host code outside main() may only compute numbers and launch kernels";

bool begins(const char* text, const char* with) { return strncmp(text, with, strlen(with)) == 0; }
const char* short_name(tree decl) {
    return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}
std::string full_name(tree decl) { return lang_hooks.decl_printable_name(decl, 1); }

// A macro of a header that the file uses is the file's own code.
bool is_submitted(tree decl) {
    const location_t location = linemap_resolve_location(line_table, DECL_SOURCE_LOCATION(decl),
                                                         LRK_MACRO_EXPANSION_POINT, NULL);
    const char* const file = LOCATION_FILE(location);
    return file && submission == file;
}

// The outermost namespace that the declaration is in.
std::string outermost_scope(tree decl) {
    std::string name;
    for (tree scope = CP_DECL_CONTEXT(decl); scope && scope != global_namespace;
         scope = TYPE_P(scope) ? CP_TYPE_CONTEXT(scope) : CP_DECL_CONTEXT(scope))
        name = TREE_CODE(scope) == NAMESPACE_DECL ? short_name(scope) : "";
    return name;
}

bool is_in_main(tree decl) {
    for (; decl; decl = decl_function_context(decl))
        if (id_equal(DECL_NAME(decl), kMain)) return true;
    return false;
}

// A definition that the linker would take in place of one of ours or of the libraries.
void check_name(tree decl) {
    if (DECL_ARTIFICIAL(decl)) return;  // of the compiler, such as what begins variables
    const std::string scope = outermost_scope(decl);
    const bool replaces = IDENTIFIER_NEWDEL_OP_P(DECL_NAME(decl));
    if (DECL_EXTERN_C_P(decl) || replaces || scope == "std" || scope == "tilereel" ||
        begins(short_name(decl), "cuda"))
        refuse(DECL_SOURCE_LOCATION(decl),
               full_name(decl) +
                   "() takes the place of a function of a library: give it another name");
}

bool is_launch_parameter(tree pointer) {
    return TREE_CODE(pointer) == PARM_DECL && begins(short_name(pointer), "tilereel_");
}

// Whether host code reads or writes what it has no name for.
bool is_unnamed_memory(tree operand) {
    if (!operand || !is_memory(operand)) return false;
    for (tree part = operand; handled_component_p(part); part = TREE_OPERAND(part, 0))
        if (TREE_CODE(part) == ARRAY_REF || TREE_CODE(part) == ARRAY_RANGE_REF) return true;
    tree base = get_base_address(operand);
    if (!base) return true;
    if (TREE_CODE(base) == MEM_REF)
        return TREE_CODE(TREE_OPERAND(base, 0)) != ADDR_EXPR &&
               !is_launch_parameter(TREE_OPERAND(base, 0));
    return !DECL_P(base) || DECL_HARD_REGISTER(base) ||
           (is_global_var(base) && !DECL_ARTIFICIAL(base) && !is_submitted(base));
}

bool is_named_local_address(tree argument) {
    if (TREE_CODE(argument) != ADDR_EXPR) return false;
    tree base = get_base_address(TREE_OPERAND(argument, 0));
    return base && DECL_P(base) && is_local(base);
}

bool is_allowed_api(gimple* call, const std::string& name) {
    static const std::set<std::string> names = {"cudaMalloc",
                                                "cudaFree",
                                                "cudaMemset",
                                                "cudaMemsetAsync",
                                                "cudaGetLastError",
                                                "cudaPeekAtLastError",
                                                "cudaFuncSetAttribute",
                                                "cudaDeviceSynchronize",
                                                "min",
                                                "max"};
    if (!names.count(name)) return false;
    return name != "cudaMalloc" ||
           (gimple_call_num_args(call) > 0 && is_named_local_address(gimple_call_arg(call, 0)));
}

std::map<tree, location_t> called;  // functions of the file, and a place of a call

// Whether host code of the file may make the call.
bool is_allowed_call(tree caller, gimple* call, location_t location) {
    if (gimple_call_internal_p(call)) return true;
    tree callee = gimple_call_fndecl(call);
    if (!callee) return false;
    if (is_submitted(callee)) {
        if (id_equal(DECL_NAME(callee), kMain)) return false;
        if (is_device_function(callee))  // a kernel is called by the lambda of its launch
            return DECL_LANG_SPECIFIC(caller) && LAMBDA_FUNCTION_P(caller) &&
                   lookup_attribute("tilereel_global", DECL_ATTRIBUTES(callee));
        called.emplace(callee, location);
        return true;
    }
    const std::string scope = outermost_scope(callee);
    if (scope == "tilereel") return true;  // the submission cannot name it
    const std::string name = short_name(callee);
    if (is_allowed_api(call, name)) return scope.empty();
    if (DECL_LANG_SPECIFIC(callee) && DECL_CONSTRUCTOR_P(callee) && scope.empty()) return true;
    if (fndecl_built_in_p(callee) && (flags_from_decl_or_type(callee) & ECF_CONST)) return true;
    // Of <iostream>.
    return full_name(callee).find("ios_base::Init::Init") != std::string::npos ||
           name == "__cxa_atexit";
}

// The function as the file names it: g++ makes other functions of some calls of printf().
std::string written_name(tree callee) {
    std::string name = short_name(callee);
    if (!fndecl_built_in_p(callee) || !begins(name.c_str(), "__builtin_")) return full_name(callee);
    name.erase(0, strlen("__builtin_"));
    return (name == "puts" || name == "putchar" ? "printf" : name) + "()";
}

void check_host_statement(tree caller, gimple* statement, location_t location) {
    if (gimple_code(statement) == GIMPLE_ASM)
        return refuse(location, std::string("assembly: ") + kHostCode);
    if (is_gimple_call(statement) && !is_allowed_call(caller, statement, location)) {
        tree callee = gimple_call_fndecl(statement);
        const std::string what =
            callee ? written_name(callee) : std::string("a pointer to a function");
        return refuse(location, "a call of " + what + ": " + kHostCode);
    }
    for (unsigned i = 0; i < gimple_num_ops(statement); ++i)
        if (is_unnamed_memory(gimple_op(statement, i)))
            return refuse(location,
                          std::string("an array, or memory behind a pointer or a reference: ") +
                              kHostCode + "; pass pointers on, and take other values by value");
}

// Functions of CUDA that access memory, such as atomicAdd(), get a hook at their call.
bool has_own_hook(tree callee) {
    return lookup_attribute("tilereel_access", DECL_ATTRIBUTES(callee)) ||
           lookup_attribute("tilereel_call", DECL_ATTRIBUTES(callee)) ||
           outermost_scope(callee) == "tilereel";
}

// An access without a hook would not be counted.
void check_device_statement(gimple* statement, location_t location) {
    if (is_gimple_call(statement)) {
        if (gimple_call_internal_p(statement)) return;
        tree callee = gimple_call_fndecl(statement);
        if (!callee) return refuse(location, "a call through a pointer: name the function");
        if (is_device_function(callee) || has_own_hook(callee)) return;
        // The compiler makes puts() of a printf() without values.
        std::string name = short_name(callee);
        if (fndecl_built_in_p(callee) && name.rfind("__builtin_", 0) == 0)
            name.erase(0, strlen("__builtin_"));
        if (name == "printf" || name == "puts" || name == "putchar" || name == "__assert_fail")
            return;
        if (DECL_EXTERN_C_P(callee) && !fndecl_built_in_p(callee) &&
            in_system_header_at(DECL_SOURCE_LOCATION(callee)))
            return refuse(location, name + "() is a function of the host");
        for (unsigned i = 0; i < gimple_call_num_args(statement); ++i) {
            tree argument = gimple_call_arg(statement, i);
            if (POINTER_TYPE_P(TREE_TYPE(argument)) && !is_named_local_address(argument))
                return refuse(location, full_name(callee) +
                                            "() accesses memory without being counted: write the "
                                            "access yourself");
        }
        return;
    }
    for (unsigned i = 0; i < gimple_num_ops(statement); ++i) {
        tree operand = gimple_op(statement, i);
        if (!operand || !is_memory(operand) || is_recorded(operand)) continue;
        const bool is_part =
            TREE_CODE(operand) == BIT_FIELD_REF ||
            (TREE_CODE(operand) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(operand, 1)));
        tree base = get_base_address(operand);
        if (is_part && base && TREE_CODE(base) == MEM_REF)
            return refuse(location, "an access of a bit-field is not counted: use a whole type");
    }
}

}  // namespace

void check_submission(function* function) {
    tree decl = function->decl;
    if (submission.empty() || !is_submitted(decl) || is_in_main(decl)) return;
    check_name(decl);
    const bool device = is_device_function(decl);
    location_t location = DECL_SOURCE_LOCATION(decl);
    basic_block bb;
    FOR_EACH_BB_FN(bb, function)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        if (gimple_has_location(statement)) location = gimple_location(statement);
        if (gimple_clobber_p(statement)) continue;
        if (device)
            check_device_statement(statement, location);
        else
            check_host_statement(decl, statement, location);
    }
}

void check_submitted_calls() {
    for (const auto& [callee, location] : called) {
        cgraph_node* const node = cgraph_node::get(callee);
        if (!node || !node->definition || node->alias)
            refuse(location, "a call of " + full_name(callee) +
                                 ", which the file only declares: " + kHostCode);
    }
}

}  // namespace tilereel::runtime
