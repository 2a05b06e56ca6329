package org.troupe.futures;

import org.jspecify.annotations.Nullable;
import org.troupe.stubs.CallHandler;
import org.troupe.stubs.StubClass;

/**
 * The call handler of a transparent future: each call waits for the result, then invokes the method
 * on it.
 */
final class TransparentFuture implements CallHandler {

  final FutureResult<?> result;
  private final StubClass<?> stubs;

  TransparentFuture(FutureResult<?> result, StubClass<?> stubs) {
    this.result = result;
    this.stubs = stubs;
  }

  @Override
  public @Nullable Object call(int method, @Nullable Object[] arguments) throws Throwable {
    var value = result.value();
    if (value == null) {
      throw new NullPointerException(
          "'"
              + stubs.methods().get(method)
              + "' was called on the result of "
              + result.describe()
              + ", which is null; Futures.value(x) gives the null itself");
    }
    return stubs.invoke(method, value, arguments);
  }
}
