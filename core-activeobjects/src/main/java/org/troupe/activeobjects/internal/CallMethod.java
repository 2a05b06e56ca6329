package org.troupe.activeobjects.internal;

import org.troupe.stubs.StubMethod;

/**
 * One method of an {@link ActiveType}, with everything that a call needs to know of it.
 *
 * @param owner the type by which it is called
 * @param method its place in the stub
 * @param kind what a call on the stub does
 * @param symbol its name on the wire
 */
record CallMethod(ActiveType<?> owner, StubMethod method, CallKind kind, String symbol) {

  Object invoke(Object target, Object[] arguments) throws Throwable {
    return owner.stubs().invoke(method.index(), target, arguments);
  }

  /** Says whether this is a call for the body rather than its object. */
  boolean isOfBody() {
    return owner.type() == BodyCalls.class;
  }

  int parameters() {
    return method.method().getParameterCount();
  }

  Class<?> resultType() {
    return method.method().getReturnType();
  }

  /** {@code Solver.step(double)}, for messages. */
  @Override
  public String toString() {
    return owner.name() + "." + method;
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
