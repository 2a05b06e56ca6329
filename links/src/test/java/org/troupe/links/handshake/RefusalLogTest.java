package org.troupe.links.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.troupe.links.Address;

class RefusalLogTest {

  private final List<String> lines = new ArrayList<>();
  private final RefusalLog log = new RefusalLog(new Lines());
  private final Address port = new Address("127.0.0.1", 4011);

  private static InetAddress host(int number) {
    try {
      return InetAddress.getByAddress(new byte[] {10, 0, (byte) (number >> 8), (byte) number});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void saysWhoWasRefusedWhereAndWhy() {
    log.refused(port, host(1), RefusalCause.WRONG_SECRET);

    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .startsWith("WARNING")
        .contains("127.0.0.1:4011", "10.0.0.1", "does not know this deployment's secret");
  }

  @Test
  void repeatsItselfAtEveryTenfoldOnly() {
    for (int i = 0; i < 1234; i++) {
      log.refused(port, host(1), RefusalCause.LEFT);
    }

    assertThat(lines).hasSize(4);
    assertThat(lines.getLast()).contains("1000");
  }

  @Test
  void tellsHostsAndCausesApart() {
    log.refused(port, host(1), RefusalCause.LEFT);
    log.refused(port, host(2), RefusalCause.LEFT);
    log.refused(port, host(2), RefusalCause.TOO_SLOW);
    log.refused(port, host(1), RefusalCause.LEFT);

    assertThat(lines).hasSize(3);
  }

  @Test
  void forgetsTheLongestUnseenOfVeryManyHosts() {
    log.refused(port, host(0), RefusalCause.LEFT);
    for (int i = 1; i <= 1024; i++) {
      log.refused(port, host(i), RefusalCause.LEFT);
    }
    lines.clear();

    log.refused(port, host(1024), RefusalCause.LEFT);
    assertThat(lines).isEmpty();
    log.refused(port, host(0), RefusalCause.LEFT);
    assertThat(lines).hasSize(1);
  }

  private final class Lines implements System.Logger {
    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      lines.add(level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... values) {
      lines.add(level + " " + MessageFormat.format(format, values));
    }
  }
}
