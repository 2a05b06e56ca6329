package org.troupe.deployment.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.testing.Polling;

class LogLevelsTest {

  private static final String NAME = "org.acme.levels";
  private static final int LONG = 3_600;

  private final List<Runnable> timers = new ArrayList<>();
  private final LogLevels levels = new LogLevels(_ -> timers::add);
  private final Logger logger = Logger.getLogger(NAME);
  private final Handler ofProgram = new ConsoleHandler(); // from INFO on

  @BeforeEach
  void configure() {
    logger.setUseParentHandlers(false);
    logger.addHandler(ofProgram);
    logger.setLevel(java.util.logging.Level.WARNING);
  }

  @AfterEach
  void reset() {
    for (var each : logger.getHandlers()) {
      logger.removeHandler(each);
    }
    logger.setLevel(null);
    logger.setUseParentHandlers(true);
  }

  @Test
  void recordsThatNoHandlerPassesGetOneOfTheirOwn() {
    levels.set(NAME, Level.DEBUG, LONG);

    assertThat(logger.getLevel()).isEqualTo(java.util.logging.Level.FINE);
    assertThat(logger.getHandlers()).hasSize(2);
    var added = logger.getHandlers()[1];
    assertThat(added.isLoggable(new LogRecord(java.util.logging.Level.FINE, ""))).isTrue();
    assertThat(added.isLoggable(new LogRecord(java.util.logging.Level.INFO, ""))).isFalse();
  }

  @Test
  void aHigherLevelNeedsNoHandler() {
    levels.set(NAME, Level.ERROR, LONG);

    assertThat(logger.getLevel()).isEqualTo(java.util.logging.Level.SEVERE);
    assertThat(logger.getHandlers()).containsExactly(ofProgram);
  }

  @Test
  void theLevelBeforeReturnsAfterTheLastChange() {
    levels.set(NAME, Level.TRACE, LONG);
    levels.set(NAME, Level.DEBUG, 1);

    timers.getLast().run();

    assertThat(logger.getLevel()).isEqualTo(java.util.logging.Level.WARNING);
    assertThat(logger.getHandlers()).containsExactly(ofProgram);
  }

  @Test
  void aLaterChangeToTheSameLevelEndsWithItsOwnTime() {
    levels.set(NAME, Level.ERROR, 1);
    levels.set(NAME, Level.ERROR, LONG);

    timers.getFirst().run();
    assertThat(logger.getLevel()).isEqualTo(java.util.logging.Level.SEVERE);

    timers.getLast().run();
    assertThat(logger.getLevel()).isEqualTo(java.util.logging.Level.WARNING);
  }

  /** Returns how often handlers print a record of a logger. */
  private static long printed(Logger of, java.util.logging.Level level) {
    var record = new LogRecord(level, "");
    var times = 0L;
    for (var each = of;
        each != null;
        each = each.getUseParentHandlers() ? each.getParent() : null) {
      times += Stream.of(each.getHandlers()).filter(its -> its.isLoggable(record)).count();
    }
    return of.isLoggable(level) ? times : 0;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLoggerAndItsChildPrintEachRecordOnceWhileEitherChangeLasts(boolean isParentFirst) {
    var child = Logger.getLogger(NAME + ".child");
    var names = isParentFirst ? List.of(NAME, NAME + ".child") : List.of(NAME + ".child", NAME);
    names.forEach(each -> levels.set(each, Level.DEBUG, LONG));
    assertThat(printed(child, java.util.logging.Level.FINE)).isEqualTo(1);
    assertThat(printed(child, java.util.logging.Level.INFO)).isEqualTo(1);
    assertThat(printed(logger, java.util.logging.Level.FINE)).isEqualTo(1);

    timers.get(names.indexOf(NAME)).run();
    assertThat(printed(child, java.util.logging.Level.FINE)).isEqualTo(1);
    assertThat(printed(logger, java.util.logging.Level.FINE)).isZero();

    timers.get(names.indexOf(NAME + ".child")).run();
    assertThat(printed(child, java.util.logging.Level.FINE)).isZero();
    assertThat(child.getLevel()).isNull();
    assertThat(child.getHandlers()).isEmpty();
    assertThat(logger.getLevel()).isEqualTo(java.util.logging.Level.WARNING);
    assertThat(logger.getHandlers()).containsExactly(ofProgram);
  }

  @Test
  void theLevelBeforeReturnsAfterChangesByTwoGridsOfAProgram() {
    new NodeUpkeep().setLogLevel(NAME, "TRACE", LONG);
    new NodeUpkeep().setLogLevel(NAME, "DEBUG", 1);

    Polling.until(
        "the level is that before", () -> logger.getLevel() == java.util.logging.Level.WARNING);
    assertThat(logger.getHandlers()).containsExactly(ofProgram);
  }
}
