package org.troupe.deployment.node;

import java.lang.System.Logger.Level;
import java.lang.System.LoggerFinder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
   *
   * The records that the other handlers pass depend on the changes of the parents of the logger, which begin and end on their own. So
   * these handlers are derived from all changes that last, parents first, whenever one begins or ends.
   */
  private final Function<Duration, Executor> after;
  private final Map<String, Change> changes = new HashMap<>(); // under this

  /** A change that lasts. */
  private static final class Change {
    private final Logger logger; // is held, since it would be collected with its level
    private final java.util.logging.@Nullable Level before; // its own; null if it had none
    private final java.util.logging.Level level;
    private @Nullable Handler printing; // null if other handlers pass all

    Change(Logger logger, java.util.logging.@Nullable Level before, java.util.logging.Level level) {
      this.logger = logger;
      this.before = before;
      this.level = level;
    }

    void removeHandler() {
      if (printing != null) {
        logger.removeHandler(printing);
        printing = null;
      }
    }

    void addHandler() {
      printing = LogLevels.printing(logger, level);
      if (printing != null) {
        logger.addHandler(printing);
      }
    }
  }

  LogLevels() {
    this(
        within ->
            CompletableFuture.delayedExecutor(
                within.toSeconds(), TimeUnit.SECONDS, Thread::startVirtualThread));
  }

  /** Creates one with other timers, for tests. */
  LogLevels(Function<Duration, Executor> after) {
    this.after = after;
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
    after.apply(Duration.ofSeconds(seconds)).execute(() -> end(name, change));
  }

  private synchronized Change begun(Logger logger, java.util.logging.Level level) {
    var earlier = changes.get(logger.getName());
    var change = new Change(logger, earlier == null ? logger.getLevel() : earlier.before, level);
    removeHandlers();
    changes.put(logger.getName(), change);
    logger.setLevel(level);
    addHandlers();
    return change;
  }

  private synchronized void end(String name, Change change) {
    if (changes.get(name) == change) {
      removeHandlers();
      changes.remove(name);
      change.logger.setLevel(change.before);
      addHandlers();
    }
  }

  private void removeHandlers() {
    changes.values().forEach(Change::removeHandler);
  }

  private void addHandlers() {
    changes.entrySet().stream()
        .sorted(Comparator.comparingInt(each -> each.getKey().length())) // parents first
        .forEach(each -> each.getValue().addHandler());
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
