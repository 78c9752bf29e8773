// The marks that mark_assembly() adds, on lines as g++ writes them for x86-64 and AArch64.
#include "instrumentation/plain/assembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilereel::plain::assembly_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// The records of the section kMarksSection, without tabs.
std::string marks_of(const std::string& text) {
    std::string marked = mark_assembly(text);
    marked.erase(0, marked.find("\"\",@progbits\n") + 13);
    std::erase(marked, '\t');
    return marked;
}

TEST(Assembly, AMarkFollowsEachCall) {
    EXPECT_THAT(mark_assembly("\tcall\t__tsan_read4@PLT\n\tmovl\t%eax, %ebx\n"),
                HasSubstr("\tcall\t__tsan_read4@PLT\n.Ltilereel0:\n\tmovl"));
    EXPECT_EQ(marks_of("\tcall\t__tsan_read4@PLT\n"), ".quad1, .Ltilereel0, 0\n");
    EXPECT_EQ(marks_of("\tbl\t__tsan_read4\n"), ".quad1, .Ltilereel0, 0\n");
}

TEST(Assembly, ABackwardJumpIsALoopAndAForwardJumpIsNot) {
    const std::string loop = "\t.cfi_startproc\n\tjmp\t.L2\n.L3:\n\tnop\n.L2:\n\tjl\t.L3\n";
    EXPECT_EQ(marks_of(loop), ".quad3, .L3, .Ltilereel0\n");
    EXPECT_EQ(marks_of("\t.cfi_startproc\n.L3:\n\tb.lt\t.L3\n\tcbnz\tw0, .L3\n"),
              ".quad3, .L3, .Ltilereel0\n.quad3, .L3, .Ltilereel1\n");
    // A jump to a label of the function before is no loop.
    EXPECT_EQ(marks_of(".L3:\n\t.cfi_startproc\n\tjmp\t.L3\n"), "");
}

TEST(Assembly, AStoreReportedBeforeItsLoadIsACopy) {
    const std::string store = "\tcall\t__tsan_write8@PLT\n\tmovq\t%rbx, %rdi\n",
                      load = "\tcall\t__tsan_read8@PLT\n";
    EXPECT_THAT(marks_of(store + load), HasSubstr(".quad2, .Ltilereel0"));
    EXPECT_THAT(marks_of(store + "\t.loc 1 7 3\n" + load), HasSubstr(".quad1, .Ltilereel0"));
    EXPECT_THAT(marks_of(store + "\tcall\t__tsan_read4@PLT\n"), HasSubstr(".quad1, .Ltilereel0"));
    EXPECT_THAT(marks_of("\tcall\t__tsan_unaligned_write8\n\tcall\t__tsan_unaligned_read8\n"),
                HasSubstr(".quad2, .Ltilereel0"));
}

TEST(Assembly, AnUndefinedThreadLocalSymbolIsDynamicSharedMemory) {
    const std::string own = "\t.section\t.tbss\ntile:\n\t.zero\t4\n";
    EXPECT_THAT(mark_assembly("\tmovq\tdata@gottpoff(%rip), %rax\n"),
                HasSubstr("\tmovq\ttilereel_dynamic_shared@gottpoff(%rip), %rax\n"));
    EXPECT_THAT(mark_assembly("\tmovq\t$_ZN12_GLOBAL__N_14dataE@tpoff, %rax\n"),
                HasSubstr("\tmovq\t$tilereel_dynamic_shared@tpoff, %rax\n"));
    EXPECT_THAT(mark_assembly("\tldr\tx0, [x0, #:gottprel_lo12:data]\n"),
                HasSubstr(":gottprel_lo12:tilereel_dynamic_shared]"));
    EXPECT_THAT(mark_assembly(own + "\tmovq\ttile@gottpoff(%rip), %rax\n"),
                Not(HasSubstr("dynamic_shared")));
    EXPECT_THAT(mark_assembly("\tmovq\tthreadIdx@gottpoff(%rip), %rax\n"),
                Not(HasSubstr("dynamic_shared")));
}

TEST(Assembly, DeviceCodeCallsTheRuntimesPrintf) {
    EXPECT_THAT(mark_assembly("\tcall\tprintf@PLT\n"), HasSubstr("\tcall\ttilereel_printf@PLT\n"));
    EXPECT_THAT(mark_assembly("\tcall\tprintf_mine\n"), HasSubstr("\tcall\tprintf_mine\n"));
}

}  // namespace
}  // namespace tilereel::plain::assembly_test
