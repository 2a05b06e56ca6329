package ibis.ipl.server;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.internal.registry.PoolDirectory;
import java.io.IOException;
import java.util.Map;

/** The pools of a server, of this process or of another one, as the interface shows them. */
record RegistryService(PoolDirectory pools) implements RegistryServiceInterface {

  @Override
  public String[] getPools() throws IOException {
    return getPoolSizes().keySet().toArray(String[]::new);
  }

  @Override
  public Map<String, Integer> getPoolSizes() throws IOException {
    return pools.poolSizes();
  }

  @Override
  public IbisIdentifier[] getMembers(String poolName) throws IOException {
    return pools.identifiers(poolName);
  }
}
