package org.troupe.activeobjects.internal.call;

import java.util.Arrays;
import java.util.Iterator;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.stubs.StubMethod;

/**
 * One method of an {@link ActiveType}, with everything that a call needs to know of it.
 *
 * @param owner the type by which it is called
 * @param method its place in the stub
 * @param kind what a call on the stub does
 * @param symbol its name on the wire
 * @param isOnward whether there is one more argument, an {@link ReplyInterceptor}
 * @param givesElements whether it is {@link Iterable#iterator}, whose elements are copied
 */
public record CallMethod(
    ActiveType<?> owner,
    StubMethod method,
    CallKind kind,
    String symbol,
    boolean isOnward,
    boolean givesElements) {

  /** Ends the symbol of a method that takes an {@link ReplyInterceptor}. */
  static final String ONWARD = "!";

  /** The same method with one more argument: an {@link ReplyInterceptor}. */
  public CallMethod onward() {
    return owner.onward(this);
  }

  /**
   * Makes the call.
   *
   * @param place which object of those of this node it is on that got the same call
   */
  public Object invoke(Object target, Object[] arguments, int place) throws Throwable {
    if (!isOnward) {
      return result(owner.stubs().invoke(method.index(), target, arguments));
    }
    var last = arguments.length - 1;
    var onward = (ReplyInterceptor) arguments[last];
    Object answer;
    try {
      answer = result(owner.stubs().invoke(method.index(), target, Arrays.copyOf(arguments, last)));
    } catch (Throwable failure) {
      return onward.failed(place, failure);
    }
    return onward.answered(place, answer);
  }

  private Object result(Object returned) {
    return givesElements ? IteratorCopy.of((Iterator<?>) returned, this) : returned;
  }

  /** Says whether the result can hardly travel; if so why, else {@code null}. */
  String doubt() {
    return givesElements ? null : CallKind.doubt(method.method());
  }

  /** Says whether this is a call for the body rather than its object. */
  public boolean isOfBody() {
    return owner.type() == BodyCalls.class;
  }

  public int parameters() {
    return method.method().getParameterCount() + (isOnward ? 1 : 0);
  }

  public Class<?> resultType() {
    return method.method().getReturnType();
  }

  /** {@code Solver.step(double)}, for messages; of the middleware's own without the type. */
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
