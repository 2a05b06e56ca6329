package org.troupe.opentelemetry.internal;

import io.opentelemetry.api.common.AttributeKey;
import java.util.List;

/**
 * The names of spans, attributes and metrics: those of OpenTelemetry's semantic conventions,
 * version {@value #VERSION}, and our own, which begin with {@code troupe}.
 */
final class SemanticConventions {

  static final String VERSION = "1.44.0";
  static final String SCHEMA = "https://opentelemetry.io/schemas/" + VERSION;

  // RPC
  static final AttributeKey<String> RPC_SYSTEM = AttributeKey.stringKey("rpc.system.name");
  static final AttributeKey<String> RPC_METHOD = AttributeKey.stringKey("rpc.method");
  static final AttributeKey<String> RPC_STATUS = AttributeKey.stringKey("rpc.status_code");
  static final String CLIENT_DURATION = "rpc.client.call.duration";
  static final String SERVER_DURATION = "rpc.server.call.duration";

  // messaging, of one-way calls
  static final AttributeKey<String> MESSAGING_SYSTEM = AttributeKey.stringKey("messaging.system");
  static final AttributeKey<String> MESSAGING_OPERATION =
      AttributeKey.stringKey("messaging.operation.name");
  static final AttributeKey<String> MESSAGING_OPERATION_TYPE =
      AttributeKey.stringKey("messaging.operation.type");
  static final String SENT_MESSAGES = "messaging.client.sent.messages";
  static final String PROCESS_DURATION = "messaging.process.duration";

  // general
  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  static final AttributeKey<String> SERVER_ADDRESS = AttributeKey.stringKey("server.address");
  static final AttributeKey<String> EXCEPTION_TYPE = AttributeKey.stringKey("exception.type");
  static final AttributeKey<String> EXCEPTION_MESSAGE = AttributeKey.stringKey("exception.message");
  static final String EXCEPTION_EVENT = "exception";

  // our own
  static final String SYSTEM = "troupe";
  static final String PENDING_CALLS = "troupe.client.pending.calls";
  static final AttributeKey<String> NODE = AttributeKey.stringKey("troupe.node");
  static final AttributeKey<String> CALLER_NODE = AttributeKey.stringKey("troupe.caller.node");
  static final AttributeKey<String> CLUSTER = AttributeKey.stringKey("troupe.cluster");
  static final AttributeKey<String> DRIVER = AttributeKey.stringKey("troupe.driver");
  static final AttributeKey<String> OBJECT_CLASS = AttributeKey.stringKey("troupe.object.class");
  static final AttributeKey<Long> OBJECT_NUMBER = AttributeKey.longKey("troupe.object.number");
  static final AttributeKey<Long> GROUP_SIZE = AttributeKey.longKey("troupe.group.size");
  static final AttributeKey<Long> GROUP_OMITTED = AttributeKey.longKey("troupe.group.omitted");
  static final AttributeKey<Long> GROUP_RANK = AttributeKey.longKey("troupe.group.rank");
  static final AttributeKey<String> WAIT_REASON = AttributeKey.stringKey("troupe.wait.reason");
  static final AttributeKey<Double> WAIT_SECONDS = AttributeKey.doubleKey("troupe.wait.seconds");
  static final AttributeKey<String> FAILURE_KIND = AttributeKey.stringKey("troupe.failure.kind");

  static final String SECONDS = "s";

  /**
   * Boundaries for SDKs that are not told to use exponential histograms: the conventional ones
   * begin at 5 ms, which is longer than nearly every call of an active object.
   */
  static final List<Double> BOUNDARIES =
      List.of(1e-6, 1e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 1e-2, 0.1, 1.0, 10.0, 100.0);

  private SemanticConventions() {}
}
