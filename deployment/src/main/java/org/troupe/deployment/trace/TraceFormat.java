package org.troupe.deployment.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The form of the file of a trace. */
public enum TraceFormat {
  /** Perfetto's own, for ui.perfetto.dev and its trace processor. */
  PERFETTO,
  /** The JSON of Chrome's trace viewer, which other programs read, too. */
  CHROME,
  /** A table with a row for each call and wait. */
  CSV;

  /**
   * Returns the format with a name, such as {@code perfetto}.
   *
   * @throws IllegalArgumentException if there is none; the message lists the names
   */
  public static TraceFormat named(String name) {
    return Stream.of(values())
        .filter(each -> each.toString().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no format of traces '%s'; choose from %s"
                        .formatted(
                            name,
                            Stream.of(values())
                                .map(TraceFormat::toString)
                                .collect(Collectors.joining(", ")))));
  }

  /** Creates a writer, which buffers what it writes. */
  public TraceWriter writer(OutputStream out) throws IOException {
    return switch (this) {
      case PERFETTO -> new PerfettoWriter(out);
      case CHROME -> new ChromeTraceWriter(out);
      case CSV -> new CsvTraceWriter(out);
    };
  }

  /** Returns the name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
