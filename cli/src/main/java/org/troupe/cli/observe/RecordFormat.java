package org.troupe.cli.observe;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The formats of the files that {@code record} writes. */
enum RecordFormat {
  PERFETTO(".pftrace", false),
  CHROME(".json", false),
  CSV(".csv", false),
  ZIP(".zip", true),
  FOLDED(".folded", true);

  private final String suffix;
  private final boolean isOfJvms;

  RecordFormat(String suffix, boolean isOfJvms) {
    this.suffix = suffix;
    this.isOfJvms = isOfJvms;
  }

  /**
   * Returns the format of a file.
   *
   * @param named the format that the user gives; {@code null} to take that of the file's name
   * @param isOfJvms whether recordings of JVMs are written, rather than a trace of calls
   * @throws IllegalArgumentException if there is none, or the name of the file contradicts it
   */
  static RecordFormat of(Path file, @Nullable String named, boolean isOfJvms) {
    var name = file.getFileName() == null ? "" : file.getFileName().toString();
    var ofName =
        Stream.of(values())
            .filter(each -> name.toLowerCase(Locale.ROOT).endsWith(each.suffix))
            .findAny();
    return named == null
        ? ofName(file, name, ofName, isOfJvms)
        : named(file, named, ofName, isOfJvms);
  }

  private static RecordFormat ofName(
      Path file, String name, Optional<RecordFormat> ofName, boolean isOfJvms) {
    if (ofName.isEmpty() && name.lastIndexOf('.') <= 0) {
      return all(isOfJvms).findFirst().orElseThrow();
    }
    return ofName
        .filter(each -> each.isOfJvms == isOfJvms)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "-o: the name '%s' does not end as that of %s; end it with %s, or add --format"
                        .formatted(
                            file,
                            kind(isOfJvms),
                            all(isOfJvms)
                                .map(each -> each.suffix)
                                .collect(Collectors.joining(" or ")))));
  }

  private static RecordFormat named(
      Path file, String named, Optional<RecordFormat> ofName, boolean isOfJvms) {
    var format =
        all(isOfJvms)
            .filter(each -> each.toString().equals(named))
            .findAny()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--format: there is no format of %s '%s'; choose from %s"
                            .formatted(
                                isOfJvms ? "recordings" : "traces",
                                named,
                                all(isOfJvms)
                                    .map(RecordFormat::toString)
                                    .collect(Collectors.joining(", ")))));
    if (ofName.isPresent() && ofName.get() != format) {
      throw new IllegalArgumentException(
          "--format %s contradicts the name '%s', which ends as that of the format %s; change one of them"
              .formatted(format, file, ofName.get()));
    }
    return format;
  }

  private static String kind(boolean isOfJvms) {
    return isOfJvms ? "a file of recordings of JVMs" : "a trace";
  }

  private static Stream<RecordFormat> all(boolean isOfJvms) {
    return Stream.of(values()).filter(each -> each.isOfJvms == isOfJvms);
  }

  /** Returns the name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
