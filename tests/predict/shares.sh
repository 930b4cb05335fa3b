#!/bin/sh
# shares.sh SHARES [--few]: stencils and products whose cache behaviour is known exactly (shares.c); --few: each kernel in
# one shape on one device.
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
    for device in jetson-tk1 quadro-k620; do
        for local; do
            # the K620 holds one and a half rows of 4096 at once: right in sum, not for each row
            [ "$device,$local" = quadro-k620,256,1 ] && continue
            echo "$what --local $local --device $device $arguments $file"
            [ -n "$few" ] && return
        done
    done
}

shapes="32,32 32,8 16,16 256,1 64,4"
n4096="--buffer 0=67108864 --buffer 1=67108864"
three="--arg 3=4096 --arg 4=4096 $n4096 --buffer 2=67108864"
n512="--buffer 0=1048576 --buffer 1=1048576 --buffer 2=1048576"
# shellcheck disable=SC2086
{
    launches polybench_conv.cl conv2d_3x3 4096,256 --arg 2=4096 --arg 3=4096 $n4096 -- $shapes
    launches lift_stencils.cl jacobi_5pt 4096,256 --arg 2=4096 --arg 3=4096 $n4096 -- $shapes
    launches lift_stencils.cl jacobi_9pt 4096,256 --arg 2=4096 --arg 3=4096 $n4096 -- $shapes
    launches lift_stencils.cl stencil2d_9pt 4096,256 --arg 2=4096 --arg 3=4096 --arg 4=1 --arg 5=1 --arg 6=1 $n4096 -- 32,8
    launches lift_stencils.cl srad1 4096,256 --arg 2=4096 --arg 3=4096 --arg 4=1 $n4096 -- 32,8
    launches lift_stencils.cl srad2 4096,256 $three --arg 5=1 -- 32,8
    launches lift_stencils.cl hotspot2d 4096,256 $three --arg 5=1 --arg 6=1 --arg 7=1 --arg 8=1 -- 32,8
    launches lift_stencils.cl gradient 4096,256 --arg 2=4096 --arg 3=4096 $n4096 -- 32,8
    launches lift_stencils.cl gaussian_25pt 4096,256 --arg 3=4096 --arg 4=4096 $n4096 --buffer 2=100 -- 32,8
    launches polybench_fdtd.cl fdtd_hz 4096,256 $three -- 32,8
    launches polybench_mm.cl gemm 512,128 --arg 3=1 --arg 4=1 --arg 5=512 --arg 6=512 --arg 7=512 $n512 -- 32,8
    launches polybench_mm.cl mm_product 512,128 --arg 3=512 --arg 4=512 --arg 5=512 $n512 -- 32,32 32,8 16,16
    launches polybench_mv.cl mv_rows 4096 --arg 3=4096 --arg 4=1024 --buffer 0=16777216 -- 256 64
    launches polybench_mv.cl mv_columns 4096 --arg 3=1024 --arg 4=4096 --buffer 0=16777216 -- 256 64
} | "$shares"
