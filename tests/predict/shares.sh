#!/bin/sh
# shares.sh SHARES [--few|--wrong]: every stencil and matrix product of tests/kernels, with the rows that their programs have
# and as many of them as tell: caches whose behaviour is known exactly (shares.c).  --few: each kernel with one size on one
# device.  --wrong: all shares of what is known to be wrong (docs/predicting.md), and not looked at otherwise.
set -u
shares=$(realpath "$1")
few=${2-}
cd "$(dirname "$0")/../kernels" || exit 1

launches() # FILE KERNEL GLOBAL ARGUMENT... -- LOCAL...
{
    file=$1 what="--kernel $2 --global $3" arguments=
    shift 3
    while [ "$1" != -- ]; do
        arguments="$arguments $1"
        shift
    done
    shift
    for device in $devices; do
        for local; do
            echo "${within:+within $within} $what --local $local --device $device $arguments $file"
            [ -n "$few" ] && return
        done
    done
}

buffers() # BYTES...: those of arguments 0 and so on; -: no buffer
{
    i=0
    for bytes; do
        [ "$bytes" = - ] || printf ' --buffer %u=%u' "$i" "$bytes"
        i=$((i + 1))
    done
}

within= devices="jetson-tk1 quadro-k620"
two="16,16 32,8 32,32 256,1 8,8"
m=16777216 n=4194304 # bytes of 2048 x 2048 and 1024 x 1024 numbers
if [ "$few" = --wrong ]; then
    few=
    # shellcheck disable=SC2030,SC2046
    {
        launches polybench_stat.cl stat_products 512 --arg 2=512 --arg 3=512 $(buffers 1048576 1048576) -- 256
        launches polybench_stat.cl stat_products 1024 --arg 2=1024 --arg 3=128 $(buffers $n 524288) -- 256
        launches by_hand_8.cl filter_8 64,128 --arg 3=512 --arg 4=512 --arg 5=2 $(buffers 1048576 100 1048576) -- 16,16 64,4
        devices=geforce-gtx-460
        launches lift_stencils.cl jacobi_5pt 4096,128 --arg 2=4096 --arg 3=4096 $(buffers 67108864 67108864) -- 16,16 32,8
        launches polybench_conv.cl conv2d_3x3 2048,128 --arg 2=2048 --arg 3=2048 $(buffers $m $m) -- 16,16 32,8
    } | "$shares" --each
    exit
fi
# shellcheck disable=SC2031,SC2046,SC2086
{
    launches polybench_conv.cl conv2d_3x3 2048,128 --arg 2=2048 --arg 3=2048 $(buffers $m $m) -- $two
    launches polybench_conv.cl conv3d_plane 512,128 --arg 2=512 --arg 3=512 --arg 4=64 $(buffers 134217728 134217728) -- $two
    launches lift_stencils.cl stencil2d_9pt 2048,128 --arg 2=2048 --arg 3=2048 --arg 4=1 --arg 5=1 --arg 6=1 $(buffers $m $m) -- $two
    launches lift_stencils.cl gradient 2048,128 --arg 2=2048 --arg 3=2048 $(buffers $m $m) -- $two
    launches lift_stencils.cl jacobi_5pt 4096,128 --arg 2=4096 --arg 3=4096 $(buffers 67108864 67108864) -- $two
    launches lift_stencils.cl jacobi_9pt 2048,128 --arg 2=2048 --arg 3=2048 $(buffers $m $m) -- $two
    launches lift_stencils.cl srad1 1024,128 --arg 2=1024 --arg 3=1024 --arg 4=1 $(buffers $n $n) -- $two
    launches lift_stencils.cl srad2 1024,128 --arg 3=1024 --arg 4=1024 --arg 5=1 $(buffers $n $n $n) -- $two
    launches lift_stencils.cl hotspot2d 1024,128 --arg 3=1024 --arg 4=1024 --arg 5=1 --arg 6=1 --arg 7=1 --arg 8=1 $(buffers $n $n $n) -- $two
    launches lift_stencils.cl gaussian_25pt 1024,128 --arg 3=1024 --arg 4=1024 $(buffers $n $n 100) -- $two
    launches polybench_fdtd.cl fdtd_ey 1024,128 --arg 3=0 --arg 4=1024 --arg 5=1024 $(buffers 4096 $n $n) -- $two
    launches polybench_fdtd.cl fdtd_ex 1024,128 --arg 2=1024 --arg 3=1024 $(buffers $n $n) -- $two
    launches polybench_fdtd.cl fdtd_hz 1024,128 --arg 3=1024 --arg 4=1024 $(buffers $n $n $n) -- $two
    launches parboil_stencil.cl stencil_7pt 128,128,16 --arg 0=1 --arg 1=1 --arg 4=130 --arg 5=130 --arg 6=130 \
        $(buffers - - 8788000 8788000) -- 128,1,1 32,8,1 16,16,1
    # 3.1 and 3.9 points: rows of 130 numbers begin anywhere in a line, so that 768 touches of an access are few
    within=5
    launches parboil_stencil.cl stencil_7pt 128,128,16 --arg 0=1 --arg 1=1 --arg 4=130 --arg 5=130 --arg 6=130 \
        $(buffers - - 8788000 8788000) -- 8,8,4
    within=
    launches by_hand.cl filter 512,128 --arg 3=512 --arg 4=512 --arg 5=2 $(buffers $n 100 $n) -- $two
    # 7.5 and 9.2 points: rows 0 to 3 of a group load further ones, of which the model knows the first warp's, 0 and 1
    within=10
    launches tiled.cl blur_tiled 1024,128 --arg 2=1024 $(buffers 4227136 $n) -- 16,16
    within= devices="$devices h200" # whose units have caches of their own

    launches polybench_mm.cl gemm 384,64 --arg 3=1 --arg 4=1 --arg 5=384 --arg 6=384 --arg 7=384 \
        $(buffers 589824 589824 589824) -- 16,16 32,8 32,32 128,1
    launches polybench_mm.cl mm_product 1024,32 --arg 3=1024 --arg 4=1024 --arg 5=1024 $(buffers $n $n $n) -- 16,16 32,8 256,1
    launches polybench_mm.cl syrk 384,64 --arg 2=1 --arg 3=1 --arg 4=384 --arg 5=384 $(buffers 589824 589824) -- 16,16 32,8 128,1
    launches polybench_mm.cl syr2k 320,64 --arg 3=1 --arg 4=1 --arg 5=320 --arg 6=320 $(buffers 409600 409600 409600) -- 16,16 32,8 64,1
    launches parboil_sgemm.cl sgemm_nt 384,64 --arg 1=384 --arg 3=384 --arg 5=384 --arg 6=384 --arg 7=1 --arg 8=1 \
        $(buffers 589824 - 589824 - 589824) -- 16,16 32,8 128,1
    launches tiled.cl mm_tiled 256,64 --arg 3=256 $(buffers 262144 262144 262144) -- 16,16
    launches by_hand.cl product 512,64 --arg 3=512 $(buffers $n $n $n) -- 16,16 32,8 256,1
    launches polybench_mv.cl mv_rows 2048 --arg 3=2048 --arg 4=512 $(buffers $m 8192 8192) -- 256 64 1024
    launches polybench_mv.cl mv_columns 2048 --arg 3=512 --arg 4=2048 $(buffers $m 8192 8192) -- 256 64 1024
    launches polybench_mv.cl mvt_rows 512 --arg 3=512 $(buffers $n 2048 2048) -- 256 64
    launches polybench_mv.cl mvt_columns 2048 --arg 3=2048 $(buffers $m 8192 8192) -- 256 64
    launches polybench_mv.cl gesummv 512 --arg 5=1 --arg 6=1 --arg 7=512 $(buffers $n $n 2048 2048 2048) -- 256 64
    launches by_hand_8.cl product_8 64,64 --arg 3=512 $(buffers $n $n $n) -- 8,8 32,1
    launches by_hand_8.cl columns_8 64 --arg 3=512 --arg 4=512 $(buffers $n 2048 2048) -- 32
    launches by_hand.cl columns 512 --arg 3=512 --arg 4=512 $(buffers $n 2048 2048) -- 64 256
} | "$shares"
