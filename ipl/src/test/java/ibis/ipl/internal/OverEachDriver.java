package ibis.ipl.internal;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that run over one driver after the other: by ring, by channel and through an engine. A Unix
 * domain socket is a channel as well.
 */
@ParameterizedClass(name = "over {0}")
@ValueSource(strings = {"shm", "tcp", "tls"})
public abstract class OverEachDriver {

  /** What is injected before each test, and so too late for instances that are fields. */
  @Parameter String driver;

  @BeforeParameterizedClassInvocation
  static void choose(String next) {
    System.setProperty(Instances.LINKS, next);
  }

  @AfterParameterizedClassInvocation
  static void chooseNone() {
    System.clearProperty(Instances.LINKS);
  }
}
