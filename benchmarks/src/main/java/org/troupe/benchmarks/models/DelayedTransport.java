package org.troupe.benchmarks.models;

import java.io.IOException;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.transport.Transport;

/**
 * The transport {@code ibis} with a delay between endpoints that listen on different addresses:
 * clusters with a long way between them, on one machine. The rate is not limited.
 */
public final class DelayedTransport implements Transport {

  static final String NAME = "delayed";

  /** The system property with the milliseconds of each way. */
  static final String MILLIS = "troupe.bench.delay";

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(Integer.getInteger(MILLIS, 0));

  /** Creates the transport; called by the service loader. */
  public DelayedTransport() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) throws IOException {
    var prompt =
        ServiceLoader.load(Transport.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals("ibis"))
            .findAny()
            .orElseThrow();
    return new DelayedEndpoint(prompt.open(options, receiver), options.listening().host() + ":");
  }

  /** An endpoint whose connections to other addresses are slow. */
  private record DelayedEndpoint(Endpoint prompt, String nearPrefix) implements Endpoint {

    @Override
    public String address() {
      return prompt.address();
    }

    @Override
    public Connection connect(String address) throws IOException {
      var connection = prompt.connect(address);
      return NANOS == 0 || address.startsWith(nearPrefix)
          ? connection
          : new DelayedConnection(connection, NANOS);
    }

    @Override
    public void receiveWhile(BooleanSupplier isWaiting) {
      prompt.receiveWhile(isWaiting);
    }

    @Override
    public void close() {
      prompt.close();
    }
  }
}
