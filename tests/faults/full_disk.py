"""Runs on disks that are too small: that of the output, and that of the temporary files."""
import os
import shutil
import subprocess

from injection import Ended

TIME_LIMIT_S = 120
# A disk of $1 at ./disk with the old output $2 and the temporary folder $3, then the command. Lists
# what is on the disk afterwards, with sizes, and keeps a copy of the output.
SCRIPT = """
mount -t tmpfs -o size="$1" none disk && mkdir -p disk "$3" && printf old > "$2" || exit 99
output=$2; export TMPDIR=$3
shift 3
"$@" > printed
code=$?
find disk -type f -printf '%p\\n'
cp "$output" kept
exit $code
"""
OLD = b"old"
# A file of each kind, and the size of a disk that is too small for it.
OUTPUTS = [
    ("trace", "16k", ["trace", "09_tiled", "--m", "64", "--n", "64", "--k", "64", "-o"], "out.npz"),
    ("page", "16k", ["export", "../tiny.npz", "--html"], "out.html"),
    ("picture", "8k", ["export", "../tiny.npz", "--size", "640x360", "--png"], "out.png"),
    ("film", "16k", ["export", "../tiny.npz", "--size", "640x360", "--gif"], "out.gif"),
    ("trace of a program", "16k", ["trace", "../scattered.cu", "-o"], "out.npz"),
]
# Sizes of disks for the temporary files of a program: the compiler has no room, the linker, the
# recorder (twice), nobody.
TEMPORARY = ["8k", "64k", "4m", "8m", "64m"]
SCATTERED = """
__global__ void scatter(unsigned* a) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i * 2654435761u % (1 << 20)] = i * 2246822519u;
}
int main() {
    unsigned* a;
    cudaMalloc(&a, 4 << 20);
    scatter<<<4096, 256>>>(a);
    cudaFree(a);
}
"""


def can_mount():
    """Whether this user may mount a disk in a namespace of its own."""
    return shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"],
        capture_output=True, check=False).returncode == 0


def faults_of(bench, size, command, output, temporary):
    """Whether the command succeeded, and what it did wrong, in words."""
    folder = os.path.join(bench.folder, "full")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "disk"))
    os.makedirs(os.path.join(folder, "elsewhere"))
    ended = Ended(["unshare", "-rm", "sh", "-c", SCRIPT, "sh", size, output, temporary,
                   bench.program, *command, output], TIME_LIMIT_S, cwd=folder,
                  env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1"))
    found = ended.bad_end((0, 1)) + ended.not_one_line()
    if found:
        return False, found
    with open(os.path.join(folder, "kept"), "rb") as file:
        kept = file.read()
    if ended.code == 1 and kept != OLD:
        found.append(f"the old file is lost; {len(kept)} bytes are in its place")
    if ended.code == 0 and kept == OLD:
        found.append("exit code 0, and no output")
    left = [name for name in ended.out.decode().splitlines() if name != output]
    left += [name for name in os.listdir(os.path.join(folder, "elsewhere"))
             if os.path.join("elsewhere", name) != output]
    if left:
        found.append(f"left behind: {left}")
    return ended.code == 0, found


def test_full_disk(bench):
    """The number of runs, and what they did wrong."""
    if not can_mount():
        print("full disk: skipped, since no disk can be mounted here (unshare -rm)")
        return 0, []
    with open(os.path.join(bench.folder, "scattered.cu"), "w", encoding="utf-8") as file:
        file.write(SCATTERED)
    failures, whole = [], []
    for name, size, command, output in OUTPUTS:
        succeeded, found = faults_of(bench, size, command, "disk/" + output, "elsewhere")
        if succeeded:
            found.append("succeeded, so the disk was not too small")
        failures += [f"full disk, {name} on {size}: {what}" for what in found]
    for size in TEMPORARY:
        succeeded, found = faults_of(bench, size, ["trace", "../scattered.cu", "-o"],
                                     "elsewhere/out.npz", "disk/temporary")
        whole.append(succeeded)
        failures += [f"full disk, temporary files on {size}: {what}" for what in found]
    if whole[0] or not whole[-1]:
        failures.append(f"full disk, temporary files: only the largest disk has room, but {whole}")
    print(f"full disk: {len(OUTPUTS)} outputs, temporary files on {len(TEMPORARY)} disks "
          f"({sum(whole)} with a whole output)")
    return len(OUTPUTS) + len(TEMPORARY), failures
