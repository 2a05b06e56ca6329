# The part of Troupe's command line that finds a JVM and starts what is built. Included, by a POSIX shell, by the scripts
# of an archive and of a checkout; both set 'distribution', the folder with lib/, and 'java'.

java_needed=25
prepared=

fail() {
  code=$1
  shift
  printf 'troupe: %s\n' "$*" >&2
  exit "$code"
}

# Sets java to that of the first Java that is new enough and has a program, or leaves it empty; sets seen to the rest.
find_java() {
  program=$1
  on_path=$(command -v java || true)
  if [ -n "$on_path" ]; then
    on_path=$(dirname -- "$(dirname -- "$(real_path "$on_path")")")
  fi
  java=
  seen=
  for jdk in "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/* /usr/java/* /opt/* /opt/java/* \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "$(cache_folder)"/jdk-* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if [ -z "$jdk" ] || [ ! -x "$jdk/bin/java" ]; then
      continue
    fi
    version=$(java_version "$jdk")
    if [ "$version" -ge "$java_needed" ] && [ -x "$jdk/bin/$program" ]; then
      java=$jdk/bin/java
      return
    fi
    seen="$seen $jdk ($version)"
  done
}

# Says that there is no Java, as find_java found, and what else could be done.
no_java() {
  fail 127 "there is no JDK $java_needed or newer in JAVA_HOME ('${JAVA_HOME:-not set}'), on the PATH," \
    "in /usr/lib/jvm, /usr/java, /opt, ~/.sdkman, ~/.jdks, ~/.cache/troupe or macOS's folders; $*" \
    "install one, for instance from https://adoptium.net, or set JAVA_HOME; what there is:${seen:- no Java at all}"
}

# Prints the folder for what can be fetched or made again; nothing if the user has no such folder.
cache_folder() {
  if [ -n "${XDG_CACHE_HOME:-}${HOME:-}" ]; then
    printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/troupe"
  fi
}

# Prints the feature version of a JDK, 0 if it has none: from the file that comes with each.
java_version() {
  number=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
  printf '%s\n' "${number:-0}"
}

# Prints the help of a verb, or the completion, and ends: from files that were made with the archive, or in the training run
# after a build, since a JVM would take half a second for it. Returns if the arguments are anything else, or if there are no
# files. What the environment says on styles is left to the JVM.
print_help() {
  if [ -n "${NO_COLOR+set}${CLICOLOR+set}${CLICOLOR_FORCE+set}${JDK_JAVA_OPTIONS-}${JAVA_TOOL_OPTIONS-}" ]; then
    return
  fi
  command=troupe
  while [ $# -gt 1 ]; do
    case $1 in
      '' | *[!a-z-]* | -*) return ;;
    esac
    command=$command.$1
    shift
  done
  style=plain
  if [ -t 1 ] && ! is_dumb; then
    style=styled
  fi
  case $command,${1-} in
    *,-h | *,--help) text=$distribution/lib/help/$style/$command ;;
    troupe,completion) text=$distribution/lib/help/completion ;;
    *) return ;;
  esac
  if [ -f "$text" ]; then
    exec cat "$text"
  fi
}

# Says whether the terminal would print the codes of colours.
is_dumb() {
  [ "${TERM:-dumb}" = dumb ]
}

# Runs the command line with java.
launch() {
  if [ -z "${HOME-}" ]; then
    HOME=$({ getent passwd "$(id -u)" | cut -d : -f 6; } 2>/dev/null)
    export HOME="${HOME:-/}" # a JVM would take the folder '?' for the home of a user whom the system does not know
  fi
  if is_dumb && [ -z "${CLICOLOR_FORCE-}" ]; then
    export NO_COLOR="${NO_COLOR-1}" # which the JVM looks at, as at no TERM
  fi
  choose_encoding "$@"
  look_at "$@"

  # Benchmarks come with libraries that nobody else is to load.
  if [ "$verb" = bench ]; then
    class_path=$distribution/lib/bench/*
  fi

  woven=
  if [ "$verb,$model" = run,satin ] && [ -n "$class_path" ]; then
    weave
  fi

  # The options with which the cache was made: it is not used with others.
  set -- --enable-native-access=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED org.troupe.cli.Main "$@"

  # A program runs in this JVM and wants its full speed, shared memory to the nodes of this machine
  # included; all else wants to be over soon.
  name_cache
  case $verb in
    run | bench)
      rehearse
      if [ -n "$woven" ]; then
        set -- -Dtroupe.woven="$woven" "$@"
      fi
      # A heap that begins small and grows is half as large in the end as one that begins with a 64th of the memory.
      if [ "$verb" = run ] && [ -z "${JDK_JAVA_OPTIONS-}${JAVA_TOOL_OPTIONS-}" ]; then
        set -- -Xms32m "$@"
        if [ "$program" = em3d ]; then
          # The solver keeps a few arrays as long as its mesh and allocates little besides; another collector would take
          # a third more memory from the system.
          set -- -XX:+UseSerialGC -Xmn12m -XX:MaxHeapFreeRatio=20 -XX:MinHeapFreeRatio=10 -XX:-ShrinkHeapInSteps "$@"
        else
          # The compilers would otherwise take the processors from the nodes, which start at the same time.
          set -- -XX:CompileThresholdScaling=5 "$@"
        fi
      fi
      ;;
    *) set -- -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@" ;;
  esac
  if [ -s "$cache" ]; then
    set -- -XX:AOTCache="$cache" -Xlog:aot=off -Dtroupe.aotCache="$cache" "$@"
  fi
  exec "$java" ${prepared:+-Dtroupe.prepared="$prepared"} -cp "$distribution/lib/*${class_path:+:$class_path}" "$@"
}

# Takes UTF-8 for the names of files where the locale has no encoding for them: a JVM finds no file then whose name, or that
# of a folder of its path, has other letters than those of ASCII.
choose_encoding() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) ;;
    *) return ;;
  esac
  case $java$distribution$PWD${HOME-}${TMPDIR-}$* in
    *[!\ -~]*) ;;
    *) return ;; # as ssh may pass it on to machines that do not have it
  esac
  if [ -n "${LC_ALL-}" ]; then
    export LC_ALL=C.UTF-8
  else
    export LC_CTYPE=C.UTF-8
  fi
}

# Records when preparations ended that only some starts need, such as a build. The age of the process, which the solver
# prints as the time of its start, begins there.
note_preparations() {
  { read -r prepared _ </proc/uptime; } 2>/dev/null || prepared=
}

# Sets cache to the file from which JVMs of Troupe start in about half the time: one for what is built and for the JDK.
# It is empty if options of the user's own might not go with it.
name_cache() {
  jdk=$(sed -n 's/^JAVA_\(RUNTIME_\)\{0,1\}VERSION="\([^"/]*\)".*/\2/p' "${java%/bin/java}/release" 2>/dev/null | head -n 1)
  if [ -f "$distribution/lib/jars" ]; then # of an archive, which may be read-only
    jars=$(cksum <"$distribution/lib/jars")
    caches=$(cache_folder)
    cache=$caches/start-${jars%% *}-$jdk.aot
    made_for=$distribution/lib/jars
  else
    caches=$distribution
    cache=$distribution/start-$jdk.aot
    made_for=$distribution/built
  fi
  case "${JDK_JAVA_OPTIONS:+other}${JAVA_TOOL_OPTIONS-}${_JAVA_OPTIONS-}" in
    other* | *-Xshare* | *SharedArchiveFile* | *AOT*) cache= ;;
  esac
}

# Makes the cache if there is none for what is built, and the files of print_help. Starts without it if that fails.
rehearse() {
  [ -z "$caches" ] || mkdir -p "$caches" 2>/dev/null
  if [ -z "$cache" ]; then
    return
  elif [ -s "$cache" ] && [ "$cache" -nt "$made_for" ]; then
    touch -c "$cache" 2>/dev/null # its age says how long it has not been used
    return
  elif [ "${TROUPE_BUILD-}" = never ] || [ ! -w "$caches" ] || is_given_up; then
    return
  elif ! work=$(mktemp -d "$cache.XXXXXX" 2>/dev/null); then
    return # a folder of its own, as process ids repeat in containers and hosts that share the caches
  else
    echo 'preparing fast starts (once after a build, some seconds) ...' >&2
    trap 'rm -rf "$work"; exit 130' HUP INT TERM
    remove_old_caches
    # Without method profiles: with them, each JVM compiles a thousand methods at its start, whether or not they are
    # called. The option that leaves them out is a diagnostic one, which a later JDK need not know.
    "$java" -XX:AOTCacheOutput="$work/aot" -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions \
      -XX:-AOTRecordTraining --enable-native-access=ALL-UNNAMED \
      --add-opens=java.base/java.lang=ALL-UNNAMED -cp "$distribution/lib/*" \
      org.troupe.cli.StartTraining "$work/help" </dev/null >/dev/null 2>&1 || rm -rf "$work/aot" "$work/help"
    # By its name only: JVMs may run from a file of that name.
    if [ -s "$work/aot" ] && touch "$work/aot" && mv -f "$work/aot" "$cache"; then
      rm -f "$cache.failures"
    else
      echo failed >>"$cache.failures"
    fi
    [ -d "$distribution/lib/help" ] || mv "$work/help" "$distribution/lib/help" 2>/dev/null
    rm -rf "$work"
    trap - HUP INT TERM
    note_preparations
  fi
}

# Says whether an attempt to make the cache has failed in the last ten minutes, as on a machine under load, or three have in all.
is_given_up() {
  [ "$cache.failures" -nt "$made_for" ] || return 1
  [ -n "$(sed -n 3p "$cache.failures")" ] || [ -n "$(find "$cache.failures" -mmin -10)" ]
}

# Removes the caches of earlier builds; of archives, which share a folder, those from which no JVM has started for 30 days.
# A cache that a JVM of this machine still has open stays, as does what another run prepares at the same time.
remove_old_caches() {
  if [ "$caches" = "$distribution" ]; then
    find "$distribution" -name 'start-*' ! -newer "$distribution/built" -prune -exec rm -rf {} +
    return
  fi
  # The system lists open files by their paths without symbolic links.
  real_caches=$(cd -- "$caches" && pwd -P)
  find "$real_caches" -name 'start-*' -prune -mtime +30 -print | while read -r old; do
    grep -qF -- "$old" /proc/[0-9]*/maps 2>/dev/null || rm -rf "$old"
  done
}

# Weaves the classes of a Satin program into a folder of their own, which the program's JVM deletes at its end.
weave() {
  woven=$(mktemp -d "${TMPDIR:-/tmp}/troupe-satin.XXXXXX") || fail 1 "no folder can be made for the woven classes"
  class_path=$("$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp "$distribution/lib/*" \
    org.troupe.cli.Main satinc --entries "$class_path" "$woven")
  code=$?
  if [ $code -ne 0 ]; then
    rm -rf "$woven"
    exit $code
  fi
}

# Sets verb, program, model and class_path. The class path of a program has to be known before its JVM starts; the
# command line itself is read, and checked, by the command.
look_at() {
  verb=
  program=
  class_path=
  model=
  while [ $# -gt 0 ]; do
    case $verb,$1 in
      run,--class-path | explain,--class-path)
        class_path=${2-}
        shift
        ;;
      run,--model | run,--jvms | run,--ranks | run,--grid | run,--on)
        if [ "$1" = --model ]; then
          model=${2-}
        fi
        shift
        ;;
      run,--model=*) model=${1#*=} ;;
      run,--jvms=* | run,--ranks=* | run,--grid=* | run,--on=*) ;;
      run,--class-path=* | explain,--class-path=*) class_path=${1#*=} ;;
      run,--verbose | run,--dashboard | run,--report-html) ;;
      run,*) # what follows is the program's
        program=$1
        return
        ;;
      ,-*) ;;
      ,*) verb=$1 ;;
    esac
    if [ $# -gt 0 ]; then
      shift
    fi
  done
}
