package org.troupe.transport.ibis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;

/** Two ports, and links from one to the other. */
final class LinkPair implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Secret secret = Secret.random();
  private final LinkedBlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
  private final Port one;
  private final Port other;
  private Link near;
  private Link far;

  LinkPair() throws IOException {
    one = Port.open(secret);
    other = Port.open(secret);
    one.serve("pair", accepted::add);
  }

  /** Opens a new link after closing the previous one. */
  void connect() throws Exception {
    disconnect();
    far = other.connect(one.address(), "pair", PATIENCE);
    near = accepted.poll(20, SECONDS);
    assertThat(near).as("the other end of the link").isNotNull();
  }

  /** The end that receives. */
  Link near() {
    return near;
  }

  /** The end of the peer. */
  Link far() {
    return far;
  }

  private void disconnect() {
    if (near != null) {
      near.close();
      far.close();
    }
  }

  @Override
  public void close() {
    disconnect();
    one.close();
    other.close();
  }
}
