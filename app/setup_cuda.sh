# Which CUDA Toolkit and which GPUs are at hand, and what the kernels are built for. Sourced by
# setup.sh.
# shellcheck shell=bash

# Where nvcc is, or nothing.
find_nvcc() {
    local candidate
    for candidate in "$(command -v nvcc)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" \
        /usr/local/cuda/bin/nvcc; do
        if [[ -x $candidate ]]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
}

# cuda_version NVCC: "13.0", or nothing if it does not say.
cuda_version() {
    if [[ $("$1" --version 2>/dev/null) =~ release\ ([0-9]+\.[0-9]+) ]]; then
        printf '%s\n' "${BASH_REMATCH[1]}"
    fi
}

# The compute capabilities of this machine's GPUs: "9.0 12.0", or nothing.
gpus_at_hand() {
    local capability found=''
    while read -r capability; do
        if [[ $capability =~ ^[0-9]+\.[0-9]$ && " $found " != *" $capability "* ]]; then
            found+="${found:+ }$capability"
        fi
    done < <(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null)
    printf '%s\n' "$found"
}

# takes_host_compiler NVCC OPTIONS...: whether nvcc compiles C++20 with that g++. Prints why not.
takes_host_compiler() { { "$1" "${@:2}" -std=c++20 -x cu -E /dev/null >/dev/null; } 2>&1; }

# host_compiler NVCC VERSION: CMake's option that names a g++ which this nvcc takes, or nothing where
# the system's own g++ will do. Fails with a sentence if there is none.
host_compiler() {
    local nvcc=$1 version=$2 refusal newest candidate
    refusal=$(takes_host_compiler "$nvcc") && return
    for newest in {20..10}; do
        candidate=$(command -v "g++-$newest") || continue
        if takes_host_compiler "$nvcc" -ccbin "$candidate" >/dev/null; then
            printf '%s\n' "-DCMAKE_CUDA_HOST_COMPILER=$candidate"
            return
        fi
    done
    if [[ $refusal =~ later\ than\ ([0-9]+) ]]; then
        newest=${BASH_REMATCH[1]}
        say "CUDA $version is too old for this system's g++: install g++-$newest, or a later CUDA" \
            "Toolkit; building without the GPU"
    else
        say "nvcc of CUDA $version does not compile here (${refusal%%$'\n'*}); building without the GPU"
    fi
    return 1
}

# gpu_architectures NVCC VERSION: the value of CMAKE_CUDA_ARCHITECTURES. Machine code for each GPU
# at hand; PTX of 8.0 where there is none. A GPU that the toolkit does not know gets the newest PTX
# that it can run, which the driver translates.
gpu_architectures() {
    local nvcc=$1 version=$2 known='' capability number older newest architectures=''
    while read -r number; do known+=" ${number#sm_}"; done < <("$nvcc" --list-gpu-code 2>/dev/null)
    for capability in $(gpus_at_hand); do
        number=${capability/./} newest=''
        for older in $known; do
            if ((older <= number && older > ${newest:-0})); then newest=$older; fi
        done
        if [[ $newest == "$number" ]]; then
            architectures+="${architectures:+;}$number-real"
        elif [[ -n $newest ]]; then
            say "CUDA $version is too old for machine code of compute capability $capability: the" \
                "driver translates PTX of ${newest%?}.${newest: -1} when a kernel is first launched"
            architectures+="${architectures:+;}$newest-virtual"
        fi
    done
    printf '%s\n' "${architectures:-80-virtual}"
}

# CMake's options for the GPU, one a line. Without the GPU, says why in one sentence.
cuda_options() {
    local nvcc version major host
    nvcc=$(find_nvcc)
    if [[ -z $nvcc ]]; then
        say "no nvcc in PATH, CUDA_HOME or /usr/local/cuda: building without the GPU"
    else
        version=$(cuda_version "$nvcc")
        major=${version%%.*}
        # C++20 in nvcc, and the tensor maps of compute capability 9.0.
        if ((${major:-0} < 12)); then
            say "CUDA ${version:-of $nvcc} is too old: the kernels are C++20, which needs CUDA 12.0" \
                "or later; building without the GPU"
        elif host=$(host_compiler "$nvcc" "$version"); then
            printf '%s\n' -DTILEREEL_CUDA=ON "-DTILEREEL_NVCC_PROGRAM=$nvcc" ${host:+"$host"} \
                "-DTILEREEL_GPU_ARCHITECTURES=$(gpu_architectures "$nvcc" "$version")"
            return
        fi
    fi
    printf '%s\n' -DTILEREEL_CUDA=OFF
}
