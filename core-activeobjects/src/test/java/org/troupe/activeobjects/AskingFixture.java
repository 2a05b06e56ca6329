package org.troupe.activeobjects;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.Ref.Asked;
import org.troupe.activeobjects.Ref.Told;

/** Asks that fail, each with the line of its call. Outside the packages that traces leave out. */
public final class AskingFixture {

  static class Failing {

    int fail() {
      throw new IllegalStateException("as asked");
    }
  }

  /** A call, and the line from which it was made. */
  public record Called(CompletableFuture<?> answer, int line) {}

  private final Ref<Failing> ref = ActiveObjects.ref(ActiveObjects.here().create(Failing.class));
  private final Asked<Failing, Integer> held = this::fail;
  private Class<?> lambda = Object.class;

  /** Returns the class of the lambda that was last asked or told. */
  public Class<?> lambda() {
    return lambda;
  }

  public Called ask(int number) {
    return new Called(ref.ask(x -> number < 0 ? 0 : fail(x)), line());
  }

  public Called tell() {
    return new Called(ref.tell(x -> fail(x)), line());
  }

  public Called askByVariable() {
    return new Called(ref.ask(held), line());
  }

  public Called askByVariableElsewhere() {
    return new Called(ref.ask(held), line());
  }

  public Called askInHelper() {
    return asked(x -> fail(x));
  }

  private Called asked(Asked<Failing, Integer> passed) {
    return new Called(ref.ask(passed), line());
  }

  public Called askByChoice(boolean isHeld) {
    return new Called(ref.ask(isHeld ? held : x -> fail(x)), line());
  }

  public Called askTwiceInLine() {
    var r = ref;
    return new Called(r.ask(x -> fail(x)).runAfterBoth(r.ask(x -> fail(x)), () -> {}), line());
  }

  public Called askByClass() {
    return new Called(ref.ask(new OwnClass()), line());
  }

  private final class OwnClass implements Asked<Failing, Integer> {

    @Override
    public Integer on(Failing object) {
      return fail(object);
    }
  }

  private int fail(Failing object) {
    var options =
        Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES);
    StackWalker.getInstance(options)
        .walk(
            frames ->
                frames
                    .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                    .filter(
                        each ->
                            Asked.class.isAssignableFrom(each) || Told.class.isAssignableFrom(each))
                    .findFirst())
        .ifPresent(seen -> lambda = seen);
    return object.fail();
  }

  /** Returns the line of this method's caller. */
  private static int line() {
    return StackWalker.getInstance()
        .walk(frames -> frames.skip(1).findFirst().orElseThrow().getLineNumber());
  }
}
