package org.troupe.transport.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;

class RmiTransportTest {
  public static class Adder {
    private int sum;

    public void add(int x) {
      sum += x;
    }

    public int sum() {
      return sum;
    }
  }

  @Test
  void calls() {
    try (var nodes = LocalNodes.start(2, new RmiTransport())) {
      var adder = ActiveObjects.on(nodes.get(1)).create(Adder.class);
      adder.add(3);
      adder.add(4);
      assertThat(adder.sum()).isEqualTo(7);
      for (int r = 0; r < 10; r++) {
        long t = System.nanoTime();
        for (int i = 0; i < 2000; i++) adder.sum();
        System.out.println((System.nanoTime() - t) / 2000 / 1e3 + " us");
      }
      for (var t : Thread.getAllStackTraces().keySet())
        System.out.println(t + (t.isDaemon() ? "" : " NO DAEMON"));
    }
  }
}
