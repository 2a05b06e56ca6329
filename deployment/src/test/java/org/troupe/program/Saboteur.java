package org.troupe.program;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Lets the process of its node be killed at a step of a move. */
public class Saboteur {

  private static final String STEPS = "org.troupe.activeobjects.internal.relocation.MoveStep";

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

  /** What happens at a step. */
  private interface Plan {
    void at(String step);
  }

  /** Installs a plan; by reflection, because the package of the steps is not for programs. */
  private static void follow(Plan plan) throws ReflectiveOperationException {
    var type = Class.forName(STEPS + "$Plan");
    var installed =
        Proxy.newProxyInstance(
            Saboteur.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              plan.at(String.valueOf(arguments[0]));
              return null;
            });
    Class.forName(STEPS).getMethod("follow", type).invoke(null, installed);
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
