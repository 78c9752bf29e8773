#include "instrumentation/gpu/cubin/cubin.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace tilereel::gpu {
namespace {

constexpr std::string_view kText = ".text.";
constexpr std::size_t kInstructionBytes = 16;
// Each section gets addresses of its own, which tell in the table of lines whose a line is.
constexpr unsigned kSectionShift = 32;

class Cubin {
  public:
    explicit Cubin(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

    Result<std::vector<MachineKernel>> kernels() {
        TRY(read_sections());
        std::map<std::size_t, MachineKernel> found;
        for (std::size_t i = 0; i < sections_.size(); ++i) {
            const std::string_view name = name_of(sections_[i]);
            if (name.starts_with(kText) && sections_[i].sh_type == SHT_PROGBITS)
                found.emplace(i, kernel_of(sections_[i], name.substr(kText.size())));
        }
        if (found.empty()) return damaged();
        add_registers(found);
        relocate_lines();
        add_lines(found);
        std::vector<MachineKernel> kernels;
        for (auto& [section, kernel] : found) kernels.push_back(std::move(kernel));
        return kernels;
    }

  private:
    static Error damaged() { return failed("nvcc's machine code cannot be read"); }

    template <class Type>
    [[nodiscard]] bool read(std::uint64_t at, Type& to) const {
        if (at > bytes_.size() || bytes_.size() - at < sizeof to) return false;
        std::memcpy(&to, &bytes_[at], sizeof to);
        return true;
    }

    Status read_sections() {
        Elf64_Ehdr header{};
        if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
            header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_CUDA)
            return damaged();
        for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
            Elf64_Shdr section{};
            if (!read(header.e_shoff + i * sizeof section, section)) return damaged();
            const bool has_bytes = section.sh_type != SHT_NOBITS;
            if (has_bytes && (section.sh_offset > bytes_.size() ||
                              section.sh_size > bytes_.size() - section.sh_offset))
                return damaged();
            sections_.push_back(section);
        }
        if (header.e_shstrndx >= sections_.size()) return damaged();
        names_ = text_of(sections_[header.e_shstrndx]);
        return Done{};
    }
    [[nodiscard]] std::string_view text_of(const Elf64_Shdr& section) const {
        return {reinterpret_cast<const char*>(bytes_.data()) + section.sh_offset, section.sh_size};
    }
    [[nodiscard]] std::string_view name_of(const Elf64_Shdr& section) const {
        if (section.sh_name >= names_.size()) return {};
        const std::string_view from = names_.substr(section.sh_name);
        return from.substr(0, from.find('\0'));
    }
    [[nodiscard]] const Elf64_Shdr* find(std::string_view name) const {
        const auto found = std::ranges::find(
            sections_, name, [&](const Elf64_Shdr& section) { return name_of(section); });
        return found == sections_.end() ? nullptr : &*found;
    }

    [[nodiscard]] MachineKernel kernel_of(const Elf64_Shdr& section, std::string_view name) const {
        MachineKernel kernel{
            .symbol = std::string(name), .registers = 0, .files = {""}, .instructions = {}};
        for (std::uint64_t at = 0; at + kInstructionBytes <= section.sh_size;
             at += kInstructionBytes) {
            std::uint64_t low = 0, high = 0;
            if (!read(section.sh_offset + at, low) || !read(section.sh_offset + at + 8, high))
                break;
            kernel.instructions.push_back(
                decoded(low, high, static_cast<std::uint32_t>(at / kInstructionBytes)));
        }
        return kernel;
    }

    // The attributes in .nv.info: a format, a number, and for format 4 the bytes that follow, else
    // two bytes. Attribute 0x2f has a symbol's number and its registers.
    void add_registers(std::map<std::size_t, MachineKernel>& kernels) const {
        constexpr std::uint8_t kSized = 4, kRegisters = 0x2f;
        const Elf64_Shdr* const facts = find(".nv.info");
        if (facts == nullptr) return;
        struct {
            std::uint8_t format, attribute;
            std::uint16_t bytes;
        } head{};
        const std::uint64_t end = facts->sh_offset + facts->sh_size;
        for (std::uint64_t at = facts->sh_offset; at + sizeof head <= end && read(at, head);) {
            at += sizeof head;
            if (head.format != kSized) continue;
            std::array<std::uint32_t, 2> value{};
            const Elf64_Shdr* const symbols = find(".symtab");
            Elf64_Sym symbol{};
            if (head.attribute == kRegisters && symbols != nullptr && read(at, value) &&
                read(symbols->sh_offset + value[0] * sizeof symbol, symbol))
                if (const auto kernel = kernels.find(symbol.st_shndx); kernel != kernels.end())
                    kernel->second.registers = static_cast<int>(value[1]);
            at += head.bytes;
        }
    }

    // libdw does not relocate a file that is no object file.
    void relocate_lines() {
        const Elf64_Shdr* const relocations = find(".rela.debug_line");
        const Elf64_Shdr* const lines = find(".debug_line");
        const Elf64_Shdr* const symbols = find(".symtab");
        if (relocations == nullptr || lines == nullptr || symbols == nullptr) return;
        Elf64_Rela entry{};
        for (std::uint64_t at = 0; at + sizeof entry <= relocations->sh_size; at += sizeof entry) {
            Elf64_Sym symbol{};
            if (!read(relocations->sh_offset + at, entry)) return;
            const std::uint64_t number = ELF64_R_SYM(entry.r_info);
            if (!read(symbols->sh_offset + number * sizeof symbol, symbol)) continue;
            const std::uint64_t address = (std::uint64_t{symbol.st_shndx} << kSectionShift) +
                                          symbol.st_value +
                                          static_cast<std::uint64_t>(entry.r_addend);
            if (lines->sh_size < sizeof address || entry.r_offset > lines->sh_size - sizeof address)
                continue;
            std::memcpy(&bytes_[lines->sh_offset + entry.r_offset], &address, sizeof address);
        }
    }

    void add_lines(std::map<std::size_t, MachineKernel>& kernels) {
        const int file = memfd_create("lines", MFD_CLOEXEC);
        if (file < 0) return;
        const bool written =
            write(file, bytes_.data(), bytes_.size()) == static_cast<ssize_t>(bytes_.size());
        if (Dwarf* const dwarf = written ? dwarf_begin(file, DWARF_C_READ) : nullptr) {
            add_lines(dwarf, kernels);
            dwarf_end(dwarf);
        }
        close(file);
    }
    static void add_lines(Dwarf* dwarf, std::map<std::size_t, MachineKernel>& kernels) {
        Dwarf_CU* unit = nullptr;
        Dwarf_Off at = 0, next = 0;
        Dwarf_Files* files = nullptr;
        Dwarf_Lines* lines = nullptr;
        std::size_t file_count = 0, line_count = 0;
        while (dwarf_next_lines(dwarf, at, &next, &unit, &files, &file_count, &lines,
                                &line_count) == 0) {
            for (std::size_t i = 0; i + 1 < line_count; ++i) add_line(*lines, i, kernels);
            at = next;
        }
    }
    // A row of the table holds up to the next one.
    static void add_line(Dwarf_Lines& lines, std::size_t row,
                         std::map<std::size_t, MachineKernel>& kernels) {
        Dwarf_Line* const line = dwarf_onesrcline(&lines, row);
        Dwarf_Line* const following = dwarf_onesrcline(&lines, row + 1);
        Dwarf_Addr begin = 0, end = 0;
        int number = 0;
        bool is_end = false;
        if (dwarf_lineaddr(line, &begin) != 0 || dwarf_lineaddr(following, &end) != 0 ||
            dwarf_lineno(line, &number) != 0 || dwarf_lineendsequence(line, &is_end) != 0 || is_end)
            return;
        const auto kernel = kernels.find(begin >> kSectionShift);
        if (kernel == kernels.end() || end >> kSectionShift != begin >> kSectionShift) return;
        const char* const path = dwarf_linesrc(line, nullptr, nullptr);
        std::vector<std::string>& files = kernel->second.files;
        const std::string name = path == nullptr ? "" : path;
        auto file = std::ranges::find(files, name);
        if (file == files.end()) file = files.insert(files.end(), name);
        constexpr std::uint64_t kWithin = (std::uint64_t{1} << kSectionShift) - 1;
        std::vector<MachineInstruction>& all = kernel->second.instructions;
        for (std::uint64_t i = (begin & kWithin) / kInstructionBytes;
             i < std::min<std::uint64_t>((end & kWithin) / kInstructionBytes, all.size()); ++i) {
            all[i].line = static_cast<std::uint32_t>(number);
            all[i].file = static_cast<std::uint16_t>(file - files.begin());
        }
    }

    std::vector<std::byte> bytes_;
    std::vector<Elf64_Shdr> sections_;
    std::string_view names_;
};

}  // namespace

Result<std::vector<MachineKernel>> kernels_of_cubin(std::vector<std::byte> bytes) {
    return Cubin(std::move(bytes)).kernels();
}

Result<std::vector<MachineKernel>> read_cubin(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    return kernels_of_cubin({first, first + text.size()});
}

}  // namespace tilereel::gpu
