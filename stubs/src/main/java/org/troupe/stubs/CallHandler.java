package org.troupe.stubs;

import org.jspecify.annotations.Nullable;

/**
 * Receives the calls made on a stub.
 *
 * <p>A <em>kind</em> of handler is a public class or interface that extends this one. It may
 * declare further public methods named {@code call} that return {@code Object} and take the index
 * of the method, then primitives and {@code Object}s. A stub method uses the overload that has its
 * own parameters, each reference as {@code Object}; where there is none, it boxes and uses {@link
 * #call(int, Object[])}. So {@code call(int, long)} receives {@code void skip(long)} unboxed.
 *
 * <p>A kind in a package that its module does not export needs {@code opens} to {@code
 * org.troupe.stubs} there.
 */
public interface CallHandler {

  /**
   * Takes one call.
   *
   * @param method the {@linkplain StubMethod#index() index} of the method
   * @param arguments its arguments, boxed; a fresh array
   * @return what the call returns: boxed for a primitive, ignored for {@code void}
   * @throws Throwable what the call throws, unchanged, whether or not the method declares it
   */
  @Nullable Object call(int method, @Nullable Object[] arguments) throws Throwable;
}
