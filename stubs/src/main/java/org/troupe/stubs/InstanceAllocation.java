package org.troupe.stubs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/** Creates objects without running a constructor. */
final class InstanceAllocation {

  /*
   * A constant method handle costs what a direct call costs, 3 ns. There is no direct call: the
   * compiler has no way to accept jdk.unsupported without a warning.
   */
  private static final MethodHandle ALLOCATE = find();

  private InstanceAllocation() {}

  /** Returns an object of a class, all its fields 0 or {@code null}. */
  static Object allocate(Class<?> c) throws Throwable {
    return (Object) ALLOCATE.invokeExact(c);
  }

  private static MethodHandle find() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(unsafe, "allocateInstance", MethodType.methodType(Object.class, Class.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "this JVM lacks jdk.unsupported, which makes stubs without a constructor; "
              + "add it to the run-time image",
          e);
    }
  }
}
