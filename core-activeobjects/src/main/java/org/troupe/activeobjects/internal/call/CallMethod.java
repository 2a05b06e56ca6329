package org.troupe.activeobjects.internal.call;

import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.stubs.StubMethod;

/**
 * A method of an {@link ActiveType}, with all properties that its calls depend on.
 *
 * @param owner the type through which it is called
 * @param method its place in the stub
 * @param kind what a call on the stub does
 * @param symbol its name on the wire
 * @param isOnward whether it takes a further argument, a {@link ReplyInterceptor}
 * @param givesElements whether it is {@link Iterable#iterator}, whose elements are copied
 * @param lendsArguments whether its large arguments are sent without a copy
 * @param servedOnReceipt whether the thread that receives a call may serve it
 * @param pace the durations of its services
 */
public record CallMethod(
    ActiveType<?> owner,
    StubMethod method,
    CallKind kind,
    String symbol,
    boolean isOnward,
    boolean givesElements,
    boolean lendsArguments,
    boolean servedOnReceipt,
    ServicePace pace) {

  /** The suffix of the symbol of a method that takes a {@link ReplyInterceptor}. */
  static final String ONWARD = "!";

  /**
   * Returns the variant of this method that takes a {@link ReplyInterceptor} as a further argument.
   */
  public CallMethod onward() {
    return owner.onward(this);
  }

  /**
   * Invokes the method.
   *
   * @param place the index of the target among the objects of this node that received the same call
   */
  public @Nullable Object invoke(Object target, Object[] arguments, int place) throws Throwable {
    if (!isOnward) {
      return result(owner.stubs().invoke(method.index(), target, arguments));
    }
    var last = arguments.length - 1;
    var onward = (ReplyInterceptor) arguments[last];
    @Nullable Object answer;
    try {
      answer = result(owner.stubs().invoke(method.index(), target, Arrays.copyOf(arguments, last)));
    } catch (Throwable failure) {
      return onward.failed(place, failure);
    }
    return onward.answered(place, answer);
  }

  private @Nullable Object result(@Nullable Object returned) {
    return givesElements ? IteratorCopy.of((Iterator<?>) returned, this) : returned;
  }

  /** Returns why the result probably cannot be sent to a caller; {@code null} if it can. */
  @Nullable String doubt() {
    return givesElements ? null : CallKind.doubt(method.method());
  }

  /** Returns whether a call is addressed to the body rather than to its object. */
  public boolean isOfBody() {
    return owner.type() == BodyCalls.class;
  }

  public int parameters() {
    return method.method().getParameterCount() + (isOnward ? 1 : 0);
  }

  public Class<?> resultType() {
    return method.method().getReturnType();
  }

  /**
   * Returns the name for messages, such as {@code Solver.step(double)}; without the type for the
   * middleware's own methods.
   */
  @Override
  public String toString() {
    return owner.isMiddleware() ? method.toString() : owner.name() + "." + method;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return symbol.hashCode();
  }
}
