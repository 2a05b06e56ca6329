package org.troupe.deployment.trace;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads records as lines of JSON, each an object whose field {@code record} is its kind.
 * Bytes are in base 64.
 *
 * @param <R> the sealed type of the records
 */
public final class RecordCodec<R> {

  /** The records of traces. */
  public static final RecordCodec<TraceRecord> TRACES =
      new RecordCodec<>(
          List.of(
              TraceRecord.Begin.class,
              TraceRecord.Node.class,
              TraceRecord.Call.class,
              TraceRecord.Wait.class,
              TraceRecord.Sample.class,
              TraceRecord.End.class));

  /** The records of recordings by the flight recorder. */
  public static final RecordCodec<FlightRecord> FLIGHTS =
      new RecordCodec<>(
          List.of(
              FlightRecord.Begin.class,
              FlightRecord.Progress.class,
              FlightRecord.Node.class,
              FlightRecord.Part.class,
              FlightRecord.Missing.class,
              FlightRecord.End.class));

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private static final String KIND = "record";

  private final Map<String, Class<? extends R>> types;

  private RecordCodec(List<Class<? extends R>> types) {
    this.types = types.stream().collect(Collectors.toMap(RecordCodec::kind, Function.identity()));
  }

  private static String kind(Class<?> type) {
    var name = type.getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** Returns a record as a line, without its end. */
  public String line(R written) {
    var fields = JSON.writeValueAsString(written);
    var separator = fields.equals("{}") ? "" : ",";
    return "{\""
        + KIND
        + "\":\""
        + kind(written.getClass())
        + "\""
        + separator
        + fields.substring(1);
  }

  /**
   * Returns the record of a line; empty if this version does not know its kind.
   *
   * @throws IllegalArgumentException if the line is no record
   */
  public Optional<R> record(String line) {
    try {
      var fields = JSON.readTree(line);
      var kind = fields.path(KIND);
      if (!kind.isString()) {
        throw new IllegalArgumentException("a line of the stream has no field '" + KIND + "'");
      }
      var type = types.get(kind.asString());
      return type == null ? Optional.empty() : Optional.of(JSON.treeToValue(fields, type));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "a line of the stream is no record: " + e.getOriginalMessage(), e);
    }
  }
}
