package org.troupe.program;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Lets the process of its node be killed at a step of a protocol. */
public class Saboteur {

  private static final String FAULTS = "org.troupe.activeobjects.internal.fault.";

  /**
   * Lets the process be killed when it passes a step of a move.
   *
   * @param step the name of the step
   * @param passage 1 for the first time
   */
  public boolean arm(String step, int passage) throws ReflectiveOperationException {
    return arm("MoveStep", step, passage);
  }

  /** Lets the process be killed when it passes a step of a restart on another node. */
  public boolean armRestart(String step, int passage) throws ReflectiveOperationException {
    return arm("RestartStep", step, passage);
  }

  /** Lets the process be killed at a step of a {@link DeadlyStore}. */
  public boolean armStore(int passage) {
    DeadlyStore.arm(passage);
    return true;
  }

  private static boolean arm(String steps, String step, int passage)
      throws ReflectiveOperationException {
    var passages = new AtomicInteger();
    follow(
        steps,
        at -> {
          if (at.equals(step) && passages.incrementAndGet() == passage) {
            die();
          }
        });
    return true;
  }

  /** Lets the process live. */
  public boolean disarm() throws ReflectiveOperationException {
    follow("MoveStep", at -> {});
    follow("RestartStep", at -> {});
    DeadlyStore.arm(0);
    return true;
  }

  /** Sets what happens at a step; by reflection, because its package is not for programs. */
  private static void follow(String steps, Consumer<String> plan)
      throws ReflectiveOperationException {
    BiConsumer<Object, Object> actions = (step, node) -> plan.accept(step.toString());
    Class.forName(FAULTS + steps).getMethod("follow", BiConsumer.class).invoke(null, actions);
  }

  /** Ends the process by SIGKILL; the step is not passed. */
  static void die() {
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
