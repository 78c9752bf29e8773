// The list of all keys, in groups.
#include <array>

#include "app/panels/overlay/help.h"

namespace tilereel {
namespace {

constexpr auto kPlay = std::to_array<KeyHelp>({
    {"Space", "play, pause"},
    {"Left  Right", "previous step, next step"},
    {"Page Up  Page Down", "previous, next part: load, barrier, compute"},
    {"Shift+Left  Shift+Right", "previous, next phase; also Shift+Page Up, Down"},
    {"Home  End", "to the start, to the end"},
    {"A", "repeat one phase, or go on"},
    {"[  ]", "slower, faster"},
});
constexpr auto kJump = std::to_array<KeyHelp>({
    {"N  G  E", "next conflict, barrier, finding (Shift: previous)"},
    {"J", "go to a tick, a line, a block, a warp or a lane"},
    {"Y", "next request of the chosen warp or lane (Shift: previous)"},
    {"Alt+Left  Alt+Right", "back to where a jump or a lesson began, forward again"},
    {"Shift+Home", "back to what the program opened with"},
});
constexpr auto kLaunch = std::to_array<KeyHelp>({
    {"K", "choose the kernel; of a program, the block"},
    {"Tab", "type M, N, K, then choose TILE and PAD"},
    {"P", "padding off, on"},
    {"Shift+B", "leave out the first barrier, the next one, none"},
    {"D", "choose the GPU whose rules count, and what records"},
    {"C", "compare with another launch; both sides, one large"},
    {"R", "race this kernel and its counterpart at full speed; of a program, its kernel"},
    {"Enter  Tab", "take the size that is offered, choose the next"},
    {"Enter", "add the files in which a program's missing functions are"},
});
constexpr auto kLook = std::to_array<KeyHelp>({
    {"W  L", "choose a warp, a lane: its part of C, its sums"},
    {"M  X", "what lanes hold for tensor cores: the next matrix large, the next product"},
    {"Shift+M", "the fragments of tensor cores, or the arrays"},
    {"O", "shared cells show values, or elements of A and B"},
    {"U", "heat map: how often each element was read, global, shared"},
    {"Shift+U", "heat per line: ticks, accesses, sectors, wavefronts, lanes off, estimated time"},
    {"H", "phase table: what each thread does in each phase"},
    {"V", "a program's variables, lane by lane, or its requests"},
    {"I", "about the kernel: idea, facts, sources"},
    {"0", "reset the zoom; all cells, or the watched part with its values"},
});
constexpr auto kProgram = std::to_array<KeyHelp>({
    {"Ctrl+O  Ctrl+R", "open a program or a trace; run it again"},
    {"Shift+K", "choose the program"},
    {",  .", "a program's previous, next launch"},
    {"F2", "edit the file here; of a kernel that ships, a copy as a program"},
    {"Ctrl+E", "open the file in your own editor, at the running line"},
    {"Shift+T", "trust the program's folder: its programs run without a sandbox"},
});
constexpr auto kEdit = std::to_array<KeyHelp>({
    {"Ctrl+S  Esc", "save, and it runs again; back to the replay"},
    {"Ctrl+Z  Ctrl+Y", "undo, redo (also Ctrl+Shift+Z)"},
    {"Ctrl+F  F3", "find; the next one (Shift: the one before)"},
    {"Tab", "indent the selected lines (Shift: back)"},
    {"Ctrl+X  Ctrl+C  Ctrl+V", "cut, copy, paste; Ctrl+A selects all"},
});
constexpr auto kWindow = std::to_array<KeyHelp>({
    {"1  2  3  4  5", "replay, race, lessons, patterns, time"},
    {"F10", "to the bar at the top; arrow keys and Tab move on, Enter presses"},
    {"Ctrl+Tab  Ctrl+Shift+Tab", "next, previous tab of the panel or page"},
    {"T", "dark theme, light theme"},
    {"Z", "motion off, on; [ slows the replay"},
    {"+  -", "larger text, smaller text; also with Ctrl"},
    {"F  F11", "full screen"},
    {"Ctrl+S", "save what the window shows as a picture"},
    {"Ctrl+C  Ctrl+Shift+C", "copy a command that opens this view again; copy the picture"},
    {"Menu  Shift+F10", "what can be done with the line, the moment or the contender"},
    {"?  F1", "this help"},
    {"Esc", "close what is open; leave full screen"},
    {"Ctrl+Q", "quit"},
});
constexpr auto kLecture = std::to_array<KeyHelp>({
    {"Page Down  Page Up", "lesson: on, back; Home, End: first, last scene"},
    {"R", "lesson: race the kernels shown here, where there is a GPU"},
    {"O", "lesson: the scene's replay with all controls; 3 leads back"},
    {"Q", "predict first: asks what comes, Page Down answers"},
    {"F5", "present: full screen, large, without hints"},
    {"M  S  D  X", "presenting: magnifier, spotlight, pen, wipe the pen off"},
    {"B  .  W", "presenting: black, black, white screen"},
});
constexpr auto kExercise = std::to_array<KeyHelp>({
    {"Up Down  Enter", "previous, next check and its moment; once all pass, the next exercise"},
    {"H  J", "what to do, or the next hint; check the file now"},
    {"L", "the lesson that explains it"},
    {"N", "the next exercise (Shift: the previous one)"},
    {"C  S", "copy the path of your file; task or source in a narrow window"},
    {"O  Esc", "the replay with all controls, 3 leads back; the list"},
});
constexpr auto kRacePage = std::to_array<KeyHelp>({
    {"Enter  Esc", "start a race, cancel it"},
    {"R  C", "race the kernel of the open program; type how it is launched"},
    {"L", "choose lines"},
});
constexpr auto kPatterns = std::to_array<KeyHelp>({
    {"Enter  Page Down", "type an index expression or a layout; next preset"},
    {"Left Right  Up Down", "padding; XOR swizzle"},
    {"A  N", "load, store, ldmatrix, stmatrix; number of matrices"},
    {"P  L", "least padding, least swizzle without conflicts"},
});
constexpr auto kTime = std::to_array<KeyHelp>({
    {"Tab  Up Down  Enter", "choose a what-if, do it"},
    {"Left Right", "smaller, larger M, N and K"},
    {"Q", "predict first which of two is faster; 1 to 3 choose"},
    {"O", "what the blocks find in L2; then in another order of the blocks"},
    {"[  ]", "the blocks that run before, after those that are shown"},
});
constexpr auto kMouse = std::to_array<KeyHelp>({
    {"Mouse wheel", "zoom the picture, scroll a panel"},
    {"Drag the picture", "move it"},
    {"Click an array's strip", "show its values, where not all arrays have room"},
    {"Click on a cell", "go to its next access; on C the first click chooses its thread"},
    {"Click on a block", "watch it; a program's block that was not recorded is recorded first"},
    {"Drag the timeline", "go to any tick"},
    {"Right click", "on a cell, a source line, the timeline, a race's line: what can be done"},
});

constexpr std::array<HelpGroup, 13> kGroups = {{{"Play", kPlay},
                                                {"Jump", kJump},
                                                {"The launch", kLaunch},
                                                {"Look closer", kLook},
                                                {"Programs", kProgram},
                                                {"Edit", kEdit},
                                                {"The window", kWindow},
                                                {"Lecture", kLecture},
                                                {"Exercise", kExercise},
                                                {"Race", kRacePage},
                                                {"Patterns", kPatterns},
                                                {"Time", kTime},
                                                {"Mouse", kMouse}}};

}  // namespace

std::span<const HelpGroup> help_groups() { return kGroups; }

}  // namespace tilereel
