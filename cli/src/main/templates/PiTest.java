package PACKAGE_NAME;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.troupe.activeobjects.Nodes;
import org.troupe.junit.GridTest;

class PiTest {

  @GridTest(nodes = 3) // within this JVM
  void addsUpTheTermsOfAllNodes(Nodes nodes) {
    assertEquals(Math.PI, Pi.compute(nodes, 100_000), 1e-9);
  }

  @GridTest(jvms = 2) // in JVMs of their own
  void computesInProcesses(Nodes nodes) {
    assertEquals(Math.PI, Pi.compute(nodes, 100_000), 1e-9);
  }
}
