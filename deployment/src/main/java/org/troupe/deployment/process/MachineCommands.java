package org.troupe.deployment.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs short commands on a machine, also several at the same time.
 *
 * @param longest the time limit of a command
 */
public record MachineCommands(Machine machine, Duration longest) implements CommandRunner {

  private static final int SHOWN = 3;

  @Override
  public Answer run(List<String> command) throws IOException {
    return run(command, new byte[0]);
  }

  /**
   * Runs a command that reads an input to its end.
   *
   * @throws IOException if it cannot be started or takes too long; the message says where and why
   */
  public Answer run(List<String> command, byte[] input) throws IOException {
    var started = machine.start(command, Map.of(), Optional.empty());
    var process = started.process();
    try {
      var output = read(process.getInputStream());
      var errorOutput = read(process.getErrorStream());
      if (input.length == 0) {
        write(input, process.getOutputStream());
      } else { // a command that hangs may not read it
        Thread.ofPlatform()
            .daemon()
            .name("troupe-input")
            .start(() -> write(input, process.getOutputStream()));
      }
      if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "'%s' on %s has not ended within %d s"
                .formatted(shown(command), machine.name(), longest.toSeconds()));
      }
      if (started.explanation().isPresent()) {
        throw new IOException(
            "'%s' on %s: %s"
                .formatted(shown(command), machine.name(), started.explanation().get()));
      }
      return new Answer(process.exitValue(), output.join(), errorOutput.join());
    } catch (CompletionException e) {
      throw new IOException(
          "the output of '%s' on %s cannot be read: %s"
              .formatted(shown(command), machine.name(), cause(e).getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(
          "interrupted while '%s' ran on %s".formatted(shown(command), machine.name()), e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static void write(byte[] input, OutputStream stream) {
    try (stream) {
      stream.write(input);
    } catch (IOException e) {
      // A command that ends without reading its input says why itself.
    }
  }

  private static Throwable cause(CompletionException e) {
    return e.getCause() == null ? e : e.getCause();
  }

  private static CompletableFuture<String> read(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofPlatform().daemon().name("troupe-answer").start(task));
  }

  private static String shown(List<String> command) {
    return command.stream()
        .limit(SHOWN)
        .takeWhile(word -> word.indexOf('\n') < 0) // no scripts
        .collect(Collectors.joining(" "));
  }
}
