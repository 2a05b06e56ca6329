package com.example.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.List;
import java.util.zip.InflaterInputStream;
import org.troupe.activeobjects.Nodes;
import org.troupe.junit.GridTest;

class ProgramsTest {

  @GridTest(nodes = 2)
  void theLogisticMapIsChaoticAtRateFour(Nodes nodes) {
    List<Sweep.Point> points = Sweep.sweep(nodes, 7);

    assertEquals(7, points.size());
    assertTrue(points.getFirst().exponent() < 0);
    assertEquals(Math.log(2), points.getLast().exponent(), 0.01);
  }

  @GridTest(nodes = 3)
  void heatDecaysAsTheExactSolution(Nodes nodes) {
    assertEquals(0, Heat.error(nodes, 31, 200), 1e-12);
  }

  @GridTest(nodes = 2)
  void framesArriveInOrderAndCanBeUnpacked(Nodes nodes) throws Exception {
    List<Pipeline.Packed> frames = Pipeline.frames(nodes, 3);

    assertEquals(List.of(0, 1, 2), frames.stream().map(Pipeline.Packed::number).toList());
    byte[] bytes = frames.getLast().bytes();
    assertEquals(
        320 * 320, new InflaterInputStream(new ByteArrayInputStream(bytes)).readAllBytes().length);
  }

  @GridTest(nodes = 2)
  void theServiceAnswersAndRefuses(Nodes nodes) throws Exception {
    try (Service service = new Service(nodes)) {
      assertEquals("25 primes below 100\n", Service.ask(URI.create(service.address() + "?below=100")).body());
      assertEquals(400, Service.ask(URI.create(service.address() + "?below=-1")).statusCode());
      assertEquals(400, Service.ask(service.address()).statusCode());
    }
  }
}
