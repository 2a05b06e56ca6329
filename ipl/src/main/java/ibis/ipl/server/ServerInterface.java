package ibis.ipl.server;

import java.io.IOException;

/** What programs can ask of a server. */
public interface ServerInterface {

  /** Returns what members set as {@code ibis.server.address}. */
  String getAddress() throws IOException;

  /** Returns what the server serves. */
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

  /** Returns what the server knows about its pools. */
  RegistryServiceInterface getRegistryService();
}
