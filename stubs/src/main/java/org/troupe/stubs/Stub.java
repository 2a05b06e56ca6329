package org.troupe.stubs;

import org.jspecify.annotations.Nullable;

/**
 * Implemented by every generated class; its method names cannot collide with those of user classes.
 */
public interface Stub {

  /** Returns the handler of the calls. */
  CallHandler troupe$handler();

  /** Sets the handler of the calls: once, before this object is published. */
  void troupe$handler(CallHandler handler);

  /** Returns the class or interface this object stands for. */
  Class<?> troupe$type();

  /** Calls a method of a target object; independent of this stub. */
  @Nullable Object troupe$invoke(int method, Object target, @Nullable Object @Nullable [] arguments)
      throws Throwable;
}
