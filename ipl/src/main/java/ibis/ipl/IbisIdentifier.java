package ibis.ipl;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Names one instance among all of all pools.
 *
 * <p>Identifiers are equal if their pools and names are equal. Immutable; may be used as a key,
 * sorted, kept in files by Java serialization and written to messages.
 */
public interface IbisIdentifier extends Serializable, Comparable<IbisIdentifier> {

  /** Returns where the instance runs. */
  Location location();

  /** Returns the name of the pool. */
  String poolName();

  /** Returns a name that no other instance of the pool has or had. */
  String name();

  /**
   * Returns a copy of the tag that the program gave to the factory; {@code null} if there is none.
   */
  byte @Nullable [] tag();

  /** Returns the tag, read as UTF-8; {@code null} if there is none. */
  @Nullable String tagAsString();
}
