package org.troupe.activeobjects.internal.body;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.spi.Observer;

/** A request that is about to be served, as an observer sees it. */
record ObservedService(Body body, CallRequest request) implements Observer.Service {

  @Override
  public Class<?> type() {
    return body.type().type();
  }

  @Override
  public Method method() {
    return request.method.method().method();
  }

  @Override
  public boolean isOneWay() {
    return request.isOneWay();
  }

  @Override
  public byte @Nullable [] context() {
    return request.context();
  }

  @Override
  public String nodeName() {
    return body.node().name();
  }

  @Override
  public String callerNodeName() {
    return request.callerNode(body);
  }

  @Override
  public long number() {
    return body.identity();
  }
}
