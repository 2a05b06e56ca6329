package ibis.ipl;

import java.io.PrintStream;
import java.util.Map;
import java.util.Properties;

/** A registry as a program may have its own: of one member, and of no use. */
public final class OwnRegistry extends ibis.ipl.registry.Registry {

  private final IbisIdentifier identifier;

  public OwnRegistry(
      IbisCapabilities capabilities,
      RegistryEventHandler handler,
      Properties properties,
      byte[] data,
      String version,
      Credentials credentials,
      byte[] tag) {
    identifier = newIdentifier("own pool", "own", data, "here", tag);
  }

  @Override
  public IbisIdentifier getIbisIdentifier() {
    return identifier;
  }

  @Override
  public void leave() {}

  @Override
  public IbisIdentifier elect(String electionName) {
    throw new UnsupportedOperationException();
  }

  @Override
  public IbisIdentifier elect(String electionName, long timeoutMillis) {
    throw new UnsupportedOperationException();
  }

  @Override
  public IbisIdentifier getElectionResult(String electionName) {
    throw new UnsupportedOperationException();
  }

  @Override
  public IbisIdentifier getElectionResult(String electionName, long timeoutMillis) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void maybeDead(IbisIdentifier ibisIdentifier) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void assumeDead(IbisIdentifier ibisIdentifier) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void signal(String signal, IbisIdentifier... ibisIdentifiers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public IbisIdentifier[] joinedIbises() {
    throw new UnsupportedOperationException();
  }

  @Override
  public IbisIdentifier[] leftIbises() {
    throw new UnsupportedOperationException();
  }

  @Override
  public IbisIdentifier[] diedIbises() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String[] receivedSignals() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getPoolSize() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getPoolName() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void waitUntilPoolClosed() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isClosed() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void enableEvents() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void disableEvents() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long getSequenceNumber(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void addTokens(String name, int count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getToken(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void terminate() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean hasTerminated() {
    throw new UnsupportedOperationException();
  }

  @Override
  public IbisIdentifier waitUntilTerminated() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<String, String> managementProperties() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setManagementProperties(Map<String, String> properties) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getManagementProperty(String key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setManagementProperty(String key, String value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void printManagementProperties(PrintStream stream) {
    throw new UnsupportedOperationException();
  }
}
