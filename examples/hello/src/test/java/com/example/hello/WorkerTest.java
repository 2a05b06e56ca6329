package com.example.hello;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;

/** Calls a worker as the program does, between two nodes of this JVM. */
class WorkerTest {

  @Test
  void countsWordsAndTexts() {
    try (LocalNodes nodes = LocalNodes.start(2)) {
      Worker worker = ActiveObjects.on(nodes.get(1)).create(Worker.class, "test");

      Count some = worker.count("two words");
      Count none = worker.count("  ");

      assertEquals(2, some.words());
      assertEquals(0, none.words());
      assertEquals(2, worker.texts());
    }
  }
}
