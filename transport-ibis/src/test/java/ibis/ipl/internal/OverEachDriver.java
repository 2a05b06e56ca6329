package ibis.ipl.internal;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that run over one driver after the other: by ring, by channel and through an engine. A Unix
 * domain socket is a channel as well.
 */
@ParameterizedClass(name = "over {0}")
@ValueSource(strings = {"shm", "tcp", "tls"})
abstract class OverEachDriver {

  @Parameter String driver;

  @BeforeEach
  void choose() {
    System.setProperty(Instances.LINKS, driver);
  }

  @AfterEach
  void chooseNone() {
    System.clearProperty(Instances.LINKS);
  }
}
