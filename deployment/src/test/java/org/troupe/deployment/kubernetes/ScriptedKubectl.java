package org.troupe.deployment.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.troupe.deployment.process.LocalMachine;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.StartedProcess;

/**
 * A machine whose {@code kubectl} is a script with the answers of a real cluster: of version
 * 1.34.4, recorded 2026-11-27, without the fields that are not read.
 */
final class ScriptedKubectl implements Machine {

  private static final String SCRIPT =
      """
      #!/bin/sh
      cd "$(dirname "$0")" || exit
      printf '%s\\n' "$*" >>calls
      refuse() {
        if [ -f "$1.refusal" ]; then cat "$1.refusal" >&2; exit 1; fi
      }
      case "$*" in
        "create "*)
          input=$(cat)
          case $input in
            *'"Secret"'*) refuse secret; printf '%s' "$input" >secret ;;
            *) refuse job; printf '%s' "$input" >job; echo '{"metadata":{"uid":"u-1"}}' ;;
          esac ;;
        "patch --local "*)
          for word; do
            case $word in
              --patch-file=*) cat "${word#*=}" >merged; ls -l "${word#*=}" >mergedFile ;;
            esac
          done
          cat ;;
        "patch job/"*) refuse patch; echo resumed >resumed ;;
        "get jobs,pods "*) refuse get; cat states ;;
        "get jobs,secrets,pods "*) cat states ;;
        "get events "*) cat events ;;
        "logs "*) if [ -f silent ]; then exec sleep 60; fi; cat log ;;
        "delete job/"*) refuse delete; rm -f job secret; echo '{"items":[]}' >states ;;
        "delete pod/"*) ;;
        "version "*) if [ -f clientVersion ]; then cat clientVersion; fi; refuse version; cat version ;;
        "auth can-i "*) ! grep -q -x "$3 $4" forbidden ;;
        "exec "*)
          if [ -f stalled ]; then exec sleep 60; fi
          while [ "$1" != -- ]; do shift; done
          shift
          # All pods have one home, so one command at a time.
          until mkdir lock 2>/dev/null; do sleep 0.02; done
          trap 'rmdir lock' EXIT
          for word; do
            set -- "$@" "$(printf '%s' "$word" | sed "s#/troupe/home#$PWD/home#g")"
            shift
          done
          "$@" ;;
        *) echo "unexpected: $*" >&2; exit 1 ;;
      esac
      """;

  private final Machine real = new LocalMachine();
  private final Path folder;
  private final Queue<Process> processes = new ConcurrentLinkedQueue<>();

  ScriptedKubectl(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    Files.createDirectory(folder.resolve("home"));
    var script = Files.writeString(folder.resolve("kubectl"), SCRIPT);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    say("events", "{\"items\":[]}");
    say("states", "{\"items\":[]}");
    say("log", "");
    say("version", "{\"serverVersion\":{\"minor\":\"34\",\"gitVersion\":\"v1.34.4\"}}");
    say("forbidden", "");
  }

  /** Sets an answer. */
  void say(String file, String text) throws IOException {
    var part = Files.writeString(folder.resolve(file + ".part"), text);
    Files.move(part, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Sets the states of the pods, or the events, to recorded ones. */
  void answer(String file, String recorded) throws IOException {
    say(file, recorded(recorded));
  }

  void forget(String file) throws IOException {
    Files.delete(folder.resolve(file));
  }

  static String recorded(String name) {
    try (var in = ScriptedKubectl.class.getResourceAsStream(name + ".json")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the ends of all commands, which use the folder. */
  void awaitEnds() throws InterruptedException {
    for (var each : processes) {
      assertThat(each.waitFor(10, TimeUnit.SECONDS)).as("command has ended").isTrue();
    }
  }

  boolean has(String file) {
    return Files.exists(folder.resolve(file));
  }

  String read(String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }

  @Override
  public String name() {
    return "this machine";
  }

  @Override
  public StartedProcess start(
      List<String> command, Map<String, String> environment, Optional<String> start)
      throws IOException {
    var words =
        command.stream()
            .map(word -> word.equals("kubectl") ? folder.resolve(word).toString() : word)
            .toList();
    var started = real.start(words, new HashMap<>(environment), start);
    processes.add(started.process());
    return started;
  }

  @Override
  public void put(Path file, String path) {
    throw new AssertionError("nothing is put there");
  }

  @Override
  public void put(byte[] content, String path) {
    throw new AssertionError("nothing is put there");
  }

  @Override
  public void close() {}
}
