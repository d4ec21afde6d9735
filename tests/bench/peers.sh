# peers.sh - builds the other libraries of the benchmark, as far as they are installed.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2086,SC2154
#
# For run.sh, which sets $here, $root, $BUILD and $flags. build_peers sets $peers to objects and libraries, and
# $link_with to the linker; adds HAVE_name to $flags; and prints which libraries are missing. They are always compiled
# with cc and c++ -O2, because the installed libraries are not compiled with the flags of the benchmark either.

peer_cc() {
    cc $flags -O2 -I"$BUILD/peers" -c -o "$BUILD/peers/$1.o" "$2"
}

peer_cxx() {
    c++ -std=c++17 -DNDEBUG -O2 -I"$BUILD/generated" -I"$root/runtime" -I"$here" -I"$BUILD/peers" \
        -c -o "$BUILD/peers/$1.o" "$2"
}

build_nanopb() {
    (cd "$BUILD/peers" && { nanopb_generator.py peer.proto || nanopb_generator peer.proto; }) &&
        peer_cc nanopb_messages "$BUILD/peers/peer.pb.c" && peer_cc nanopb "$here/peer_nanopb.c"
}

build_protobuf_c() {
    (cd "$BUILD/peers" && protoc-c --c_out=. peer.proto) &&
        peer_cc protobuf_c_messages "$BUILD/peers/peer.pb-c.c" && peer_cc protobuf_c "$here/peer_protobuf_c.c"
}

build_flatbuffers() {
    (cd "$BUILD/peers" && flatc --cpp peer.fbs) && peer_cxx flatbuffers "$here/peer_flatbuffers.cpp"
}

build_capnproto() {
    (cd "$BUILD/peers" && capnp compile -oc++ -I/usr/include peer.capnp) &&
        peer_cxx capnproto_messages "$BUILD/peers/peer.capnp.c++" && peer_cxx capnproto "$here/peer_capnproto.cpp"
}

# Adds a library: the function that builds it, its macro, what to link, its packages.
add_peer() {
    if build_$1 >"$BUILD/peers/$1.log" 2>&1; then
        flags="$flags -DHAVE_$2"
        for object in "$BUILD/peers/$1"*.o; do
            [ -e "$object" ] && peers="$peers $object"
        done
        peers="$peers $3"
    else
        absent="$absent $4"
    fi
}

build_zlib() {
    echo '#include <zlib.h>' | cc -E -
}

build_peers() {
    mkdir -p "$BUILD/peers"
    cp "$here"/peer.proto "$here"/peer.options "$here"/peer.fbs "$here"/peer.capnp "$BUILD/peers/"
    peers=
    absent=
    link_with=c++
    add_peer zlib ZLIB -lz zlib1g-dev
    add_peer nanopb NANOPB -lprotobuf-nanopb 'nanopb libnanopb-dev'
    add_peer protobuf_c PROTOBUF_C -lprotobuf-c 'protobuf-c-compiler libprotobuf-c-dev'
    add_peer flatbuffers FLATBUFFERS '' 'flatbuffers-compiler libflatbuffers-dev'
    add_peer capnproto CAPNPROTO '-lcapnp -lkj' 'capnproto libcapnp-dev'
    case $flags in *HAVE_FLATBUFFERS* | *HAVE_CAPNPROTO*) ;; *) link_with=cc ;; esac
    [ -z "$absent" ] || echo "not compared, as they are not installed:$absent"
}
