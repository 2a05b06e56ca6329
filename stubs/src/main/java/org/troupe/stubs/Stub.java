package org.troupe.stubs;

import org.jspecify.annotations.Nullable;

/** Implemented by every generated class; the names cannot meet those of a user's methods. */
public interface Stub {

  /** Returns who receives the calls. */
  CallHandler troupe$handler();

  /** Sets who receives the calls: once, before anybody else sees this object. */
  void troupe$handler(CallHandler handler);

  /** Returns the class or interface this object stands for. */
  Class<?> troupe$type();

  /** Calls a method of a real object; has nothing to do with this one. */
  @Nullable Object troupe$invoke(int method, Object target, @Nullable Object @Nullable [] arguments)
      throws Throwable;
}
