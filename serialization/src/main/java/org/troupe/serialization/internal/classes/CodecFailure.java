package org.troupe.serialization.internal.classes;

import java.io.Serial;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.SerializationException;

/**
 * A failure to encode or decode, which collects the path from the root while it propagates through
 * the codecs.
 */
public final class CodecFailure extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  /** The number of steps kept at each end of a path, which would fill a screen for a long list. */
  private static final int SHOWN = 16;

  private final transient Deque<String> nearRoot = new ArrayDeque<>();
  private final transient StringBuilder nearLeaf = new StringBuilder();
  private int segments;

  public CodecFailure(@Nullable String message) {
    this(message, null);
  }

  public CodecFailure(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
  }

  /** Returns the failure for anything thrown at one step of a path, with that step added. */
  public static CodecFailure at(String segment, Throwable thrown) {
    CodecFailure failure = of(thrown);
    if (failure.segments++ < SHOWN) {
      failure.nearLeaf.insert(0, segment);
    } else {
      failure.nearRoot.addFirst(segment);
      if (failure.nearRoot.size() > SHOWN) {
        failure.nearRoot.removeLast();
      }
    }
    return failure;
  }

  /** Returns the failure for anything that a codec, a hook or a constructor threw. */
  public static CodecFailure of(Throwable thrown) {
    return switch (thrown) {
      case CodecFailure failure -> failure;
      case SerializationException known -> new CodecFailure(known.getMessage(), known.getCause());
      case StackOverflowError overflow ->
          new CodecFailure(
              "the stack overflowed, in a hook, a constructor or a hashCode that follows the graph itself",
              overflow);
      // These say something about the JVM, not about the graph.
      case VirtualMachineError error -> throw error;
      default -> new CodecFailure(describe(thrown), thrown);
    };
  }

  private static String describe(Throwable thrown) {
    return thrown.getMessage() == null
        ? thrown.getClass().getName()
        : "%s: %s".formatted(thrown.getClass().getName(), thrown.getMessage());
  }

  /** Returns the exception for the user, for example of the action "cannot encode". */
  public SerializationException toException(String action) {
    String path = String.join("", nearRoot);
    if (segments > 2 * SHOWN) {
      path += " ... (%d steps) ... ".formatted(segments - 2 * SHOWN);
    }
    path += nearLeaf;
    String message =
        path.isEmpty()
            ? "%s: %s".formatted(action, getMessage())
            : "%s '%s': %s".formatted(action, path, getMessage());
    return new SerializationException(message, getCause());
  }
}
