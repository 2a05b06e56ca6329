package org.troupe.junit.snippets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.junit.GridTest;

/** Samples of the documentation. */
class JunitSnippets {

  static class Counter {

    private int count;

    Counter() {}

    public void add(int more) {
      count += more;
    }

    public int count() {
      return count;
    }
  }

  // @start region="tests"
  @GridTest(nodes = 2) // in this JVM
  void addsInOrder(Node here, Node there) {
    Counter counter = ActiveObjects.on(there).create(Counter.class);
    counter.add(1);
    counter.add(2);
    assertEquals(3, counter.count());
  }

  @GridTest(jvms = 2) // in JVMs of their own
  void addsAlsoBetweenProcesses(Nodes nodes) {
    Counter counter = ActiveObjects.on(nodes.first()).create(Counter.class);
    counter.add(2);
    assertEquals(2, counter.count());
  }
  // @end
}
