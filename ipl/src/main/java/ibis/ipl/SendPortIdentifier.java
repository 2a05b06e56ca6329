package ibis.ipl;

import java.io.Serializable;

/**
 * Names one send port among all of all instances.
 *
 * <p>Identifiers are equal if their names and instances are equal. Immutable; may be used as a key,
 * kept in files by Java serialization and written to messages.
 */
public interface SendPortIdentifier extends Serializable {

  /** Returns the name of the port, which no other send port of its instance has. */
  String name();

  /** Returns the instance that has the port. */
  IbisIdentifier ibisIdentifier();
}
