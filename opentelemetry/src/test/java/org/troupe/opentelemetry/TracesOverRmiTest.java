package org.troupe.opentelemetry;

import java.io.IOException;

class TracesOverRmiTest extends TracesOfJvmsContract {

  TracesOverRmiTest() throws IOException {
    super("rmi");
  }
}
