package ibis.satin.impl;

import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Engine;

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

  /**
   * Runs the {@code main} of a woven class on a worker. Called on a worker it is a call.
   *
   * @throws Throwable what the program throws, or what a job has thrown and no inlet taken
   */
  public static void main(MethodHandle body, String[] arguments) throws Throwable {
    if (Engine.current() != null) {
      body.invokeExact(arguments);
      return;
    }
    // One worker: programs keep tables and counters in static fields, and rely on one thread.
    SatinProperties properties = SatinProperties.ofSystem();
    try (var engine =
        Engine.start(Engine.Settings.ofProperties().withWorkers(properties.threads()))) {
      engine.submit(new ProgramRoot(body, arguments)).get();
    } catch (ExecutionException e) {
      throw JobFailure.unwrap(Objects.requireNonNull(e.getCause(), "how the root failed"));
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
