package ibis.ipl.internal.registry;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.IbisProperties;
import ibis.ipl.internal.base.FramedLink;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.IplSettings;
import ibis.ipl.internal.base.WorkerThreads;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.port.Port;

/**
 * Queries the pools of a server in another process; each query uses a link of its own.
 *
 * <p>The secret comes from the default properties, as for members.
 */
public final class RegistryClient implements PoolDirectory {

  private final Address server;
  private final Duration timeout;

  /**
   * Creates a client without connecting.
   *
   * @param server the address in the format of {@code ibis.server.address}
   * @param timeout the time limit for an answer
   */
  public RegistryClient(String server, Duration timeout) {
    this.server = IplSettings.serverAddress(server.strip());
    this.timeout = timeout;
  }

  /** Returns the address of the server. */
  public Address address() {
    return server;
  }

  @Override
  public Map<String, Integer> poolSizes() throws IOException {
    return ask(
        RegistryProtocol.message(RegistryProtocol.ASK_POOLS, out -> {}),
        link -> {
          DataInputStream answer = read(link, RegistryProtocol.POOL_SIZES);
          Map<String, Integer> sizes = new TreeMap<>();
          for (int count = answer.readInt(); count > 0; count--) {
            sizes.put(answer.readUTF(), answer.readInt());
          }
          return sizes;
        });
  }

  @Override
  public IbisIdentifier[] identifiers(String poolName) throws IOException {
    return ask(
        RegistryProtocol.message(RegistryProtocol.ASK_MEMBERS, out -> out.writeUTF(poolName)),
        link -> {
          List<IbisIdentifier> members = new ArrayList<>();
          for (int count = read(link, RegistryProtocol.MEMBERS).readInt(); count > 0; count--) {
            members.add(InstanceIdentifier.readFrom(read(link, RegistryProtocol.MEMBER_NAME)));
          }
          return members.toArray(IbisIdentifier[]::new);
        });
  }

  /** Reads an answer from a link. */
  private interface Answer<T> {
    T readFrom(FramedLink link) throws IOException;
  }

  private <T> T ask(byte[] question, Answer<T> answer) throws IOException {
    Properties properties = IbisProperties.getDefaultProperties();
    try (Port links = IplSettings.open(properties, IplSettings.access(properties, false), server);
        var link = new FramedLink(connect(links))) {
      CompletableFuture<Void> deadline = WorkerThreads.after(timeout.toMillis(), link::close);
      try {
        link.write(question);
        return answer.readFrom(link);
      } catch (IOException e) {
        throw new IOException("the server at " + server + " gave no answer: " + e.getMessage(), e);
      } finally {
        deadline.cancel(false);
      }
    }
  }

  private static DataInputStream read(FramedLink link, int kind) throws IOException {
    DataInputStream message = RegistryProtocol.read(link.read());
    int actual = message.readByte();
    if (actual == RegistryProtocol.REFUSED) {
      throw new IOException("it refuses: " + message.readUTF());
    }
    if (actual != kind) {
      throw new IOException("its answer is of an unknown kind; use the same release");
    }
    return message;
  }

  private Link connect(Port links) throws IOException {
    try {
      return links.connect(server, RegistryProtocol.REGISTRY, timeout);
    } catch (ConnectException | NoSuchServiceException e) {
      throw new IOException(
          "there is no server at "
              + server
              + ": "
              + e.getMessage()
              + "; start one there with './troupe ibis-server', or correct the address",
          e);
    }
  }
}
