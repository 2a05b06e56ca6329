package ibis.satin.impl;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The running Satin program of this JVM. */
public final class Satin {

  private static final Satin RUNNING = new Satin();

  private Satin() {}

  /**
   * Returns the running program; {@code null} in a program that is not woven. Programs ask this to
   * know whether they run in parallel.
   */
  public static @Nullable Satin getSatin() {
    return null;
  }

  /** Returns the running program; woven classes call it for {@link #getSatin}. */
  public static Satin running() {
    return RUNNING;
  }

  /** Runs the {@code main} of a woven class. */
  public static void main(MethodHandle body, String[] arguments) throws Throwable {
    try {
      body.invokeExact(arguments);
    } catch (JobFailure failure) {
      throw JobFailure.unwrap(failure);
    }
  }

  /** Stops stealing by this node, and from it. */
  public static void pause() {}

  /** Ends {@link #pause}. */
  public static void resume() {}

  /** Returns whether more jobs are worth spawning. */
  public static boolean needMoreJobs() {
    return false;
  }

  /** Returns whether the current job was spawned by this node. */
  public static boolean localJob() {
    return true;
  }
}
