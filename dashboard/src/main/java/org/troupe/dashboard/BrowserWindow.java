package org.troupe.dashboard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Opens an address in the user's browser. */
public final class BrowserWindow {

  private static final long PATIENCE_SECONDS = 10;

  private BrowserWindow() {}

  /**
   * Opens an address, without showing it to other users.
   *
   * @throws IOException if there is no browser, or it cannot be started
   */
  public static void open(String address) throws IOException {
    // All users see the arguments of a process, so the address, with its tokens, goes through a
    // private file.
    var folder = Files.createTempDirectory("troupe-open-");
    var file = folder.resolve("open.html");
    folder.toFile().deleteOnExit();
    file.toFile().deleteOnExit();
    var target = address.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    Files.writeString(
        file,
        "<!DOCTYPE html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
            + "<meta http-equiv=\"refresh\" content=\"0; url="
            + target
            + "\">\n",
        StandardCharsets.UTF_8);
    var isMac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
    var command = List.of(isMac ? "open" : "xdg-open", file.toString());
    var process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    try {
      if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() != 0) {
        throw new IOException("'" + command.getFirst() + "' ended with " + process.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
