#!/bin/bash
# measure_launches.sh OUT SET...: measures the launches of sets (seen, aside, fresh, blind, homework,
# coursework; estimate/ has their programs) on this GPU, with nvcc and Nsight Compute. Writes to OUT what
# pipes.py reads, SET.csv and SET_time.csv; SET_more.csv with instructions and pipes one by one;
# and check.txt. Goes on where a check fails, and then ends with 1.
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?the folder to write to}
shift
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
failed=0
metrics=$("$here/pipes.py" --metrics) || exit 1
share=.avg.pct_of_peak_sustained_elapsed
more=smsp__inst_executed.sum,sm__cycles_elapsed.max
more+=,sm__warps_active.avg.pct_of_peak_sustained_active
for pipe in alu fma fp64 xu lsu; do more+=,sm__inst_executed_pipe_$pipe$share; done
more+=,l1tex__data_pipe_lsu_wavefronts$share,l1tex__lsuin_requests$share
more+=,sm__inst_executed_pipe_alu.sum,sm__inst_executed_pipe_fma.sum,sm__inst_executed_pipe_xu.sum
more+=,sm__inst_executed_pipe_fp64.sum,sm__inst_executed_pipe_lsu.sum
profile=(timeout 240 ncu --clock-control none --csv --page raw --print-units base)

run() {  # prints the command and what it exits with
    echo "== $*"
    "$@"
    echo "== exit $?"
}
program_of() {
    case $1 in
        seen) echo launches ;;
        aside) echo set_aside ;;
        *) echo "$1" ;;
    esac
}
check() {  # of the sets that compare what they compute with the CPU
    run timeout 240 "$build/$1" --check
    run nvcc -O3 -arch=sm_90 -lineinfo -DEDGE=512 -o "$build/small" "$here/estimate/$1.cu"
    for tool in memcheck racecheck; do
        run timeout 120 compute-sanitizer --tool $tool --error-exitcode 9 "$build/small" 2>&1 | tail -20
    done
}
rows() { grep -cE '^"[0-9]+"' "$1"; }

{
    date -u
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv
    nvcc --version | tail -2
    ncu --version | tail -1
} | tee "$out/check.txt"
for set in "$@"; do
    run nvcc -O3 -arch=sm_90 -o "$build/$set" "$here/estimate/$(program_of "$set").cu" |&
        tee -a "$out/check.txt"
    "${profile[@]}" --metrics "$metrics" "$build/$set" > "$out/$set.csv" || failed=1
    for _ in 1 2 3; do
        "${profile[@]}" --metrics gpu__time_duration.sum "$build/$set" || failed=1
    done > "$out/${set}_time.csv"
    echo "$set: $(rows "$out/$set.csv") launches, $(rows "$out/${set}_time.csv") times" |
        tee -a "$out/check.txt"
done
for set in "$@"; do
    "${profile[@]}" --metrics "$more" "$build/$set" > "$out/${set}_more.csv" ||
        echo "$set: no more figures" | tee -a "$out/check.txt"
done
for set in "$@"; do
    case $set in
        blind | homework | coursework) check "$set" |& tee -a "$out/check.txt" ;;
    esac
done
grep -qE '^== exit [^0]|^WRONG' "$out/check.txt" && failed=1
exit $failed
