package ibis.ipl.internal;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that run over one driver after the other: by ring, by channel and through an engine. A Unix
 * domain socket is a channel as well.
 */
@ParameterizedClass(name = "over {0}")
@ValueSource(strings = {"shm", "tcp", "tls"})
abstract class OverEachDriver {

  @BeforeParameterizedClassInvocation
  static void choose(String driver) {
    System.setProperty(Instances.LINKS, driver);
  }

  @AfterParameterizedClassInvocation
  static void chooseNone() {
    System.clearProperty(Instances.LINKS);
  }
}
