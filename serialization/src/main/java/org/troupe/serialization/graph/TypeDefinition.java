package org.troupe.serialization.graph;

import java.util.Arrays;
import org.troupe.serialization.internal.classes.ClassLayout;

/**
 * The meaning of one type id of a sender: the class's name and the layout of its fields.
 *
 * @param id the number that stands for the type in the sender's encodings
 * @param encoded the definition, self-contained; not copied, do not change it
 */
public record TypeDefinition(int id, byte[] encoded) {

  /**
   * Returns the binary name of the class; such a class need not exist here.
   *
   * @throws org.troupe.serialization.SerializationException if the definition is malformed
   */
  public String className() {
    return ClassLayout.decode(encoded).className();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TypeDefinition that
        && id == that.id
        && Arrays.equals(encoded, that.encoded);
  }

  @Override
  public int hashCode() {
    return 31 * id + Arrays.hashCode(encoded);
  }

  @Override
  public String toString() {
    return "type %d: %s".formatted(id, className());
  }
}
