package org.troupe.deployment.batch;

import java.time.Duration;
import org.troupe.deployment.process.ShellLine;
import org.troupe.descriptors.BatchJvms;

/** The script of a job that holds its machines for the jobs of several runs, one after another. */
final class HoldScript {

  /*
   * Design: requests. A run asks for the machines by a folder run-N in the folder of the held job, with the path of its
   * own script in the file "script", which appears at once. The job serves requests in the order of their numbers: it
   * writes "started", runs the script as if the batch system had started it, and writes the exit code to "end". A file
   * "kill" ends a request, whether it waits or runs. A request is served once, even if its end cannot be written. The scripts see the environment of the job, and so its machines.
   *
   * The job ends by itself some time before the batch system would kill it, so that it can end the last run in order and
   * remove its folder. Network file systems may hide new files of other machines for some time; a file that the job
   * creates and removes in a folder makes them ask their server.
   */
  private static final String TEXT =
      """
      #!/bin/sh
      # Troupe: holds the machines of '%1$s' for several runs.
      hold=%2$s
      until=$(($(date +%%s) + %3$d))
      child=
      watcher=
      served=' '

      over() {
        trap '' TERM INT HUP
        if [ -n "$child" ]; then
          kill -TERM "$child" 2>/dev/null
          wait "$child"
        fi
        [ -z "$watcher" ] || kill "$watcher" 2>/dev/null
        cd / && rm -rf "$hold"
        exit 0
      }
      trap over TERM INT HUP

      isOver() { [ ! -d "$hold" ] || [ "$(date +%%s)" -ge "$until" ]; }
      refresh() { (: >"$1/poll" && rm -f "$1/poll") 2>/dev/null; }
      finished() { echo "$2" >"$1/end.new" && mv "$1/end.new" "$1/end"; }

      # watch REQUEST PID: ends the script of a request that is no longer wanted.
      watch() {
        while [ ! -e "$1/kill" ] && ! isOver; do
          sleep 1
          refresh "$1"
        done
        kill -TERM "$2" 2>/dev/null
        sleep 20
        kill -KILL "$2" 2>/dev/null
      }

      # serve REQUEST: runs the script of a request.
      serve() {
        served="$served$number "
        script=$(cat "$1/script")
        if [ -e "$1/kill" ] || [ ! -f "$script" ]; then
          finished "$1" 143
          return
        fi
        : >"$1/started"
        folder=$(dirname "$script")
        /bin/sh "$script" >"$folder/job.out" 2>"$folder/job.err" </dev/null &
        child=$!
        watch "$1" "$child" >/dev/null 2>&1 &
        watcher=$!
        wait "$child"
        code=$?
        child=
        kill "$watcher" 2>/dev/null
        watcher=
        finished "$1" "$code"
      }

      : >"$hold/started"
      while ! isOver; do
        refresh "$hold"
        number=1
        while [ -d "$hold/run-$number" ]; do
          case $served in
            *" $number "*) ;;
            *)
              if [ -f "$hold/run-$number/script" ] && [ ! -e "$hold/run-$number/end" ]; then
                serve "$hold/run-$number"
              fi ;;
          esac
          number=$((number + 1))
        done
        sleep 1
      done
      over
      """;

  private static final Duration MOST_RESERVED = Duration.ofMinutes(1);

  private HoldScript() {}

  /**
   * Returns the script.
   *
   * @param folder the folder of the job; absolute
   * @param wallTime the time limit of the job
   */
  static String of(BatchJvms element, String folder, Duration wallTime) {
    var tenth = wallTime.dividedBy(10);
    var reserved = tenth.compareTo(MOST_RESERVED) < 0 ? tenth : MOST_RESERVED;
    return TEXT.formatted(
        element.id(), ShellLine.quoted(folder), wallTime.minus(reserved).toSeconds());
  }
}
