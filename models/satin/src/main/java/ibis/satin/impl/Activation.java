package ibis.satin.impl;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.Frame;
import org.troupe.tasks.engine.Spawn;

/** One activation of a woven method, or of an inlet of it, from its first spawn on. */
@SuppressWarnings("exports") // of the engine's room woven code needs nothing itself
public final class Activation extends Frame {

  /*
   * Design: duties beyond those of the engine.
   *
   * The engine executes the jobs of a frame and runs ended() of each on the frame's thread. Satin adds two things:
   *
   * Results come in the order of the spawns. The activation keeps its jobs in a list until the next sync; when all
   * have ended, the sync loop of the woven method takes them from there.
   *
   * A failure takes the inlet around the spawn first, in ended(). An exception that the inlet throws, or one that
   * no inlet takes, is the failure of the frame: the engine cancels the other jobs, and throws the JobFailure that
   * failure() has made. It unwinds to the parent's job, where ended() takes its cause.
   *
   * A thread that is no worker, one that the program has started, executes its jobs itself at each sync.
   *
   * With MW other nodes steal from the master only, so what a stolen job spawned would never be stolen. That is an
   * error, as it ended the program in the original.
   */

  private static final Logger LOGGER = System.getLogger(Activation.class.getPackageName());

  /** The methods that have returned without sync, each of which is warned of once. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private final @Nullable InletLocals locals;
  private final @Nullable Activation outer;

  /** The jobs that wait here, for a thread that is no worker. */
  private final @Nullable List<SatinJob> waiting;

  /** The jobs spawned since the last sync, in their order. */
  private @Nullable SatinJob first;

  private @Nullable SatinJob last;

  /** Whether all jobs have ended, and a sync stores their results. */
  private boolean storing;

  /** Whether this node steals from the master only. Read when the first job spawns. */
  private static final class MasterOnly {
    static final boolean IS_SET =
        SatinProperties.Algorithm.MW
            .name()
            .equalsIgnoreCase(System.getProperty("satin.alg", "").strip());
  }

  private Activation(@Nullable InletLocals locals, @Nullable Activation outer) {
    if (MasterOnly.IS_SET && !SatinJob.isLocal()) {
      throw new IllegalStateException(
          "a job that another node has taken spawns, but with -Dsatin.alg=MW nodes take jobs from"
              + " the master only; choose CRS or RS, or spawn all jobs in main");
    }
    this.locals = locals;
    this.outer = outer;
    this.waiting = Engine.current() == null ? new ArrayList<>() : null;
  }

  /**
   * Returns an activation whose jobs have inlets: the given one, or a new one.
   *
   * @param outer the activation whose inlet this is an activation of, or {@code null}
   */
  public static Activation withInlets(
      @Nullable Activation activation, InletLocals locals, @Nullable Activation outer) {
    return activation == null ? new Activation(locals, outer) : activation;
  }

  /** Spawns a job whose result goes to a variable, to a static field or nowhere. */
  public static Activation spawn(SatinJob job, @Nullable Activation activation, int site) {
    Activation here = activation == null ? new Activation(null, null) : activation;
    job.site = site;
    here.add(job);
    return here;
  }

  /** Spawns a job whose result goes to an array element, or to a field of an object. */
  public static Activation spawn(
      SatinJob job, @Nullable Activation activation, int site, Object target, int index) {
    job.target = target;
    job.index = index;
    return spawn(job, activation, site);
  }

  private void add(SatinJob job) {
    job.activation = this;
    if (last == null) {
      first = job;
    } else {
      last.next = job;
    }
    last = job;
    job.share();
    if (waiting == null) {
      forkJob(job);
    } else {
      waiting.add(job);
    }
  }

  /**
   * Waits for the jobs of an activation and returns one that has a result, in the order of their
   * spawns; at each further call the next one, and {@code null} after the last.
   *
   * @throws JobFailure if a job has thrown and no inlet took it, or an inlet has thrown
   */
  public static @Nullable SatinJob sync(@Nullable Activation activation) {
    if (activation == null) {
      Engine.checkpoint();
      return null;
    }
    return activation.next();
  }

  private @Nullable SatinJob next() {
    if (!storing) {
      join();
      storing = true;
    }
    while (first != null) {
      SatinJob job = first;
      first = job.next;
      job.next = null;
      job.activation = null;
      if (job.hasResult()) {
        return job;
      }
    }
    last = null;
    storing = false;
    return null;
  }

  private void join() {
    if (waiting == null) {
      joinForks();
      return;
    }
    while (!waiting.isEmpty()) {
      SatinJob job = waiting.removeLast();
      try {
        job.executeHere();
      } catch (Throwable thrown) {
        throw new JobFailure(JobFailure.unwrap(thrown));
      }
    }
  }

  /** Runs the inlet of a job that has thrown. */
  void failed(SatinJob job, Throwable thrown) throws Throwable {
    if (locals == null) {
      throw thrown;
    }
    locals.inlet(this, job.site, thrown);
  }

  @Override
  protected Throwable failure(Spawn job, Throwable thrown) {
    return new JobFailure(JobFailure.unwrap(thrown));
  }

  /**
   * Ends the unfinished jobs of an activation.
   *
   * @param outer the activation whose inlet calls, or {@code null}; its jobs are ended as well
   */
  public static void abort(@Nullable Activation activation, @Nullable Activation outer) {
    if (activation != null) {
      activation.end();
    }
    for (Activation each = outer; each != null; each = each.outer) {
      each.end();
    }
  }

  private void end() {
    if (waiting == null) {
      cancelForks();
    } else {
      waiting.clear();
    }
  }

  /** Warns, once for each method, of a return while jobs are outstanding. */
  public static void leave(Activation activation, String method) {
    if (activation.first != null && WARNED.add(method)) {
      LOGGER.log(
          Level.WARNING,
          "{0} returns before the jobs that it has spawned have ended; it waits for them now, but what it returns was computed without their results. Call sync() before results are used.",
          method);
    }
  }

  /**
   * Ends the jobs of an activation that has thrown, and waits for those of them that run elsewhere.
   */
  public static void cutOff(@Nullable Activation activation) {
    if (activation != null && activation.outstanding() > 0) {
      activation.end();
      activation.join();
    }
  }
}
