package org.troupe.deployment.node;

import java.lang.System.Logger.Level;
import java.lang.System.LoggerFinder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Levels of this JVM's loggers that are changed for some time. Thread-safe. */
final class LogLevels {

  /*
   * Handlers have levels, too; that of the console is INFO unless a configuration says otherwise. So a logger whose level
   * is lowered gets a handler that prints what no other handler of it would pass.
   */
  private final Map<String, Change> changes = new HashMap<>(); // under this

  /**
   * A change that lasts.
   *
   * @param logger is held, since it would be collected with its level
   * @param before its own level before; {@code null} if it had none
   */
  private record Change(
      Logger logger, java.util.logging.@Nullable Level before, @Nullable Handler printing) {

    void undo() {
      logger.setLevel(before);
      if (printing != null) {
        logger.removeHandler(printing);
      }
    }
  }

  /**
   * Returns the level of a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  static Level named(String name) {
    return Stream.of(Level.values())
        .filter(each -> each.name().equals(name.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no log level '%s'; choose from %s"
                        .formatted(
                            name,
                            Stream.of(Level.values())
                                .map(Level::name)
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * Changes the level of a logger; a later change of the same logger replaces it.
   *
   * @throws IllegalArgumentException if the JVM does not log by java.util.logging
   */
  void set(String name, Level level, int seconds) {
    var finder = LoggerFinder.getLoggerFinder().getClass();
    if (!"java.logging".equals(finder.getModule().getName())) {
      throw new IllegalArgumentException(
          "the node logs by %s, not by java.util.logging; change the level in its configuration"
              .formatted(finder.getName()));
    }
    var change = begun(Logger.getLogger(name), jdkLevel(level));
    CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS, Thread::startVirtualThread)
        .execute(() -> end(name, change));
  }

  private synchronized Change begun(Logger logger, java.util.logging.Level level) {
    var earlier = changes.remove(logger.getName());
    if (earlier != null) {
      earlier.undo();
    }
    var change = new Change(logger, logger.getLevel(), printing(logger, level));
    changes.put(logger.getName(), change);
    logger.setLevel(level);
    if (change.printing() != null) {
      logger.addHandler(change.printing());
    }
    return change;
  }

  private synchronized void end(String name, Change change) {
    if (changes.remove(name, change)) {
      change.undo();
    }
  }

  /** Returns a handler for the records that no handler passes; {@code null} if there are none. */
  private static @Nullable Handler printing(Logger logger, java.util.logging.Level level) {
    var passed = Integer.MAX_VALUE;
    for (var each = logger;
        each != null;
        each = each.getUseParentHandlers() ? each.getParent() : null) {
      passed =
          Math.min(
              passed,
              Arrays.stream(each.getHandlers())
                  .mapToInt(handler -> handler.getLevel().intValue())
                  .min()
                  .orElse(passed));
    }
    if (level.intValue() >= passed) {
      return null;
    }
    var limit = passed;
    var printing = new ConsoleHandler();
    printing.setLevel(level);
    printing.setFilter(record -> record.getLevel().intValue() < limit);
    return printing;
  }

  /** Returns the level as the loggers of the JDK map it. */
  private static java.util.logging.Level jdkLevel(Level level) {
    return switch (level) {
      case ALL -> java.util.logging.Level.ALL;
      case TRACE -> java.util.logging.Level.FINER;
      case DEBUG -> java.util.logging.Level.FINE;
      case INFO -> java.util.logging.Level.INFO;
      case WARNING -> java.util.logging.Level.WARNING;
      case ERROR -> java.util.logging.Level.SEVERE;
      case OFF -> java.util.logging.Level.OFF;
    };
  }
}
