#!/usr/bin/env bash
# Records the races of this folder on the GPU of this machine. Takes about three minutes on an H100.
#   record.sh PROGRAM FOLDER NAME
# PROGRAM is tilereel_race_alone, or "tilereel race"; the files are FOLDER/NAME_*.json.
set -uo pipefail
read -ra program <<<"$1"
folder=$2 name=$3
failures=0

race() { # FILE ARGUMENTS...
    local file=$folder/${name}_$1.json
    shift
    "${program[@]}" --gpu "$@" -o "$file" || failures=$((failures + 1))
}

# variants "TILE:PAD ..." KERNEL...: every kernel in each of them
variants() {
    local kernel variant
    for kernel in "${@:2}"; do
        for variant in $1; do printf '%s:%s ' "$kernel" "$variant"; done
    done
}

naive=$(variants "16:0 32:0" 01_naive_by_column 02_naive)
tiled=$(variants "16:0 32:0" 07_tiled_b_uncoalesced 09_tiled 10_tiled_any_size 11_tiled_dynamic)
padded=$(variants "16:0 16:1 32:0 32:1" 08_tiled_b_transposed)
outer="12_outer_product 13_outer_product_unrolled 14_outer_product_prefetch"
registers=$(variants 128 15_register_tile 17_swizzled 18_warp_tiled 19_async_pipeline)
registers+=$(variants "128:0 128:4" 16_vectorized)
upper="09_tiled:32:0 14_outer_product_prefetch 15_register_tile:128 16_vectorized:128:4"
upper+=" 17_swizzled:128 18_warp_tiled:128 19_async_pipeline:128 20_champion"
tensor=$(variants "64:0 64:8 128:0 128:8" 22_mma_ldmatrix)$(variants "64 128 256" 23_mma_pipeline)
tensor+=$(variants "64 128" 24_wgmma)$(variants "64 256" 25_warp_specialised)
one_tile_deep=$(variants "16:0 32:0" 03_guide_simple 04_guide_a_shared 05_guide_ab_shared)

# shellcheck disable=SC2086  # each variable is a list of words
{
    race ladder $naive $tiled $padded $outer $registers 20_champion \
        --sizes 256,512,1024,2048,4096,8192
    race warm $naive $tiled $padded $outer $registers 20_champion --warm --sizes 256,512,1024
    race upper $upper --warm --sizes 1024,2048,4096,8192,16384
    race shapes 20_champion --warm \
        --sizes 64,128,256,512,4095,1000x3000x700,64x8192x8192,8192x64x8192,127x129x4096,1x4096x4096
    race largest 09_tiled:16 09_tiled:32 --sizes 16384
    race ragged 10_tiled_any_size:16 10_tiled_any_size:32 --sizes 1000x3000x700,4095
    race strided $naive --sizes 8000
    race one_tile_deep $one_tile_deep \
        --sizes 256x256x16,1024x1024x16,4096x4096x16,256x256x32,1024x1024x32,4096x4096x32
    race single_block 06_single_block --sizes 16,32
    race tensor_cores 20_champion 21_wmma:32 21_wmma:64 $tensor --sizes 512,1024,2048,4096,8192
    race sweep 08_tiled_b_transposed 09_tiled --tile 2,4,8,16,32 --pad 0,1,2 --sizes 1024,4096
}
exit $((failures > 0))
