package org.troupe.opentelemetry;

import java.io.IOException;

class TracesOverIbisTest extends TracesOfJvmsContract {

  TracesOverIbisTest() throws IOException {
    super("ibis");
  }
}
