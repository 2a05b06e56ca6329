package org.troupe.cli.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.troupe.deployment.site.RemoteTroupe;

/** The size of the terminal that the standard output goes to. */
public record TerminalSize(int columns, int rows) {

  private static final TerminalSize USUAL = new TerminalSize(80, 24);
  private static final int SECONDS = 2;

  /**
   * Returns the size; empty if the standard output does not go to a terminal. That of a caller on
   * another machine is in the environment.
   */
  public static Optional<TerminalSize> ofStandardOutput() {
    var ofCaller = System.getenv(RemoteTroupe.TERMINAL);
    if (ofCaller != null) {
      return parse(ofCaller);
    }
    var console = System.console();
    return console == null || !console.isTerminal()
        ? Optional.empty()
        : Optional.of(asked().orElse(USUAL));
  }

  /** Asks the terminal: shells usually do not pass COLUMNS on to programs. */
  private static Optional<TerminalSize> asked() {
    try {
      var process =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      return parse(new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return Optional.empty(); // no such command
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Reads rows and columns, as {@code stty} prints them; a terminal may report zeros. */
  static Optional<TerminalSize> parse(String text) {
    var words = text.strip().split(" ", -1);
    try {
      return words.length == 2 && Integer.parseInt(words[0]) > 0 && Integer.parseInt(words[1]) > 0
          ? Optional.of(new TerminalSize(Integer.parseInt(words[1]), Integer.parseInt(words[0])))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
