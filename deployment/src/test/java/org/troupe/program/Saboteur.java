package org.troupe.program;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Lets the process of its node be killed at a step of a move. */
public class Saboteur {

  private static final String STEPS = "org.troupe.activeobjects.internal.fault.MoveStep";

  /**
   * Lets the process be killed when it passes a step.
   *
   * @param step the name of the step
   * @param passage 1 for the first time
   */
  public boolean arm(String step, int passage) throws ReflectiveOperationException {
    var passages = new AtomicInteger();
    follow(
        at -> {
          if (at.equals(step) && passages.incrementAndGet() == passage) {
            die();
          }
        });
    return true;
  }

  /** Lets the process live. */
  public boolean disarm() throws ReflectiveOperationException {
    follow(at -> {});
    return true;
  }

  /** Sets what happens at a step; by reflection, because its package is not for programs. */
  private static void follow(Consumer<String> plan) throws ReflectiveOperationException {
    BiConsumer<Object, Object> actions = (step, node) -> plan.accept(step.toString());
    Class.forName(STEPS).getMethod("follow", BiConsumer.class).invoke(null, actions);
  }

  /** Ends the process by SIGKILL; the step is not passed. */
  private static void die() {
    try {
      new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).start();
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
    for (; ; ) {
      LockSupport.park();
    }
  }
}
