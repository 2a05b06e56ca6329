package org.troupe.opentelemetry.internal;

import static org.troupe.opentelemetry.internal.SemanticConventions.CALLER_NODE;
import static org.troupe.opentelemetry.internal.SemanticConventions.CLUSTER;
import static org.troupe.opentelemetry.internal.SemanticConventions.DRIVER;
import static org.troupe.opentelemetry.internal.SemanticConventions.ERROR_TYPE;
import static org.troupe.opentelemetry.internal.SemanticConventions.EXCEPTION_EVENT;
import static org.troupe.opentelemetry.internal.SemanticConventions.EXCEPTION_MESSAGE;
import static org.troupe.opentelemetry.internal.SemanticConventions.EXCEPTION_TYPE;
import static org.troupe.opentelemetry.internal.SemanticConventions.FAILURE_KIND;
import static org.troupe.opentelemetry.internal.SemanticConventions.GROUP_OMITTED;
import static org.troupe.opentelemetry.internal.SemanticConventions.GROUP_RANK;
import static org.troupe.opentelemetry.internal.SemanticConventions.GROUP_SIZE;
import static org.troupe.opentelemetry.internal.SemanticConventions.NODE;
import static org.troupe.opentelemetry.internal.SemanticConventions.OBJECT_CLASS;
import static org.troupe.opentelemetry.internal.SemanticConventions.OBJECT_NUMBER;
import static org.troupe.opentelemetry.internal.SemanticConventions.RPC_STATUS;
import static org.troupe.opentelemetry.internal.SemanticConventions.SERVER_ADDRESS;
import static org.troupe.opentelemetry.internal.SemanticConventions.WAIT_REASON;
import static org.troupe.opentelemetry.internal.SemanticConventions.WAIT_SECONDS;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.spi.Observer;

/** Makes spans and measurements of calls, services, waits and failures. Thread-safe. */
public final class TelemetryObserver implements Observer {

  /*
   * Design: the choice of traced calls, and the cost of every call
   *
   * A call within a sampled span continues its trace. A call in a context that is marked as untraced, or within a span that is not
   * sampled, is not traced. Any other call begins a trace if TraceSampling says so; if not, its service is
   * marked as untraced, so that the decision is made once for all calls that follow from it.
   *
   * The span of a call is not made current at the caller: the work of the caller while it waits is not a part of the call.
   * The span of a service is, so that spans of the user's libraries become its children.
   *
   * Every call is measured, traced or not: two readings of the clock and a record in a histogram at each end. Attributes of
   * measurements name the method and the error only, never a node or an object, of which there may be many.
   *
   * Failures, and waits of more than a second, are recorded in any case, as spans without a duration. Their number per
   * second is bounded, since a program may fail in a loop.
   */
  private static final long MOST_UNTRACED_PER_SECOND = 10;

  private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final String ONE_WAY_FAILURE = "one-way"; // the service has recorded it
  private static final int LONGEST_TEXT = 1_000;

  private final TraceSampling sampling;
  private final boolean isParentOfOneWay;
  private final boolean hasBaggage;
  private final EventBudget untraced = new EventBudget(MOST_UNTRACED_PER_SECOND);

  /** Creates the observer that the system properties describe. */
  public TelemetryObserver() {
    this(
        TraceSampling.of(System.getProperty(TraceSampling.RATIO)),
        isSecond("troupe.trace.oneWay", "link", "parent"),
        isSecond("troupe.trace.baggage", "false", "true"));
  }

  /** Returns whether a property has the second of two values; the first one is the default. */
  private static boolean isSecond(String property, String first, String second) {
    var value = System.getProperty(property, first);
    if (value.equals(second)) {
      return true;
    }
    if (value.equals(first)) {
      return false;
    }
    throw new IllegalArgumentException(
        "%s=%s is neither %s nor %s; give one of them".formatted(property, value, first, second));
  }

  TelemetryObserver(TraceSampling sampling, boolean isParentOfOneWay, boolean hasBaggage) {
    this.sampling = sampling;
    this.isParentOfOneWay = isParentOfOneWay;
    this.hasBaggage = hasBaggage;
  }

  // Calls

  @Override
  public @Nullable CallObservation called(Call call) {
    var its = Instruments.current();
    if (its == null) {
      return null;
    }
    var method = MethodTelemetry.of(call.type(), call.method());
    var now = System.nanoTime();
    var parent = Context.current();
    if (!isTraced(parent, method, now)) {
      return new CallRecord(its, method, call.isOneWay(), now, null, TraceContext.NOT_TRACED);
    }
    var span = span(its, call, method).setParent(parent).startSpan();
    var context = TraceContext.encoded(parent.with(span), hasBaggage);
    return new CallRecord(its, method, call.isOneWay(), now, span, context);
  }

  private boolean isTraced(Context context, MethodTelemetry method, long now) {
    var span = Span.fromContext(context).getSpanContext();
    return span.isValid()
        ? span.isSampled()
        : !TraceContext.isUntraced(context) && sampling.begins(method, now);
  }

  private static SpanBuilder span(Instruments its, Call call, MethodTelemetry method) {
    var isOneWay = call.isOneWay();
    var made =
        its.tracer()
            .spanBuilder(isOneWay ? "send " + method.name() : method.name())
            .setSpanKind(isOneWay ? SpanKind.PRODUCER : SpanKind.CLIENT)
            .setAllAttributes(isOneWay ? method.message() : method.call())
            .setAttribute(OBJECT_CLASS, call.type().getName());
    if (call.members() < 0) {
      made.setAttribute(NODE, call.nodeName());
      if (!call.driver().isEmpty()) {
        made.setAttribute(DRIVER, call.driver());
      }
      call.node()
          .ifPresent(
              node ->
                  made.setAttribute(SERVER_ADDRESS, node.host())
                      .setAttribute(CLUSTER, node.cluster()));
    } else {
      made.setAttribute(GROUP_SIZE, (long) call.members())
          .setAttribute(GROUP_OMITTED, Math.max(0L, call.members() - MOST_MEMBERS));
    }
    return made;
  }

  /** Observes a call, which is traced if it has a span. */
  private final class CallRecord implements CallObservation {

    private final Instruments its;
    private final MethodTelemetry method;
    private final boolean isOneWay;
    private final long beganNanos;
    private final @Nullable Span span;
    private final byte[] context;

    CallRecord(
        Instruments its,
        MethodTelemetry method,
        boolean isOneWay,
        long beganNanos,
        @Nullable Span span,
        byte[] context) {
      this.its = its;
      this.method = method;
      this.isOneWay = isOneWay;
      this.beganNanos = beganNanos;
      this.span = span;
      this.context = context;
      if (!isOneWay) {
        its.pending().add(1, method.call());
      }
    }

    @Override
    public byte[] context() {
      return context;
    }

    @Override
    public void ended(@Nullable Failure failure) {
      if (isOneWay) {
        its.sent().add(1, MethodTelemetry.measured(method.message(), failure));
      } else {
        its.pending().add(-1, method.call());
        its.clientDuration().record(secondsSince(beganNanos), method.measured(failure));
      }
      if (span != null) {
        end(span, failure, !isOneWay);
      } else if (failure != null && MethodTelemetry.isOfMiddleware(failure)) {
        record(its, "failure " + method.name(), failure, null); // no service has recorded it
      }
    }
  }

  // Services

  @Override
  @SuppressWarnings("MustBeClosedChecker") // it is closed at the end of the service
  public @Nullable Observation serves(Service service) {
    var its = Instruments.current();
    if (its == null) {
      return null;
    }
    var method = MethodTelemetry.of(service.type(), service.method());
    var now = System.nanoTime();
    var sent = service.context();
    var parent =
        sent == null || sent.length == 0 ? SpanContext.getInvalid() : TraceContext.span(sent);
    var isTraced =
        parent.isValid()
            ? parent.isSampled()
            : (sent == null || sent.length > 0) && sampling.begins(method, now);
    if (!isTraced) {
      var scope = TraceContext.untraced(Context.root()).makeCurrent();
      return new ServiceRecord(its, method, service.isOneWay(), now, null, scope);
    }
    var context =
        hasBaggage && sent != null
            ? TraceContext.withBaggage(Context.root(), sent)
            : Context.root();
    var span = span(its, service, method, parent).startSpan();
    var scope = context.with(span).makeCurrent();
    return new ServiceRecord(its, method, service.isOneWay(), now, span, scope);
  }

  private SpanBuilder span(
      Instruments its, Service service, MethodTelemetry method, SpanContext parent) {
    var isOneWay = service.isOneWay();
    var made =
        its.tracer()
            .spanBuilder(isOneWay ? "process " + method.name() : method.name())
            .setSpanKind(isOneWay ? SpanKind.CONSUMER : SpanKind.SERVER)
            .setAllAttributes(isOneWay ? method.processing() : method.call())
            .setAttribute(OBJECT_CLASS, service.type().getName())
            .setAttribute(OBJECT_NUMBER, service.number())
            .setAttribute(NODE, service.nodeName())
            .setAttribute(CALLER_NODE, service.callerNodeName());
    if (!parent.isValid()) {
      made.setNoParent();
    } else if (isOneWay && !isParentOfOneWay) {
      made.setNoParent().addLink(parent);
    } else {
      made.setParent(Context.root().with(Span.wrap(parent)));
    }
    return made;
  }

  /** Observes a service, which is traced if it has a span. */
  private final class ServiceRecord implements Observation {

    private final Instruments its;
    private final MethodTelemetry method;
    private final boolean isOneWay;
    private final long beganNanos;
    private final @Nullable Span span;
    private final Scope scope;

    ServiceRecord(
        Instruments its,
        MethodTelemetry method,
        boolean isOneWay,
        long beganNanos,
        @Nullable Span span,
        Scope scope) {
      this.its = its;
      this.method = method;
      this.isOneWay = isOneWay;
      this.beganNanos = beganNanos;
      this.span = span;
      this.scope = scope;
    }

    @Override
    public void ended(@Nullable Failure failure) {
      scope.close();
      if (isOneWay) {
        its.processDuration()
            .record(
                secondsSince(beganNanos), MethodTelemetry.measured(method.processing(), failure));
      } else {
        its.serverDuration().record(secondsSince(beganNanos), method.measured(failure));
      }
      if (span != null) {
        end(span, failure, !isOneWay);
      } else if (failure != null) {
        record(its, "failure " + method.name(), failure, null);
      }
    }
  }

  // Collective operations, waits, failures

  @Override
  public @Nullable Observation takesPart(Collective collective) {
    var its = Instruments.current();
    var current = Span.current();
    if (its == null || !current.getSpanContext().isSampled()) {
      return null;
    }
    if (collective.rank() != 0) { // one span per operation, that of the first member
      current.addEvent(collective.operation(), attributes(collective));
      return null;
    }
    var span =
        its.tracer()
            .spanBuilder(collective.operation())
            .setAllAttributes(attributes(collective))
            .startSpan();
    return failure -> end(span, failure, false);
  }

  private static Attributes attributes(Collective collective) {
    return Attributes.of(
        GROUP_SIZE, (long) collective.members(), GROUP_RANK, (long) collective.rank());
  }

  @Override
  public void waited(Wait wait) {
    var its = Instruments.current();
    if (its == null) {
      return;
    }
    var isTraced = Span.current().getSpanContext().isSampled();
    if (!isTraced && (wait.nanos() < LONG_WAIT_NANOS || !untraced.take(System.nanoTime()))) {
      return;
    }
    var end = Instant.now();
    var began = isTraced ? end.minusNanos(wait.nanos()) : end;
    var made =
        its.tracer()
            .spanBuilder("wait")
            .setStartTimestamp(began)
            .setAttribute(WAIT_REASON, wait.reason())
            .setAttribute(WAIT_SECONDS, seconds(wait.nanos()));
    var context = wait.context();
    var computing = context == null ? SpanContext.getInvalid() : TraceContext.span(context);
    if (computing.isValid()) {
      made.addLink(computing);
    }
    if (!isTraced) {
      made.setNoParent();
    }
    made.startSpan().end(end);
  }

  @Override
  public void failed(UnobservedFailure failure) {
    var its = Instruments.current();
    if (its != null && !failure.kind().equals(ONE_WAY_FAILURE)) {
      record(its, "failure " + cut(failure.call()), failure.failure(), failure.kind());
    }
  }

  /** Records a failure as a span without duration, in the current trace if there is one. */
  private void record(Instruments its, String name, Failure failure, @Nullable String kind) {
    if (!Span.current().getSpanContext().isSampled() && !untraced.take(System.nanoTime())) {
      return;
    }
    var now = Instant.now();
    var made = its.tracer().spanBuilder(name).setStartTimestamp(now);
    if (kind != null) {
      made.setAttribute(FAILURE_KIND, kind);
    }
    if (!Span.current().getSpanContext().isSampled()) {
      made.setNoParent(); // a span that is not sampled would decide that this one is not
    }
    var span = made.startSpan();
    fails(span, failure);
    span.end(now);
  }

  private static void end(Span span, @Nullable Failure failure, boolean isCall) {
    if (isCall) {
      span.setAttribute(RPC_STATUS, MethodTelemetry.status(failure));
    }
    if (failure != null) {
      fails(span, failure);
    }
    span.end();
  }

  private static void fails(Span span, Failure failure) {
    span.setStatus(StatusCode.ERROR, cut(failure.message()));
    if (!failure.type().isEmpty()) {
      span.setAttribute(ERROR_TYPE, failure.type());
      span.addEvent(
          EXCEPTION_EVENT,
          Attributes.of(EXCEPTION_TYPE, failure.type(), EXCEPTION_MESSAGE, cut(failure.message())));
    }
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 3) + "...";
  }

  private static double secondsSince(long beganNanos) {
    return seconds(System.nanoTime() - beganNanos);
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  @Override
  public UnaryOperator<Runnable> captured() {
    var context = Context.current();
    return context == Context.root() ? UnaryOperator.identity() : context::wrap;
  }
}
