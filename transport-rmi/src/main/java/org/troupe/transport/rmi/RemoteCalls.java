package org.troupe.transport.rmi;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionException;
import org.troupe.activeobjects.Ref;

/** Turns each RMI call into a request to the active object and waits for its result. */
final class RemoteCalls implements InvocationHandler {

  private final Ref<?> ref;

  RemoteCalls(Ref<?> ref) {
    this.ref = ref;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> "export of " + ref;
      };
    }
    try {
      if (method.getReturnType() == void.class) {
        return ref.tell(target -> method.invoke(target, arguments)).join();
      }
      return ref.ask(target -> method.invoke(target, arguments)).join();
    } catch (CompletionException failure) {
      throw failure.getCause() == null ? failure : failure.getCause();
    }
  }
}
