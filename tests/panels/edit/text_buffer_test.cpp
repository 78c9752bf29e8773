// The text that is edited in the window: what each key does to it, as editors do.
#include "app/panels/edit/text_buffer.h"

#include <gtest/gtest.h>

namespace tilereel::text_buffer_test {
namespace {

// A text with the caret at |, and with a selection from [ to the caret where there is one.
TextBuffer at(std::string text) {
    const std::size_t anchor = text.find('~');
    if (anchor != std::string::npos) text.erase(anchor, 1);
    const std::size_t caret = text.find('|');
    text.erase(caret, 1);
    TextBuffer buffer(text);
    buffer.set_caret(anchor == std::string::npos ? caret : anchor, false);
    if (anchor != std::string::npos) buffer.set_caret(caret, true);
    return buffer;
}

std::string shown(const TextBuffer& buffer) {
    std::string text = buffer.text();
    return text.insert(buffer.caret(), "|");
}

TEST(TextBuffer, TypesAndErases) {
    TextBuffer buffer = at("ab|c");
    buffer.type("x");
    EXPECT_EQ(shown(buffer), "abx|c");
    buffer.erase_before(false);
    buffer.erase_after(false);
    EXPECT_EQ(shown(buffer), "ab|");
    buffer.erase_after(false);
    EXPECT_EQ(shown(buffer), "ab|") << "nothing lies behind";
    TextBuffer words = at("float sum = a[i] |+ b;");
    words.erase_before(true);
    EXPECT_EQ(shown(words), "float sum = a[i|+ b;");
    words.erase_after(true);
    EXPECT_EQ(shown(words), "float sum = a[i|b;");
    TextBuffer selected = at("one ~two| three");
    selected.type("2");
    EXPECT_EQ(shown(selected), "one 2| three");
}

TEST(TextBuffer, ACharacterOfManyBytesIsOne) {
    TextBuffer buffer = at("\xc3\xa4\xe2\x80\xa6|b");
    EXPECT_EQ(buffer.place_of(buffer.caret()), (TextPlace{0, 2}));
    buffer.move(CaretMove::kLeft, false);
    EXPECT_EQ(shown(buffer),
              "\xc3\xa4|\xe2\x80\xa6"
              "b");
    buffer.erase_before(false);
    EXPECT_EQ(shown(buffer),
              "|\xe2\x80\xa6"
              "b");
}

TEST(TextBuffer, ANewLineIsIndented) {
    TextBuffer buffer = at("    int i;|\nnext");
    buffer.new_line();
    EXPECT_EQ(shown(buffer), "    int i;\n    |\nnext");
    TextBuffer opens = at("  for (;;) {|");
    opens.new_line();
    EXPECT_EQ(shown(opens), "  for (;;) {\n      |");
    TextBuffer between = at("if (x) {|}");
    between.new_line();
    EXPECT_EQ(shown(between), "if (x) {\n    |\n}");
    TextBuffer within = at("  |  a");
    within.new_line();
    EXPECT_EQ(shown(within), "  \n  |  a") << "no more than the blanks before the caret";
}

TEST(TextBuffer, AClosingBracketGoesToItsBlock) {
    TextBuffer buffer = at("  for (;;) {\n      a = b;\n      |");
    buffer.type("}");
    EXPECT_EQ(buffer.text(), "  for (;;) {\n      a = b;\n  }");
    TextBuffer inner = at("{\n    {\n        |");
    inner.type("}");
    EXPECT_EQ(inner.text(), "{\n    {\n    }");
    TextBuffer lonely = at("    |");
    lonely.type("}");
    EXPECT_EQ(lonely.text(), "    }");
}

TEST(TextBuffer, TabIndentsAndShiftTabGoesBack) {
    TextBuffer buffer = at("ab|");
    buffer.indent(false);
    EXPECT_EQ(shown(buffer), "ab  |");
    TextBuffer lines = at("~a\n\n    b\nc|");
    lines.indent(false);
    EXPECT_EQ(lines.text(), "    a\n\n        b\n    c");
    lines.indent(true);
    EXPECT_EQ(lines.text(), "a\n\n    b\nc");
    lines.indent(true);
    EXPECT_EQ(lines.text(), "a\n\nb\nc");
    TextBuffer blanks = at("      |x");
    blanks.erase_before(false);
    EXPECT_EQ(shown(blanks), "    |x") << "to the step before";
}

TEST(TextBuffer, UndoAndRedo) {
    TextBuffer buffer = at("|");
    for (const char* c : {"a", "b", "c"}) buffer.type(c);
    buffer.new_line();
    buffer.type("d");
    EXPECT_EQ(buffer.text(), "abc\nd");
    EXPECT_TRUE(buffer.undo());
    EXPECT_EQ(shown(buffer), "abc\n|");
    EXPECT_TRUE(buffer.undo());
    EXPECT_EQ(shown(buffer), "abc|");
    EXPECT_TRUE(buffer.undo());
    EXPECT_EQ(shown(buffer), "|") << "what was typed in one go";
    EXPECT_FALSE(buffer.undo());
    EXPECT_TRUE(buffer.redo());
    EXPECT_TRUE(buffer.redo());
    EXPECT_EQ(shown(buffer), "abc\n|");
    buffer.type("x");
    EXPECT_FALSE(buffer.redo()) << "a new edit ends what could be done again";
    TextBuffer selected = at("one ~two| three");
    selected.paste("2\r\n");
    EXPECT_EQ(shown(selected), "one 2\n| three");
    selected.undo();
    EXPECT_EQ(selected.selected(), "two");
    EXPECT_FALSE(selected.changed());
}

TEST(TextBuffer, TheCaretMovesAsInEditors) {
    TextBuffer buffer = at("  long line|\na\n  third");
    buffer.move(CaretMove::kDown, false);
    EXPECT_EQ(shown(buffer), "  long line\na|\n  third");
    buffer.move(CaretMove::kDown, false);
    EXPECT_EQ(shown(buffer), "  long line\na\n  third|") << "the column is kept";
    buffer.move(CaretMove::kLineBegin, false);
    EXPECT_EQ(shown(buffer), "  long line\na\n  |third");
    buffer.move(CaretMove::kLineBegin, false);
    EXPECT_EQ(shown(buffer), "  long line\na\n|  third");
    buffer.move(CaretMove::kTextBegin, false);
    buffer.move(CaretMove::kWordRight, false);
    buffer.move(CaretMove::kWordRight, true);
    EXPECT_EQ(buffer.selected(), "long ");
    buffer.move(CaretMove::kLeft, false);
    EXPECT_EQ(shown(buffer), "  |long line\na\n  third") << "to the begin of the selection";
    buffer.move(CaretMove::kDown, false, 40);
    EXPECT_EQ(buffer.place_of(buffer.caret()).line, 2u);
    TextBuffer tabs = at("\tx|");
    EXPECT_EQ(tabs.place_of(tabs.caret()), (TextPlace{0, 5}));
    EXPECT_EQ(tabs.offset_of({0, 1}), 0u);
    EXPECT_EQ(tabs.offset_of({0, 3}), 1u);
    EXPECT_EQ(tabs.offset_of({9, 9}), 2u);
}

TEST(TextBuffer, BracketsMatch) {
    using Pair = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(at("f(a[i]|)").brackets(), Pair(6, 1));
    EXPECT_EQ(at("f|(a[i])").brackets(), Pair(1, 6));
    EXPECT_EQ(at("f(a[|i])").brackets(), Pair(3, 5));
    EXPECT_EQ(at("f((a)|").brackets(), Pair(4, 2));
    EXPECT_EQ(at("|(").brackets(), Pair(0, std::string::npos));
    EXPECT_EQ(at("a|b").brackets(), std::nullopt);
}

TEST(TextBuffer, FindGoesRound) {
    TextBuffer buffer = at("Sum sum |sUm");
    EXPECT_TRUE(buffer.find("sum", false));
    EXPECT_EQ(buffer.selection(), std::pair(std::size_t{8}, std::size_t{11}));
    EXPECT_TRUE(buffer.find("sum", false));
    EXPECT_EQ(buffer.selection().first, 0u) << "after the last comes the first";
    EXPECT_TRUE(buffer.find("sum", true));
    EXPECT_EQ(buffer.selection().first, 8u);
    EXPECT_TRUE(buffer.find("Sum", false));
    EXPECT_EQ(buffer.selection().first, 0u) << "a capital letter is meant";
    EXPECT_FALSE(buffer.find("none", false));
    EXPECT_FALSE(buffer.find("", false));
}

// Whatever is done, the lines are those of the text, and undoing all of it gives the first text.
TEST(TextBuffer, AnyEditsCanBeUndone) {
    std::uint32_t seed = 7;
    const auto random = [&seed](std::size_t below) {
        seed = seed * 1664525 + 1013904223;
        return (seed >> 8) % below;
    };
    const std::string first = "__global__ void f() {\n\tif (x) {\n    y[\xc3\xa4] = 1;\n\t}\n}\n";
    TextBuffer buffer(first);
    for (int i = 0; i < 4000; ++i) {
        switch (random(12)) {
            case 0:
                buffer.type("}");
                break;
            case 1:
                buffer.type("\xc3\xa4");
                break;
            case 2:
                buffer.new_line();
                break;
            case 3:
                buffer.indent(random(2) == 0);
                break;
            case 4:
                buffer.erase_before(random(2) == 0);
                break;
            case 5:
                buffer.erase_after(random(2) == 0);
                break;
            case 6:
                buffer.paste("a\r\nb\n");
                break;
            case 7:
                buffer.undo();
                break;
            case 8:
                buffer.redo();
                break;
            case 9:
                buffer.find("y", random(2) == 0);
                break;
            default:
                buffer.move(static_cast<CaretMove>(random(10)), random(3) == 0, 1 + random(3));
        }
        ASSERT_LE(buffer.caret(), buffer.text().size());
        ASSERT_EQ(buffer.offset_of(buffer.place_of(buffer.caret())), buffer.caret());
        ASSERT_EQ(buffer.lines(),
                  static_cast<std::size_t>(std::ranges::count(buffer.text(), '\n')) + 1);
        (void)buffer.brackets();
    }
    while (buffer.undo()) {
    }
    EXPECT_EQ(buffer.text(), first);
}

}  // namespace
}  // namespace tilereel::text_buffer_test
