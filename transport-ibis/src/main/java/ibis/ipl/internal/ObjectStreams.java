package ibis.ipl.internal;

import ibis.io.Replacer;
import org.troupe.serialization.Serializer;

/** Makes serializers for streams that programs use without ports. */
public final class ObjectStreams {

  private ObjectStreams() {}

  /**
   * Returns a serializer that lets in the program's own classes, and the platform's for values.
   *
   * @param replacer gives what travels in the place of objects; may be {@code null}
   */
  public static Serializer serializer(Replacer replacer) {
    var allowed = new AllowedClasses();
    allowed.trustCaller();
    Serializer.Builder builder = Serializer.builder().allow(allowed);
    if (replacer != null) {
      builder.substitution(
          object -> {
            Object other = replacer.replace(object);
            return other == object ? null : other;
          });
    }
    return builder.build();
  }
}
