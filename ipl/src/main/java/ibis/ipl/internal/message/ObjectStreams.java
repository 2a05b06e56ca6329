package ibis.ipl.internal.message;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.graph.Serializer;

/** Creates serializers for serialization streams that programs use without ports. */
public final class ObjectStreams {

  private ObjectStreams() {}

  /**
   * Returns a serializer for the classes that members of a pool may send each other.
   *
   * @param replacer replaces objects before they are written; may be {@code null}
   */
  public static Serializer serializer(@Nullable UnaryOperator<Object> replacer) {
    Serializer.Builder builder =
        Serializer.builder().superclassesAsJava().allow(new AllowedClasses());
    if (replacer != null) {
      builder.substitution(
          object -> {
            Object other = replacer.apply(object);
            return other == object ? null : other;
          });
    }
    return builder.build();
  }
}
