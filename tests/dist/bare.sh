#!/bin/sh
# bare.sh - goes from a bare Debian machine to the first packet of a game, with one package or with each, `make bare`.
# SPDX-License-Identifier: MIT
#
# usage: [DIST=build/dist] bare.sh MACHINES [PACKAGE...]     from the top directory, after make dist
#        bare.sh MACHINES base                               only makes MACHINES/base, unless it is there
#
# A bare machine is a copy of MACHINES/base, which debootstrap makes: Debian's smallest system, of the release that runs
# here, without git, make or a compiler. The network is as it is here. Prints a table: seconds, how many of them apt-get
# took, seconds of the processor, and the megabytes that came into /usr. Needs root and debootstrap.
set -eu
unset MAKEFLAGS MAKELEVEL MFLAGS
mkdir -p "$1"
machines=$(cd "$1" && pwd)
shift
all='clone debian debian-given cmake-fetch cmake-find meson dist docker'
packages=${*:-$all}
given=$machines/given
for package in $packages; do
    case " $all base " in
    *" $package "*) ;;
    *)
        echo "bare.sh: no package '$package'; there are: $all" >&2
        exit 2
        ;;
    esac
done

# What is mounted here goes with this process.
[ -n "${BARE_MOUNTS-}" ] || exec env BARE_MOUNTS=own unshare --mount --propagation private "$0" "$machines" $packages

base() {
    [ -e "$machines/base.made" ] && return
    rm -rf "$machines/base"
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    debootstrap --variant=minbase "$suite" "$machines/base" ${MIRROR-} >"$machines/debootstrap.log"
    # As in the images that containers start from: dpkg does not wait for the disk after each file.
    echo force-unsafe-io >"$machines/base/etc/dpkg/dpkg.cfg.d/unsafe-io"
    touch "$machines/base.made"
}

# Makes a machine, in $root. The apt-get that it finds first writes down how long the real one took.
machine() {
    root=$machines/$1/root
    ! mountpoint -q "$root" || umount -R "$root"
    rm -rf --one-file-system "${machines:?}/$1"
    mkdir -p "$machines/$1/written" "$machines/$1/work" "$root"
    mount -t overlay -o "lowerdir=$machines/base,upperdir=$machines/$1/written,workdir=$machines/$1/work" overlay "$root"
    mount -t proc proc "$root/proc"
    cat >"$root/usr/local/bin/apt-get" <<'END'
#!/bin/sh
begun=$(date +%s%N)
status=0
DEBIAN_FRONTEND=noninteractive /usr/bin/apt-get "$@" || status=$?
echo $((($(date +%s%N) - begun) / 1000000)) >>/apt-milliseconds
exit $status
END
    chmod +x "$root/usr/local/bin/apt-get"
    git clone -q --bare . "$root/pktc.git"
    cp -R tests/dist/game "$root/game"
}

# Runs commands in the machine, in the folder of the game, and then the game.
run() {
    chroot "$root" env HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -exc "cd /game; $1"
}
packet() { run 'test "$(./game)" = "anna pistol: 17 bytes"'; }
with_pktc='pktc -I shared -o made game.pkt; cc -Imade -o game game.c made/*.c'
with_pkg_config='pktc --no-runtime -I shared -o made game.pkt
    cc -Imade $(pkg-config --cflags pktc) -o game game.c made/*.c $(pkg-config --libs pktc)'
install='apt-get update; apt-get install -y --no-install-recommends'

clone() {
    run "$install git make; git clone -q /pktc.git /root/pktc; make -C /root/pktc -j2 deps install; $with_pktc"
}

debian() {
    run "$install git make; git clone -q /pktc.git /root/pktc; make -C /root/pktc -j2 deps deb
        apt-get install -y --no-install-recommends /root/pktc/build/deb/*.deb; $with_pkg_config"
    mkdir -p "$given"
    cp "$root"/root/pktc/build/deb/*.deb "$given"
}

# Packages that somebody else has built.
debian_given() {
    cp "$given"/pktc_*.deb "$given"/libpkt-dev_*.deb "$root"
    run "$install /*.deb gcc libc6-dev pkg-config; $with_pkg_config"
}

cmake_lists() {
    { printf 'cmake_minimum_required(VERSION 3.16)\nproject(game C)\n'; cat; } >"$root/game/CMakeLists.txt"
    cat >>"$root/game/CMakeLists.txt" <<'END'
add_executable(game game.c)
pktc_generate(TARGET game SCHEMAS game.pkt IMPORT_DIRS shared)
END
}
with_cmake='cmake -S . -B made; cmake --build made --parallel 2; cp made/game .'

cmake_fetch() {
    cmake_lists <<END
include(FetchContent)
FetchContent_Declare(pktc GIT_REPOSITORY /pktc.git GIT_TAG $(git rev-parse HEAD))
FetchContent_MakeAvailable(pktc)
END
    run "$install cmake make gcc libc6-dev git re2c lemon libjansson-dev; $with_cmake"
}

cmake_find() {
    cp "$given"/pktc_*.deb "$given"/libpkt-dev_*.deb "$root"
    echo 'find_package(pktc REQUIRED)' | cmake_lists
    run "$install /*.deb cmake make gcc libc6-dev; $with_cmake"
}

meson() {
    cp share/packaging/meson/meson.build "$root/game"
    share/packaging/meson.sh "$root/game"
    run "$install meson gcc libc6-dev; meson setup made; meson compile -C made; cp made/game ."
}

dist() {
    cp "${DIST:-build/dist}"/pktc.c "$root/game"
    run "$install gcc libc6-dev; cc pktc.c -o /usr/local/bin/pktc; $with_pktc"
}

# The lines of the Dockerfile: each FROM is another machine. The game is compiled outside, where the container is started.
docker() {
    sed -e ':line' -e '/\\$/{N; s/\\\n//; b line' -e '}' share/packaging/Dockerfile >"$machines/lines"
    while read -r word rest; do
        case $word in
        FROM) machine "docker-${rest##* }" && [ "${rest% AS build}" = "$rest" ] || built=$root ;;
        RUN) chroot "$root" sh -exc "$rest" ;;
        WORKDIR) mkdir -p "$root/$rest" ;;
        ENTRYPOINT) entry=$(echo "$rest" | tr -d '["],') ;;
        COPY)
            case $rest in
            '. /pktc') mkdir "$root/pktc" && git archive HEAD | tar -x -C "$root/pktc" ;;
            '--from=build /made /') cp -R "$built/made/." "$root" ;;
            *) false ;;
            esac
            ;;
        '#' | '') ;;
        *) false ;;
        esac
    done <"$machines/lines"
    run "$entry -I shared -o made game.pkt"
    cc -I"$root/game/made" -o "$root/game/game" "$root"/game/game.c "$root"/game/made/*.c
}

base
[ "$packages" != base ] || exit 0
case " $packages " in
*-given* | *-find*) [ -e "$given" ] || packages="debian $(echo " $packages " | sed 's/ debian / /')" ;;
esac
echo '| package | seconds | of apt-get | of the processor | MB in /usr |'
echo '|---|---|---|---|---|'
for package in $packages; do
    machine "$package"
    begun=$(date +%s)
    # In the background, because a command that if or || looks at does not end at its first failure.
    ("$(echo "$package" | tr - _)"; packet; times >"$machines/$package.times") >"$machines/$package.log" 2>&1 &
    wait $! || { tail -n 20 "$machines/$package.log" >&2; exit 1; }
    seconds=$(($(date +%s) - begun))
    processor=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$machines/$package.times")
    apt=$(cat "$machines/$package"*/written/apt-milliseconds | awk '{ sum += $1 } END { printf "%d", sum / 1000 }')
    usr=$(du -sm "$machines/$package"*/written/usr | awk 'END { print $1 }')
    echo "| $package | $seconds | $apt | $processor | $usr |"
done
