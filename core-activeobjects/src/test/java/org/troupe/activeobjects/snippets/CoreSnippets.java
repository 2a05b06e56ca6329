package org.troupe.activeobjects.snippets;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;

/** The code samples of this module's Javadoc. They are compiled, not run. */
final class CoreSnippets {

  private CoreSnippets() {}

  static class Field {
    double[] values() {
      return new double[0];
    }
  }

  static class Solver {
    Solver(double[] part) {
      assert part.length > 0;
    }

    void step(double dt) {
      assert dt > 0;
    }

    Field field() {
      return new Field();
    }
  }

  static class Worker {
    void work() {}
  }

  static double[] calls(Node node, double[] part, double dt) {
    // @start region="calls"
    Solver solver = ActiveObjects.on(node).create(Solver.class, part);
    solver.step(dt); // returns at once
    Field field = solver.field(); // returns at once
    double[] values = field.values(); // waits for the answer
    // @end
    return values;
  }

  /** A service that ignores a payment with the key of an earlier one. */
  interface Payments {
    String pay(int sum, String key);
  }

  static String once(Payments payments, int sum) {
    // @start region="once"
    String receipt = ActiveObjects.onceByKey(key -> payments.pay(sum, key));
    // @end
    return receipt;
  }

  static void local() {
    // @start region="local"
    try (LocalNodes nodes = LocalNodes.start(2)) {
      Worker worker = ActiveObjects.on(nodes.get(0)).create(Worker.class);
      worker.work();
    }
    // @end
  }
}
