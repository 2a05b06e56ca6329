package org.troupe.activeobjects.internal.collective;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.activeobjects.internal.call.CallMethod;

/** A call that was recorded. */
record RecordedCall(CallMethod called, Object[] arguments) implements GroupCall {

  @Override
  public Method method() {
    return called.method().method();
  }

  @Override
  public Kind kind() {
    return switch (called.kind()) {
      case ONE_WAY -> Kind.ONE_WAY;
      case TRANSPARENT -> Kind.TRANSPARENT;
      case COMPLETABLE -> Kind.COMPLETABLE;
      case WAITING -> Kind.WAITING;
      case ITERATING -> // of many, not of one
          called.resultType() == void.class ? Kind.ONE_WAY : Kind.TRANSPARENT;
      case LOCAL -> Kind.LOCAL;
    };
  }

  @Override
  public @Nullable Object invoke(Object target) throws Throwable {
    return called.invoke(target, arguments, 0);
  }

  @Override
  public GroupCall onward(ReplyInterceptor onward) {
    var more = Arrays.copyOf(arguments, arguments.length + 1);
    more[arguments.length] = onward;
    return new RecordedCall(called.onward(), more);
  }

  @Override
  public String toString() {
    return called.toString();
  }
}
