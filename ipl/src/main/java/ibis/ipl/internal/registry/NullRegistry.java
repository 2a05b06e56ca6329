package ibis.ipl.internal.registry;

import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.IbisProperties;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.IplSettings;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A registry without a pool: the program exchanges identifiers by its own means. */
final class NullRegistry extends UnmanagedRegistry {

  private static final String NO_POOL = "none";

  private final InstanceIdentifier identifier;

  NullRegistry(Properties properties, String port, byte @Nullable [] tag) {
    identifier =
        new InstanceIdentifier(
            properties.getProperty(IbisProperties.POOL_NAME, NO_POOL),
            "Ibis " + UUID.randomUUID(),
            IplSettings.location(properties),
            tag,
            port);
  }

  private static IbisConfigurationException has(String nothing) {
    return new IbisConfigurationException(
        "the null registry has no "
            + nothing
            + "; set '"
            + IbisProperties.REGISTRY_IMPLEMENTATION
            + "' to central, or do without");
  }

  @Override
  public IbisIdentifier getIbisIdentifier() {
    return identifier;
  }

  @Override
  public void leave() {}

  @Override
  public IbisIdentifier elect(String electionName) {
    throw has("elections");
  }

  @Override
  public IbisIdentifier elect(String electionName, long timeoutMillis) {
    throw has("elections");
  }

  @Override
  public IbisIdentifier getElectionResult(String electionName) {
    throw has("elections");
  }

  @Override
  public IbisIdentifier getElectionResult(String electionName, long timeoutMillis) {
    throw has("elections");
  }

  @Override
  public void maybeDead(IbisIdentifier ibisIdentifier) {
    // A hint; there is no server that could check.
  }

  @Override
  public void assumeDead(IbisIdentifier ibisIdentifier) {
    // A hint; there is no server to inform.
  }

  @Override
  public void signal(String signal, IbisIdentifier... ibisIdentifiers) {
    throw has("signals");
  }

  @Override
  public IbisIdentifier[] joinedIbises() {
    throw has("membership");
  }

  @Override
  public IbisIdentifier[] leftIbises() {
    throw has("membership");
  }

  @Override
  public IbisIdentifier[] diedIbises() {
    throw has("membership");
  }

  @Override
  public String[] receivedSignals() {
    throw has("signals");
  }

  @Override
  public int getPoolSize() {
    throw has("pool");
  }

  @Override
  public String getPoolName() {
    return identifier.poolName();
  }

  @Override
  public void waitUntilPoolClosed() {
    throw has("pool");
  }

  @Override
  public boolean isClosed() {
    throw has("pool");
  }

  @Override
  public void enableEvents() {
    throw has("events");
  }

  @Override
  public void disableEvents() {
    throw has("events");
  }

  @Override
  public long getSequenceNumber(String name) {
    throw has("sequence numbers");
  }

  @Override
  public void addTokens(String name, int count) {
    throw has("tokens");
  }

  @Override
  public String getToken(String name) {
    throw has("tokens");
  }

  @Override
  public void terminate() {
    throw has("termination");
  }

  @Override
  public boolean hasTerminated() {
    throw has("termination");
  }

  @Override
  public IbisIdentifier waitUntilTerminated() {
    throw has("termination");
  }
}
