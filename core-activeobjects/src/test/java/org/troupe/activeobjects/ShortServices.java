package org.troupe.activeobjects;

import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Supplier;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePace;

/** Lets callers serve their calls, however slow the machine is at the moment. */
final class ShortServices {

  private ShortServices() {}

  /**
   * Makes a call until the calling thread serves it, and lets it serve the next one, too.
   *
   * @param type the class of the called objects
   * @param server the thread that has served the last call
   */
  static void warm(Class<?> type, Supplier<Thread> server, Runnable call) {
    Waits.until( // which leaves the body some time to become idle
        () -> {
          expect(type);
          call.run();
          return server.get() == Thread.currentThread();
        },
        "the service of a call by its caller");
    expect(type);
  }

  /** Lets the last services of all methods of a class count as short. */
  private static void expect(Class<?> type) {
    Arrays.stream(type.getDeclaredMethods())
        .filter(each -> !each.isSynthetic())
        .filter(each -> (each.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0)
        .map(
            each ->
                each.getName()
                    + MethodType.methodType(each.getReturnType(), each.getParameterTypes())
                        .toMethodDescriptorString())
        .map(ActiveType.of(type)::method)
        .forEach(
            method -> {
              for (var i = 0; i < ServicePace.EXPECTED_AFTER; i++) {
                method.pace().served(0);
              }
            });
  }
}
