package ibis.io;

import ibis.ipl.internal.message.ObjectStreams;
import java.io.Serializable;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.Serializer;

/** Copies object graphs as they would travel. */
public final class DeepCopy {

  private static final Serializer SERIALIZER = ObjectStreams.serializer(null);

  private DeepCopy() {}

  /**
   * Returns a copy that shares nothing with the original that could change.
   *
   * @throws SerializationException if an object in it cannot travel, naming its path
   */
  public static Serializable deepCopy(Serializable original) {
    return SERIALIZER.copy(original);
  }
}
