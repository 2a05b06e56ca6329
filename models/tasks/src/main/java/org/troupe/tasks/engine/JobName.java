package org.troupe.tasks.engine;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The name of a job: a digest of its path, which is the random name of the root, and at each level
 * the number of the job among the forks of its parent. Two executions of a deterministic parent
 * fork jobs of the same names. Of a million jobs, two have the same name with a probability below
 * 1e-26.
 */
public record JobName(long high, long low) {

  static JobName ofRoot() {
    var random = ThreadLocalRandom.current();
    return new JobName(random.nextLong(), random.nextLong());
  }

  /** Returns the name of the fork with a number. */
  JobName fork(int number) {
    long one = mix(high ^ 0x9e3779b97f4a7c15L * (number + 1L));
    long other = mix(low + 0xd1b54a32d192ed03L * (number + 1L) ^ Long.rotateLeft(high, 17));
    return new JobName(one + Long.rotateLeft(low, 31), other ^ one);
  }

  /** Returns the name of a job that is active or not begun. */
  static JobName of(Frame job) {
    int levels = 0;
    Frame at = job;
    @Nullable JobName known = null;
    while (true) {
      var state = at.stateIfAny();
      if (state != null && state.name != null) {
        known = state.name;
        break;
      }
      var parent = at.parent();
      if (parent == null) {
        known = ofRoot(); // of a frame that belongs to nothing
        at.state().name = known;
        break;
      }
      levels++;
      at = parent;
    }
    var path = new int[levels];
    at = job;
    for (int i = levels - 1; i >= 0; i--) {
      path[i] = at.index();
      at = java.util.Objects.requireNonNull(at.parent(), "as counted above");
    }
    var name = known;
    for (int number : path) {
      name = name.fork(number);
    }
    if (levels > 0) {
      job.state().name = name;
    }
    return name;
  }

  /** The finalizer of David Stafford's variant 13 of MurmurHash3. */
  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }

  @Override
  public String toString() {
    return new UUID(high, low).toString();
  }
}
