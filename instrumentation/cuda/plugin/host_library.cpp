#include "host_library.h"

#include <set>
#include <string>

namespace tilereel::runtime {
namespace {

bool is_in_std(tree scope) {
    while (scope && scope != global_namespace) {
        if (scope == std_node) return true;
        scope = TYPE_P(scope) ? CP_TYPE_CONTEXT(scope) : CP_DECL_CONTEXT(scope);
    }
    return false;
}

// Whether a header that cuda::std has, too, declares it.
bool is_of_cuda_std(tree decl) {
    static const std::set<std::string> files = {"array",
                                                "bit",
                                                "chrono",
                                                "cmath",
                                                "complex",
                                                "functional",
                                                "initializer_list",
                                                "invoke.h",
                                                "move.h",
                                                "numeric",
                                                "optional",
                                                "range_access.h",
                                                "refwrap.h",
                                                "span",
                                                "std_abs.h",
                                                "stl_function.h",
                                                "stl_iterator.h",
                                                "stl_iterator_base_funcs.h",
                                                "stl_numeric.h",
                                                "stl_pair.h",
                                                "tuple",
                                                "utility",
                                                "utility.h"};
    const char* const file = LOCATION_FILE(DECL_SOURCE_LOCATION(decl));
    const std::string path = file ? file : "";
    return files.count(path.substr(path.rfind('/') + 1));
}

// Whether the type is one of the containers that C++20 makes constexpr.
bool is_constexpr_container(tree type) {
    if (!CLASS_TYPE_P(type) || !is_in_std(CP_TYPE_CONTEXT(type))) return false;
    tree name = TYPE_NAME(TYPE_MAIN_VARIANT(type));
    if (!name || TREE_CODE(name) != TYPE_DECL) return false;
    const std::string text = IDENTIFIER_POINTER(DECL_NAME(name));
    return text == "vector" || text == "basic_string";
}

// An object without content. A container has one more sentence for what it is called with.
bool is_allocator(tree type) {
    tree name = type ? TYPE_NAME(TYPE_MAIN_VARIANT(type)) : NULL_TREE;
    return name && TREE_CODE(name) == TYPE_DECL && id_equal(DECL_NAME(name), "allocator");
}

// Whether the global namespace has a function of this name, as it has abs() and frexp(): those of
// the C library exist on a GPU.
bool is_named_as_global(tree callee) {
    tree others = get_global_binding(DECL_NAME(callee));
    for (ovl_iterator other(others); other; ++other)
        if (TREE_CODE(*other) == FUNCTION_DECL) return true;
    return false;
}

}  // namespace

bool is_of_host_c_library(tree callee) {
    static const std::set<std::string> names = {
        "_Exit",      "_exit",    "abort",          "aligned_alloc", "atexit",       "atof",
        "atoi",       "bcmp",     "bcopy",          "bzero",         "calloc",       "close",
        "drand48",    "execl",    "execv",          "execve",        "execvp",       "exit",
        "fclose",     "fflush",   "fgetc",          "fgets",         "fopen",        "fork",
        "fprintf",    "fputc",    "fputs",          "fread",         "fscanf",       "fseek",
        "fwrite",     "getchar",  "getenv",         "getpid",        "gettimeofday", "index",
        "kill",       "longjmp",  "lrand48",        "memccpy",       "memchr",       "memcmp",
        "mempcpy",    "memrchr",  "mmap",           "munmap",        "nanosleep",    "open",
        "perror",     "popen",    "posix_memalign", "putchar",       "puts",         "qsort",
        "quick_exit", "raise",    "rand",           "rand_r",        "random",       "read",
        "realloc",    "rindex",   "scanf",          "setenv",        "siglongjmp",   "signal",
        "sleep",      "snprintf", "sprintf",        "srand",         "srandom",      "sscanf",
        "stpcpy",     "stpncpy",  "strcasecmp",     "strcat",        "strchr",       "strcmp",
        "strcpy",     "strcspn",  "strdup",         "strlen",        "strncasecmp",  "strncat",
        "strncmp",    "strncpy",  "strnlen",        "strpbrk",       "strrchr",      "strspn",
        "strstr",     "strtod",   "strtof",         "strtok",        "strtol",       "strtoul",
        "system",     "time",     "usleep",         "vfprintf",      "write"};
    if (!TREE_PUBLIC(callee) || !DECL_EXTERNAL(callee) || !DECL_EXTERN_C_P(callee)) return false;
    const std::string name = IDENTIFIER_POINTER(DECL_NAME(callee)), prefix = "__builtin_";
    if (name.rfind(prefix, 0) != 0) return names.count(name);
    // g++ makes __builtin_puts() and __builtin_putchar() of printf().
    const std::string rest = name.substr(prefix.size());
    return rest != "puts" && rest != "putchar" && names.count(rest);
}

bool is_of_host_cpp_library(tree callee) {
    if (!DECL_LANG_SPECIFIC(callee) || !DECL_NAME(callee) || DECL_EXTERN_C_P(callee)) return false;
    if (fndecl_built_in_p(callee) || !is_in_std(CP_DECL_CONTEXT(callee))) return false;
    tree type = DECL_CLASS_SCOPE_P(callee) ? DECL_CONTEXT(callee) : NULL_TREE;
    if (type && is_constexpr_container(type)) return true;
    if (type && is_allocator(type)) return false;
    if (DECL_DECLARED_CONSTEXPR_P(callee) || DECL_ARTIFICIAL(callee) || DECL_DEFAULTED_FN(callee))
        return false;
    return !is_of_cuda_std(callee) && (type || !is_named_as_global(callee));
}

bool destroys_host_class(tree type) {
    type = strip_array_types(type);
    if (!CLASS_TYPE_P(type) || !COMPLETE_TYPE_P(type)) return false;
    tree destructor = CLASSTYPE_DESTRUCTOR(type);
    if (!destructor) return false;  // it has none, or one that does nothing
    if (is_of_host_cpp_library(destructor)) return true;
    if (!DECL_ARTIFICIAL(destructor) && !DECL_DEFAULTED_FN(destructor)) return false;
    for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field))  // bases are fields
        if (TREE_CODE(field) == FIELD_DECL && destroys_host_class(TREE_TYPE(field))) return true;
    return false;
}

}  // namespace tilereel::runtime
