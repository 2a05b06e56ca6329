package org.troupe.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;

/** Text in the format OpenMetrics 1.0, family by family. Confined to one thread. */
final class MetricsText {

  static final String TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final int LONGEST_LABEL = 200;

  private final String common;
  private final Map<String, Family> families = new LinkedHashMap<>();

  /**
   * Creates a text without families.
   *
   * @param common labels of all samples: names and values in turn
   */
  MetricsText(String... common) {
    this.common = labels("", common);
  }

  /** The samples of one name, behind its type and its help. */
  final class Family {

    private final String name;
    private final String suffix;
    private final StringBuilder samples = new StringBuilder();

    private Family(String name, String type, String unit, String help) {
      this.name = name;
      this.suffix =
          switch (type) {
            case "counter" -> "_total";
            case "info" -> "_info";
            default -> "";
          };
      samples.append("# TYPE %s %s\n".formatted(name, type));
      if (!unit.isEmpty()) {
        samples.append("# UNIT %s %s\n".formatted(name, unit));
      }
      samples.append("# HELP %s %s\n".formatted(name, escaped(help)));
    }

    /**
     * Adds a sample.
     *
     * @param labels names and values in turn
     */
    Family add(double value, String... labels) {
      return add(suffix, value, labels);
    }

    /** Adds the number of observations of a summary. */
    Family count(long value, String... labels) {
      return add("_count", value, labels);
    }

    private Family add(String end, double value, String... labels) {
      samples.append(name).append(end);
      var all = MetricsText.labels(common, labels);
      if (!all.isEmpty()) {
        samples.append('{').append(all).append('}');
      }
      samples.append(' ').append(number(value)).append('\n');
      return this;
    }
  }

  Family counter(String name, String unit, String help) {
    return family(name, "counter", unit, help);
  }

  Family gauge(String name, String unit, String help) {
    return family(name, "gauge", unit, help);
  }

  Family summary(String name, String unit, String help) {
    return family(name, "summary", unit, help);
  }

  Family info(String name, String help) {
    return family(name, "info", "", help);
  }

  private Family family(String name, String type, String unit, String help) {
    var family = new Family(name, type, unit, help);
    if (families.putIfAbsent(name, family) != null) {
      throw new IllegalArgumentException("two families named " + name);
    }
    return family;
  }

  private static String labels(String before, String... labels) {
    var all = new StringBuilder(before);
    for (var i = 0; i < labels.length; i += 2) {
      if (!all.isEmpty()) {
        all.append(',');
      }
      var value = labels[i + 1];
      var bounded = value.length() <= LONGEST_LABEL ? value : value.substring(0, LONGEST_LABEL);
      all.append(labels[i]).append("=\"").append(escaped(bounded)).append('"');
    }
    return all.toString();
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
      return Long.toString((long) value);
    }
    return Double.isNaN(value)
        ? "NaN"
        : Double.isInfinite(value) ? value > 0 ? "+Inf" : "-Inf" : Double.toString(value);
  }

  /** Returns the whole text. */
  @Override
  public String toString() {
    var all = new StringBuilder();
    families.values().forEach(family -> all.append(family.samples));
    return all.append("# EOF\n").toString();
  }
}
