#!/usr/bin/env python3
"""Checks that the targets in documents exist: relative links, the headings in them, and files and
folders in backticks.

  documents_test.py SOURCE_FOLDER

A name in backticks is a path of ours if its first part is a folder of ours (`app/ui`), or if it has the
ending of our sources (`trace.h`). It may be relative to the top or to the document's folder; without
a folder also to any folder below the document's, or to that of a path earlier in the line. `*` stands
for anything. A name with consecutive capitals, such as `NN_name.cu`, is a placeholder.
"""
import pathlib
import re
import sys
import tempfile

ENDINGS = (".h", ".cpp", ".cuh", ".glsl", ".md", ".py", ".sh")
SKIPPED = {".git", "build"}  # folders


def documents(source):
    return sorted(path for path in source.rglob("*.md")
                  if not SKIPPED & set(path.relative_to(source).parts))


def prose_of(text):
    """The text without its blocks of code: same lines"""
    return re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text,
                  flags=re.DOTALL | re.MULTILINE)


def anchors_of(document):
    """As GitHub names headings: lower case, without punctuation, blanks as hyphens"""
    headings = re.findall(r"^#+ (.*)$", prose_of(document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def bad_link(document, target):
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = document.parent / path if path else document
    if not file.exists():
        return f"links to {target}, which does not exist"
    if anchor and anchor not in anchors_of(file):
        return f"links to {target}, but {file.name} has no such heading"
    return None


def names_a_path(word, source, document):
    if not re.fullmatch(r"[\w.*/+-]+", word) or re.search(r"[A-Z]{2,}_", word) or word[0] in "/*.":
        return False
    first = word.partition("/")[0]
    if "/" in word:
        return any((folder / first).is_dir() for folder in (source, document.parent))
    return word.endswith(ENDINGS)


def exists(word, source, document):
    here = document.parent
    if any(True for folder in (source, here) for _ in folder.glob(word.rstrip("/"))):
        return True
    # The end of a path is enough if the file lies below the document's folder: `record/batch.h`.
    return any(not SKIPPED & set(path.relative_to(source).parts)
               for path in here.rglob(word.rstrip("/")))


def problems_of(source):
    problems = []
    for document in documents(source):
        name = document.relative_to(source)
        for number, line in enumerate(prose_of(document.read_text()).splitlines(), 1):
            without_code = re.sub(r"`[^`]*`", "", line)
            for target in re.findall(r"\]\(([^)\s]+)\)", without_code):
                if problem := bad_link(document, target):
                    problems.append(f"{name}:{number} {problem}")
            folders = set()  # of the line's paths so far
            for code in re.findall(r"`([^`]+)`", line):
                word = code.split()[0]  # of a command, the program
                if not names_a_path(word, source, document):
                    continue
                if not exists(word, source, document) and not any(
                        (folder / word).exists() for folder in folders):
                    problems.append(f"{name}:{number} names {word}, which does not exist")
                if "/" in word:
                    folders |= {source / word, (source / word).parent}
    return problems


def self_test():
    """The test must find what does not exist, and only that."""
    with tempfile.TemporaryDirectory() as temporary:
        source = pathlib.Path(temporary)
        (source / "app" / "ui").mkdir(parents=True)
        (source / "app" / "ui" / "draw.h").touch()
        (source / "app" / "README.md").write_text(
            "# One `draw.h`\n[a](ui/draw.h) [b](#one-drawh) [c](https://x.org/y) `draw.h`\n"
            "`app/ui/*.h` `cuda/none` `a / b` `app/NN_x.h` `app/run x`\n"
            "```\n[d](none.md) `none.h`\n```\n"
            "[e](none.md) [f](#two) `none.h` `app/none/`\n")
        (source / "app" / "run").touch()
        found = [problem.split()[0] + " " + problem.split()[-5] for problem in problems_of(source)]
        assert len(found) == 4 and all(entry.startswith("app/README.md:7 ") for entry in found), found


self_test()
problems = problems_of(pathlib.Path(sys.argv[1]))
if problems:
    print("FAILED: documents point to what is not there:", *problems, sep="\n  ")
    sys.exit(1)
print("all links and paths in documents exist")
