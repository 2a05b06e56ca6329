package org.troupe.opentelemetry.internal;

import static org.troupe.opentelemetry.internal.SemanticConventions.ERROR_TYPE;
import static org.troupe.opentelemetry.internal.SemanticConventions.MESSAGING_OPERATION;
import static org.troupe.opentelemetry.internal.SemanticConventions.MESSAGING_OPERATION_TYPE;
import static org.troupe.opentelemetry.internal.SemanticConventions.MESSAGING_SYSTEM;
import static org.troupe.opentelemetry.internal.SemanticConventions.RPC_METHOD;
import static org.troupe.opentelemetry.internal.SemanticConventions.RPC_STATUS;
import static org.troupe.opentelemetry.internal.SemanticConventions.RPC_SYSTEM;
import static org.troupe.opentelemetry.internal.SemanticConventions.SYSTEM;

import io.opentelemetry.api.common.Attributes;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.spi.Observer.Failure;

/**
 * The common attributes of the spans and measurements of a method, computed once.
 *
 * @param name such as {@code com.acme.Solver/step}
 * @param call the attributes of its calls and services, and of their measurements if they succeed
 * @param succeeded the attributes of measurements of calls that succeed
 * @param message the attributes of its one-way calls
 * @param processing the attributes of services of one-way calls
 * @param lastTraceNanos when a call through the type of the method last began a trace
 */
record MethodTelemetry(
    String name,
    Attributes call,
    Attributes succeeded,
    Attributes message,
    Attributes processing,
    AtomicLong lastTraceNanos) {

  static final String OK = "OK";

  /** The status of calls whose method has thrown an exception. */
  private static final String FAILED = "ERROR";

  private static final String OUR_EXCEPTIONS = "org.troupe.activeobjects.";

  /** The methods of a type; held by the class, so that a class can be unloaded. */
  private static final ClassValue<OfType> TYPES =
      new ClassValue<>() {
        @Override
        protected OfType computeValue(Class<?> type) {
          return new OfType(type.getName());
        }
      };

  /** The methods of a type by which objects are called. */
  private static final class OfType {

    private final String name;
    private final Map<Method, MethodTelemetry> methods = new ConcurrentHashMap<>();
    private final AtomicLong lastTraceNanos =
        new AtomicLong(System.nanoTime() - TraceSampling.LONGEST_PAUSE_NANOS);

    OfType(String name) {
      this.name = name;
    }

    MethodTelemetry of(Method method) {
      var known = methods.get(method);
      return known != null ? known : methods.computeIfAbsent(method, this::make);
    }

    private MethodTelemetry make(Method method) {
      var qualified = name + "/" + method.getName();
      var call = Attributes.of(RPC_SYSTEM, SYSTEM, RPC_METHOD, qualified);
      return new MethodTelemetry(
          qualified,
          call,
          call.toBuilder().put(RPC_STATUS, OK).build(),
          message(qualified, "send"),
          message(qualified, "process"),
          lastTraceNanos);
    }

    private static Attributes message(String qualified, String operation) {
      return Attributes.of(
          MESSAGING_SYSTEM,
          SYSTEM,
          MESSAGING_OPERATION,
          operation,
          MESSAGING_OPERATION_TYPE,
          operation,
          RPC_METHOD,
          qualified);
    }
  }

  /** Returns the telemetry of a method that is called through a type. */
  static MethodTelemetry of(Class<?> type, Method method) {
    return TYPES.get(type).of(method);
  }

  /** Returns the attributes of a measurement of a call. */
  Attributes measured(@Nullable Failure failure) {
    return failure == null
        ? succeeded
        : call.toBuilder().put(RPC_STATUS, status(failure)).put(ERROR_TYPE, failure.type()).build();
  }

  /** Returns the attributes of a measurement of a one-way call, or of its service. */
  static Attributes measured(Attributes base, @Nullable Failure failure) {
    return failure == null ? base : base.toBuilder().put(ERROR_TYPE, failure.type()).build();
  }

  /** Returns the status of a call: of ours that end a call the name of the error. */
  static String status(@Nullable Failure failure) {
    if (failure == null) {
      return OK;
    }
    return isOfMiddleware(failure) ? failure.type().substring(OUR_EXCEPTIONS.length()) : FAILED;
  }

  /** Returns whether a call has ended without an answer of its object. */
  static boolean isOfMiddleware(Failure failure) {
    return failure.type().startsWith(OUR_EXCEPTIONS);
  }
}
