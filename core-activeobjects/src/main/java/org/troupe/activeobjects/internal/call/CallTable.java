package org.troupe.activeobjects.internal.call;

import java.util.Objects;
import org.troupe.activeobjects.UnsuitableClassException;

/** Formats the call table of a class. */
public final class CallTable {

  private CallTable() {}

  /** Logs a warning, once, about methods of a class whose calls will most likely fail. */
  public static void warn(Class<?> type) {
    ActiveType.of(type).warn();
  }

  /** Returns the table as text, or the reason why the class has none. */
  public static String explain(Class<?> type) {
    ActiveType<?> active;
    try {
      active = ActiveType.of(type);
    } catch (UnsuitableClassException e) {
      return Objects.requireNonNull(e.getMessage(), "the reasons");
    }
    var text = new StringBuilder("A call on a stub of " + type.getName() + ":");
    for (var method : active.methods()) {
      var reflected = method.method().method();
      if (reflected.isBridge()) {
        continue;
      }
      text.append("\n  ")
          .append(reflected.getReturnType().getSimpleName())
          .append(' ')
          .append(method.method())
          .append("\n      ")
          .append(
              method.givesElements()
                  ? "iterates a copy of the elements, which are fetched together"
                  : method.kind().description());
      var reason = CallKind.reasonToWait(reflected);
      if (reason != null) {
        text.append(": ").append(reason).append("; ask(..) returns at once");
      }
      if (method.doubt() != null) {
        text.append("\n      warning: ").append(method.doubt());
      }
      switch (active.scheduling().rule(method)) {
        case ServicePolicy.Rule.InTurn inTurn -> {
          // The default needs no remark.
        }
        case ServicePolicy.Rule.AtOnce atOnce -> text.append("; served at once, beside all others");
        case ServicePolicy.Rule.Beside(var group, var compatible) ->
            text.append("; served beside those of ").append(compatible);
      }
    }
    return text.toString();
  }
}
