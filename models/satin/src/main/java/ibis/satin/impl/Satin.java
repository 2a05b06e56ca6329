package ibis.satin.impl;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Nodes;
import org.troupe.tasks.engine.Engine;

/** The running Satin program of this JVM. */
public final class Satin {

  private static final Satin RUNNING = new Satin();

  private static final String ALLOW = "troupe.serialization.allow";
  private static final String TYPES = "ibis.satin.impl.*,ibis.satin.replica.*";

  // A JVM runs one program.
  private static volatile @Nullable Nodes nodes;
  private static volatile @Nullable ProgramRun current;

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
   * @throws Throwable an exception of the program, or one of a job that no inlet has taken
   */
  public static void main(MethodHandle body, String[] arguments) throws Throwable {
    if (Engine.current() != null) {
      body.invokeExact(arguments);
      return;
    }
    Nodes given = nodes;
    SatinProperties properties = SatinProperties.ofSystem();
    try (ProgramRun run =
        given == null ? ProgramRun.here(properties) : ProgramRun.on(given, properties)) {
      current = run;
      run.submit(new ProgramRoot(body, arguments)).get();
    } catch (ExecutionException e) {
      throw JobFailure.unwrap(Objects.requireNonNull(e.getCause(), "how the root failed"));
    } finally {
      current = null;
    }
  }

  /**
   * Returns the options of JVMs that become nodes of a Satin program, and lets this JVM decode what
   * they send. To be called before this JVM deploys them.
   *
   * <p>Jobs and shared objects of Satin are admitted in such runs only, since shared objects are
   * copied by Java serialization.
   */
  public static List<String> nodeOptions() {
    String given = System.getProperty(ALLOW, "");
    if (!given.contains(TYPES)) {
      System.setProperty(ALLOW, given.isBlank() ? TYPES : given + "," + TYPES);
    }
    return List.of("-D" + ALLOW + "=" + System.getProperty(ALLOW));
  }

  /**
   * Lets the program that this JVM runs next use nodes besides its own, which have {@link
   * #nodeOptions}.
   */
  public static void useNodes(Nodes all) {
    nodes = all;
  }

  /** Stops stealing by this node, and from it; only where the program's {@code main} runs. */
  public static void pause() {
    ProgramRun run = current;
    if (run != null) {
      run.pause();
    }
  }

  /** Ends {@link #pause}. */
  public static void resume() {
    ProgramRun run = current;
    if (run != null) {
      run.resume();
    }
  }

  /** Returns whether workers look for jobs; never in a world of one. */
  public static boolean needMoreJobs() {
    ProgramRun run = current;
    return (run == null || !run.isAlone()) && Engine.isHungry();
  }

  /** Returns whether the current job was spawned by this node. */
  public static boolean localJob() {
    return SatinJob.isLocal();
  }
}
