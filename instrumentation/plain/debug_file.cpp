#include "instrumentation/plain/debug_file.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "instrumentation/plain/assembly.h"

namespace tilereel::plain {
namespace {

// Guard variables ("_ZGV..."), which say whether a thread-local variable has been initialised:
// Itanium C++ ABI, 5.2.2.
void read_guards(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Marks& marks) {
    Elf_Data* const data = elf_getdata(section, nullptr);
    const auto count = header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
    for (std::uint64_t i = 0; data != nullptr && i < count; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
        const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && name != nullptr &&
            std::string_view(name).starts_with("_ZGV"))
            marks.guards.push_back(symbol.st_value);
    }
}

void read_marks(const Elf_Data* data, Marks& marks) {
    if (data == nullptr) return;
    std::array<std::uint64_t, 3> record{};
    for (std::size_t at = 0; at + sizeof record <= data->d_size; at += sizeof record) {
        std::memcpy(record.data(), static_cast<const char*>(data->d_buf) + at, sizeof record);
        if (record[1] <= 1) continue;  // the linker has dropped this code
        const auto kind = static_cast<Mark>(record[0]);
        if (kind == Mark::kLoop)
            marks.loops.push_back({record[1], record[2]});
        else
            marks.calls.push_back({record[1], kind == Mark::kStoreOfCopy});
    }
}

}  // namespace

DebugFile::DebugFile(const std::filesystem::path& path)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ >= 0) dwarf_ = dwarf_begin(file_, DWARF_C_READ);
}

DebugFile::~DebugFile() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (file_ >= 0) close(file_);
}

Marks DebugFile::marks() const {
    Marks marks;
    Elf* const elf = dwarf_getelf(dwarf_);
    std::size_t names = 0;
    if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) return marks;
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) continue;
        if (header.sh_type == SHT_SYMTAB) read_guards(elf, section, header, marks);
        const char* const name = elf_strptr(elf, names, header.sh_name);
        if (name != nullptr && name == kMarksSection)
            read_marks(elf_getdata(section, nullptr), marks);
    }
    std::ranges::sort(marks.calls, {}, &MarkedCall::address);
    return marks;
}

}  // namespace tilereel::plain
