package ibis.io;

import java.io.IOException;

/**
 * Implemented by classes to which a rewriter has added methods for serialization.
 *
 * <p>Such classes travel like any other: their fields are read and written without these methods.
 */
public interface Serializable {

  /** Writes all fields, those of superclasses too. */
  void generated_WriteObject(IbisSerializationOutputStream out) throws IOException;

  /** Writes the fields of the class with this number of superclasses. */
  void generated_DefaultWriteObject(IbisSerializationOutputStream out, int depth)
      throws IOException;

  /** Reads the fields of the class with this number of superclasses. */
  void generated_DefaultReadObject(IbisSerializationInputStream in, int depth)
      throws IOException, ClassNotFoundException;
}
