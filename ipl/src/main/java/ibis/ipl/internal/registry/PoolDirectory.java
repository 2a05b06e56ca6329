package ibis.ipl.internal.registry;

import ibis.ipl.IbisIdentifier;
import java.io.IOException;
import java.util.Map;

/** The pools of a server, in this process or in another. */
public interface PoolDirectory {

  /** Returns the number of members of each pool that has any, sorted by name. */
  Map<String, Integer> poolSizes() throws IOException;

  /** Returns the members of a pool in order of joining; none if there is no such pool. */
  IbisIdentifier[] identifiers(String poolName) throws IOException;
}
