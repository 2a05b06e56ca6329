package ibis.ipl.server;

import java.io.IOException;

/** A registry server, as programs see it. */
public interface ServerInterface {

  /** Returns the address for the property {@code ibis.server.address} of members. */
  String getAddress() throws IOException;

  /** Returns the names of the services. */
  String[] getServiceNames() throws IOException;

  /** Returns the addresses of the hubs: none, members connect to each other directly. */
  String[] getHubs() throws IOException;

  /** Takes the addresses of hubs; without effect, as there are none. */
  void addHubs(String... hubAddresses) throws IOException;

  /**
   * Ends the server.
   *
   * @param timeoutMillis how long to wait for the pools to end by themselves; 0 waits for ever, -1
   *     does not wait
   */
  void end(long timeoutMillis) throws IOException;

  /** Returns the service that describes the pools. */
  RegistryServiceInterface getRegistryService();
}
