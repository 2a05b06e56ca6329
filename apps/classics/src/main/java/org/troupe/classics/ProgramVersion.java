package org.troupe.classics;

import java.util.function.Function;
import java.util.stream.Stream;
import org.troupe.activeobjects.Ref;
import org.troupe.groups.Group;

/**
 * A way to an answer, to be timed: the sequential one, or that by active objects.
 *
 * @param <R> the answer
 */
public interface ProgramVersion<R> {

  /** Begins anew; not timed. */
  void prepare();

  /** The work; returns when all of it is done. */
  void run();

  /** Returns what came out, and leaves nothing behind; not timed. */
  R result();

  /**
   * Returns the version by the members of a group, each of which does its share.
   *
   * @param part what a member has in the end
   * @param whole makes the answer of all parts, by rank
   */
  static <M, P, R> ProgramVersion<R> by(
      Group<M> members,
      Ref.Told<M> prepare,
      Ref.Told<M> work,
      Ref.Asked<M, P> part,
      Function<Stream<P>, R> whole) {
    return new ProgramVersion<>() {
      @Override
      public void prepare() {
        members.tell(prepare).join();
      }

      @Override
      public void run() {
        members.tell(work).join();
      }

      @Override
      public R result() {
        return whole.apply(members.ask(part).stream());
      }
    };
  }
}
