package org.troupe.deployment.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.troupe.testing.Polling;

class LogLevelsTest {

  private static final String NAME = "org.acme.levels";
  private static final int LONG = 3_600;

  private final LogLevels levels = new LogLevels();
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

    Polling.until(
        "the level is that before", () -> logger.getLevel() == java.util.logging.Level.WARNING);
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
