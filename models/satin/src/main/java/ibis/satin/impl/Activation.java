package ibis.satin.impl;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One activation of a woven method, or of an inlet of it, from its first spawn on. */
public final class Activation {

  private static final Logger LOGGER = System.getLogger(Activation.class.getPackageName());

  /** The methods that have returned without sync, each of which is warned of once. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private final @Nullable InletLocals locals;
  private final @Nullable Activation outer;

  /** The jobs spawned since the last sync, in their order. */
  private @Nullable SatinJob first;

  private @Nullable SatinJob last;

  /** Whether all jobs have ended, and a sync stores their results. */
  private boolean storing;

  private final List<SatinJob> waiting = new ArrayList<>();

  private Activation(@Nullable InletLocals locals, @Nullable Activation outer) {
    this.locals = locals;
    this.outer = outer;
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
    if (last == null) {
      first = job;
    } else {
      last.next = job;
    }
    last = job;
    waiting.add(job);
  }

  /**
   * Waits for the jobs of an activation and returns one that has a result, in the order of their
   * spawns; at each further call the next one, and {@code null} after the last.
   *
   * @throws JobFailure if a job has thrown and no inlet took it, or an inlet has thrown
   */
  public static @Nullable SatinJob sync(@Nullable Activation activation) {
    return activation == null ? null : activation.next();
  }

  private @Nullable SatinJob next() {
    if (!storing) {
      work();
      storing = true;
    }
    while (first != null) {
      SatinJob job = first;
      first = job.next;
      job.next = null;
      if (job.done) {
        return job;
      }
    }
    last = null;
    storing = false;
    return null;
  }

  private void work() {
    while (!waiting.isEmpty()) {
      SatinJob job = waiting.removeLast();
      try {
        job.execute();
        job.done = true;
      } catch (Throwable thrown) {
        failed(job, JobFailure.unwrap(thrown));
      }
    }
  }

  private void failed(SatinJob job, Throwable thrown) {
    Throwable failure = thrown;
    if (locals != null) {
      try {
        locals.inlet(this, job.site, thrown);
        return;
      } catch (Throwable byInlet) {
        failure = JobFailure.unwrap(byInlet);
      }
    }
    throw new JobFailure(failure);
  }

  /**
   * Ends the unfinished jobs of an activation.
   *
   * @param outer the activation whose inlet calls, or {@code null}; its jobs are ended as well
   */
  public static void abort(@Nullable Activation activation, @Nullable Activation outer) {
    if (activation != null) {
      activation.waiting.clear();
    }
    for (Activation each = outer; each != null; each = each.outer) {
      each.waiting.clear();
    }
  }

  /** Warns, once for each method, of a return while jobs are outstanding. */
  public static void leave(Activation activation, String method) {
    if (activation.first != null && WARNED.add(method)) {
      LOGGER.log(
          Level.WARNING,
          "{0} returns before the jobs that it has spawned have ended; it waits for them now. Call sync() before it returns.",
          method);
    }
  }

  /** Ends the jobs of an activation that has thrown. */
  public static void cutOff(@Nullable Activation activation) {
    abort(activation, null);
  }
}
