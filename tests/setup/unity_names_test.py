#!/usr/bin/env python3
"""Finds names in anonymous namespaces that clash when a target's files are compiled together.

A unity build puts the files of a target into one translation unit with one anonymous namespace. The
preset dev compiles each file alone and does not show clashes. Compares declarations at the start of a
line: types, constants and functions with all their parameters.

  unity_names_test.py SOURCE_FOLDER
"""
import collections
import pathlib
import re
import sys
import tempfile

FOLDERS = ("app", "instrumentation", "kernels")
ALONE = ("runtime", "plugin", "text", "convert", "ptx")  # of instrumentation: targets of their own
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: :.*)? \{")
ALIAS = re.compile(r"^using (\w+) = ")
CONSTANT = re.compile(r"^(?:inline |static |constexpr |const )*[\w:<>,&* ]+?[ *&](\w+)"
                      r"(?:\[.*\])?(?: = |\{|;)")
FUNCTION = re.compile(r"^(?:\[\[\w+\]\] )?(?:inline |static |constexpr )*[\w:<>,&* ]+?[ *&](\w+)"
                      r"(\(.*\)) \{")


def declarations(text):
    """[(name, what distinguishes it)] of the lines in the file's anonymous namespaces"""
    found = []
    for body in re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.DOTALL | re.MULTILINE):
        joined = re.sub(r"(?<=[,(])\n +", " ", body)  # parameters on several lines become one
        for line in joined.splitlines():
            if not line[:1].isalpha() and line[:1] != "[":
                continue
            line = line.replace("( ", "(")
            for pattern in (TYPE, ALIAS, FUNCTION, CONSTANT):
                match = pattern.match(line)
                if not match:
                    continue
                if pattern is FUNCTION:
                    kinds = re.sub(r" ?\b\w+(?=[,)])", "", match[2])  # without the parameters' names
                    found.append((match[1], match[1] + kinds))
                elif pattern is ALIAS:
                    found.append((match[1], line))  # the same alias twice is allowed
                else:
                    found.append((match[1], match[1]))
                    if pattern is CONSTANT:
                        found += [(name, name) for name in further_names(line[match.end(1):])]
                break
    return found


def further_names(text):
    """The names after the first in `constexpr int a = 1, b = 2;`"""
    while True:  # without what stands in brackets, from the inside out
        shorter = re.sub(r"\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\]", "", text)
        if shorter == text:
            return re.findall(r", [*&]?(\w+)(?= = |,|;)", text)
        text = shorter


def may_stand_together(one, other):
    if one.startswith("using ") and other.startswith("using "):
        return one == other
    return "(" in one and "(" in other and one != other  # overloads


def folder_of_target(file, source):
    """The nearest folder upwards that has a CMakeLists.txt; those in ALONE are targets, too."""
    for folder in file.parents:
        if (folder / "CMakeLists.txt").is_file() or folder == source or folder.name in ALONE:
            return folder
    return source


def clashes(source):
    problems = []
    targets = collections.defaultdict(list)  # folder of the target -> its files
    for top in FOLDERS:
        for file in sorted((source / top).rglob("*.cpp")):
            targets[folder_of_target(file, source)].append(file)
    for folder, files in targets.items():
        seen = collections.defaultdict(list)  # name -> [(declaration, file)]
        for file in files:
            path = str(file.relative_to(folder))
            for name, declaration in declarations(file.read_text()):
                problems += [f"{folder.relative_to(source)}: {name} is in {former} and in {path}"
                             for other, former in seen[name]
                             if former != path and not may_stand_together(other, declaration)]
                seen[name].append((declaration, path))
    return problems


def tests_without_own_namespace(source):
    """A file of tests, x_test.cpp, has the namespace ...::x_test, so its names clash with no other's."""
    return [f"{file.relative_to(source)}: its namespace must end with ::{file.stem}"
            for file in sorted((source / "tests").rglob("*_test.cpp"))
            if not re.search(rf"^namespace tilereel\S*::{file.stem} {{$", file.read_text(), re.MULTILINE)]


def self_test():
    """The test must find what a compiler refuses, and only that."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "app" / "x"
        folder.mkdir(parents=True)
        body = "namespace tilereel {{\nnamespace {{\n\n{}\n}}  // namespace\n}}\n"
        (folder / "a.cpp").write_text(body.format(
            "constexpr int kOne = 1;\nconstexpr int kTwo = f(1, 2), kThree = 3;\nstruct Row {\n};\nusing Json = a::json;\nusing Same = int;\n"
            "bool fits(int width) {\n}\nint width_of(int x,\n             float y) {\n}\n"))
        (folder / "y").mkdir()
        (folder / "y" / "b.cpp").write_text(body.format(
            "constexpr float kOne{2};\nconstexpr int kFour = f(kTwo, kTwo),\n              kThree{3};\nclass Row {\n};\nusing Json = b::json;\nusing Same = int;\n"
            "bool fits(float width) {\n}\nint width_of(int a, float b) {\n}\n"))
        found = sorted(problem.split()[1] for problem in clashes(pathlib.Path(temporary)))
        assert found == ["Json", "Row", "kOne", "kThree", "width_of"], found
        tests = pathlib.Path(temporary) / "tests"
        tests.mkdir()
        (tests / "own_test.cpp").write_text("namespace tilereel::own_test {\n}\n")
        (tests / "common_test.cpp").write_text("namespace tilereel {\n}\n")
        found = tests_without_own_namespace(pathlib.Path(temporary))
        assert [problem.split(":")[0] for problem in found] == ["tests/common_test.cpp"], found


self_test()
problems = clashes(pathlib.Path(sys.argv[1]))
problems += tests_without_own_namespace(pathlib.Path(sys.argv[1]))
if problems:
    print("FAILED: these names clash in a unity build:", *problems, sep="\n  ")
    sys.exit(1)
print("no names of a target clash")
