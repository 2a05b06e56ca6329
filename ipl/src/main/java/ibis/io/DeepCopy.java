package ibis.io;

import ibis.ipl.internal.message.ObjectStreams;
import java.io.Serializable;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.Serializer;

/** Copies object graphs by serialization. */
public final class DeepCopy {

  private static final Serializer SERIALIZER = ObjectStreams.serializer(null);

  private DeepCopy() {}

  /**
   * Returns a copy that shares no mutable state with the original.
   *
   * @throws SerializationException if an object cannot be serialized; the message names its path
   */
  public static Serializable deepCopy(Serializable original) {
    return SERIALIZER.copy(original);
  }
}
