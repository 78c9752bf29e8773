#include "instrumentation/program/build/own_c_functions.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "instrumentation/program/process.h"

namespace tilereel::program {
namespace {

// A program that replaces these replaces them for its libraries, too: the allocator of a program.
bool allocates(std::string_view name) {
    for (const std::string_view each :
         {"malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign",
          "aligned_alloc", "posix_memalign", "valloc", "pvalloc", "malloc_usable_size"})
        if (name == each) return true;
    return false;
}

// Null if the library cannot be found, for example in a program that is linked statically.
void* c_library() {
    static void* const library = dlopen("libc.so.6", RTLD_LAZY);
    return library;
}

void add_functions(Elf* elf, Elf_Scn* section, const GElf_Shdr& header,
                   std::set<std::string>& names) {
    Elf_Data* const data = elf_getdata(section, nullptr);
    const auto count = header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
    for (std::uint64_t i = 0; data != nullptr && i < count; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
        const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
        const auto binding = GELF_ST_BIND(symbol.st_info);
        if (name == nullptr || symbol.st_shndx == SHN_UNDEF || binding == STB_LOCAL ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        // The names of C++'s functions are not in the C library.
        if (std::string_view(name).starts_with("_Z") || allocates(name)) continue;
        if (dlsym(c_library(), name) != nullptr) names.insert(name);
    }
}

void add_functions(const std::filesystem::path& object, std::set<std::string>& names) {
    const int file = ::open(object.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    elf_version(EV_CURRENT);
    Elf* const elf = elf_begin(file, ELF_C_READ, nullptr);
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_SYMTAB)
            add_functions(elf, section, header, names);
    }
    elf_end(elf);
    ::close(file);
}

}  // namespace

std::vector<std::string> own_c_functions(const std::vector<std::filesystem::path>& objects) {
    std::set<std::string> names;
    if (c_library() != nullptr)
        for (const std::filesystem::path& object : objects) add_functions(object, names);
    return {names.begin(), names.end()};
}

Status keep_own_c_functions(const std::vector<std::filesystem::path>& objects,
                            const RunTool& run_tool) {
    const std::vector<std::string> names = own_c_functions(objects);
    if (names.empty()) return Done{};
    for (const std::filesystem::path& object : objects) {
        std::vector<std::string> command = {"objcopy"};
        for (const std::string& name : names)
            command.push_back("--redefine-sym=" + name + "=tilereel_program_" + name);
        command.push_back(object.string());
        const Result<ProcessResult> renamed = run_tool(std::move(command));
        if (!renamed || !renamed->succeeded())
            return failed("the program defines " + names.front() +
                          "(), which the C library has, too, and objcopy cannot rename it: install "
                          "binutils, or give the function another name");
    }
    return Done{};
}

}  // namespace tilereel::program
