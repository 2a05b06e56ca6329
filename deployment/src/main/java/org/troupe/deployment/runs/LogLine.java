package org.troupe.deployment.runs;

import java.util.Locale;
import java.util.regex.Pattern;
import org.troupe.deployment.process.OutputTail;

/**
 * A line of a node's output. Immutable.
 *
 * @param node the name of the node
 * @param timeMillis when the program received it, in milliseconds since 1970
 * @param level {@code error}, {@code warning}, {@code info} or {@code debug}, if the line names a
 *     level of the usual loggers; otherwise {@code stderr} or {@code stdout}
 * @param text the line, without its end
 */
public record LogLine(String node, long timeMillis, String level, String text) {

  private static final int BEGINNING = 120; // where loggers write the level
  private static final Pattern LEVEL =
      Pattern.compile(
          "\\b(SEVERE|ERROR|FATAL|WARNING|WARN|INFO|CONFIG|DEBUG|TRACE|FINE|FINER|FINEST)\\b");

  static LogLine of(String node, OutputTail.Line line) {
    return new LogLine(node, line.timeMillis(), level(line), line.text());
  }

  private static String level(OutputTail.Line line) {
    var beginning = line.text().substring(0, Math.min(BEGINNING, line.text().length()));
    var named = LEVEL.matcher(beginning);
    if (!named.find()) {
      return line.isError() ? "stderr" : "stdout";
    }
    return switch (named.group().toUpperCase(Locale.ROOT)) {
      case "SEVERE", "ERROR", "FATAL" -> "error";
      case "WARNING", "WARN" -> "warning";
      case "INFO", "CONFIG" -> "info";
      default -> "debug";
    };
  }
}
