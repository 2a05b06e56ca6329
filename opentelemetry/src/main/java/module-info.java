/** Traces and metrics of calls of active objects, by the interface of OpenTelemetry. */
module org.troupe.opentelemetry {
  requires static transitive org.jspecify;
  requires org.troupe.activeobjects;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;

  exports org.troupe.opentelemetry;

  provides org.troupe.activeobjects.spi.Observer with
      org.troupe.opentelemetry.internal.TelemetryObserver;
}
