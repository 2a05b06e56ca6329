package org.troupe.classics;

import java.util.function.Function;
import java.util.stream.Stream;
import org.troupe.activeobjects.Ref;
import org.troupe.groups.Group;

/**
 * A version of a computation to be timed: the sequential one, or the one with active objects.
 *
 * <p>Each round calls {@link #prepare}, {@link #run} and {@link #result} in this order.
 *
 * @param <R> the type of the result
 */
public interface ProgramVersion<R> {

  /** Sets up a round; not timed. */
  void prepare();

  /** Does the timed work; returns when all of it is done. */
  void run();

  /** Returns the result; not timed. */
  R result();

  /**
   * Returns a version in which each member of a group does its share.
   *
   * @param part gets a member's part of the result
   * @param whole combines the parts, which are ordered by rank
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
