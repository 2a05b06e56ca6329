package org.troupe.em3d.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values as JSON: maps, lists, text and numbers; NaN and infinities become {@code null}. */
public final class JsonText {

  private JsonText() {}

  public static String of(@Nullable Object value) {
    return switch (value) {
      case String text -> '"' + escaped(text) + '"';
      case Double number when !Double.isFinite(number) -> "null";
      case null -> "null";
      case List<?> list ->
          list.stream().map(JsonText::of).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> of(entry.getKey().toString()) + ": " + of(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      default -> value.toString();
    };
  }

  private static String escaped(String text) {
    var escaped = new StringBuilder();
    for (var c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else if (c < ' ') {
        escaped.append("\\u%04x".formatted((int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
