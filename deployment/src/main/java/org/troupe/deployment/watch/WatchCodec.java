package org.troupe.deployment.watch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads records as lines of JSON, each an object whose field {@code record} is its kind.
 */
public final class WatchCodec {

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private static final String KIND = "record";

  private static final Map<String, Class<? extends WatchRecord>> TYPES =
      Stream.<Class<? extends WatchRecord>>of(
              WatchRecord.Begin.class,
              WatchRecord.Round.class,
              WatchRecord.Node.class,
              WatchRecord.Method.class,
              WatchRecord.Queues.class,
              WatchRecord.Waits.class,
              WatchRecord.Collective.class,
              WatchRecord.Operation.class,
              WatchRecord.Cycle.class,
              WatchRecord.Class.class,
              WatchRecord.Pair.class,
              WatchRecord.Failure.class,
              WatchRecord.Event.class,
              WatchRecord.Job.class,
              WatchRecord.Panel.class,
              WatchRecord.Vitals.class)
          .collect(Collectors.toMap(WatchCodec::kind, Function.identity()));

  private WatchCodec() {}

  private static String kind(Class<?> type) {
    var name = type.getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** Returns a record as a line, without its end. */
  public static String line(WatchRecord written) {
    // The field comes first, so that a reader can tell the kind before it reads the rest.
    var fields = JSON.writeValueAsString(written);
    return "{\"" + KIND + "\":\"" + kind(written.getClass()) + "\"," + fields.substring(1);
  }

  /**
   * Returns the record of a line; empty if this version does not know its kind.
   *
   * @throws IllegalArgumentException if the line is no record
   */
  public static Optional<WatchRecord> record(String line) {
    try {
      var fields = JSON.readTree(line);
      var kind = fields.path(KIND);
      if (!kind.isString()) {
        throw new IllegalArgumentException("a line of the stream has no field '" + KIND + "'");
      }
      var type = TYPES.get(kind.asString());
      return type == null ? Optional.empty() : Optional.of(JSON.treeToValue(fields, type));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "a line of the stream is no record: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns the records of lines, without those that this version does not know. */
  public static List<WatchRecord> records(List<String> lines) {
    return lines.stream().map(WatchCodec::record).flatMap(Optional::stream).toList();
  }
}
