package ibis.ipl.server;

import ibis.ipl.IbisIdentifier;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;

/** A server's knowledge of its pools; all results are snapshots. */
public interface RegistryServiceInterface {

  /** Returns the names of the pools that have members, sorted. */
  String[] getPools() throws IOException;

  /** Returns how many members each pool has. */
  Map<String, Integer> getPoolSizes() throws IOException;

  /** Returns the locations of the members of a pool, each once; none if there is no such pool. */
  default String[] getLocations(String poolName) throws IOException {
    return Stream.of(getMembers(poolName))
        .map(member -> member.location().toString())
        .distinct()
        .toArray(String[]::new);
  }

  /** Returns the members of a pool in order of joining; none if there is no such pool. */
  IbisIdentifier[] getMembers(String poolName) throws IOException;
}
