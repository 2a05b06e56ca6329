package org.troupe.transport.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;

/** Tests that the JDK's RMI, without nodes, works over the sockets of a port's service. */
@Timeout(60)
class RmiOverLinksTest {

  /** The remote interface under test. */
  public interface Calculator extends Remote {
    int square(int number) throws RemoteException;

    /** Returns when the agreed number of callers are in this method at the same time. */
    int meet() throws Exception;

    /** Returns only when the connection ends. */
    void hang() throws RemoteException, InterruptedException;
  }

  private static final int CALLERS = 40;

  private final Secret secret = Secret.random();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger connections = new AtomicInteger();
  private Port client;
  private Port server;
  private ServiceSocket incoming;
  private Calculator exported;
  private Calculator stub;

  @BeforeEach
  void export() throws IOException {
    client = Port.open(secret);
    server = Port.open(secret);
    incoming = new ServiceSocket(server, "rmi");
    exported = new LocalCalculator();
    RMIClientSocketFactory out =
        (_, _) -> {
          connections.incrementAndGet();
          return client.connectSocket(server.address(), "rmi", Duration.ofSeconds(30));
        };
    RMIServerSocketFactory in = _ -> incoming;
    stub = (Calculator) UnicastRemoteObject.exportObject(exported, 0, out, in);
  }

  @AfterEach
  void unexport() throws IOException {
    end.countDown();
    UnicastRemoteObject.unexportObject(exported, true);
    client.close();
    server.close();
    incoming.close();
  }

  @Test
  void callsThroughThePort() throws Exception {
    assertThat(stub.square(7)).isEqualTo(49);
    assertThat(stub.square(8)).isEqualTo(64);
    assertThat(connections).as("connections, which RMI keeps").hasValue(1);
  }

  @Test
  void callsConcurrently() throws Exception {
    try (var callers = Executors.newFixedThreadPool(CALLERS)) {
      var meetings =
          IntStream.range(0, CALLERS).mapToObj(_ -> callers.submit(() -> stub.meet())).toList();
      for (Future<Integer> meeting : meetings) {
        assertThat(meeting.get(30, TimeUnit.SECONDS)).isEqualTo(CALLERS);
      }
      var squares =
          IntStream.range(0, 2000).mapToObj(i -> callers.submit(() -> stub.square(i))).toList();
      for (int i = 0; i < squares.size(); i++) {
        assertThat(squares.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(i * i);
      }
    }
    assertThat(connections.get()).isBetween(CALLERS, 2 * CALLERS);
  }

  @Test
  void endsWithThePort() throws Exception {
    try (var callers = Executors.newSingleThreadExecutor()) {
      Future<?> call =
          callers.submit(
              () -> {
                stub.hang();
                return null;
              });
      assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();

      server.close();

      assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RemoteException.class);
      assertThatThrownBy(() -> stub.square(7)).isInstanceOf(RemoteException.class);
    }
  }

  private final class LocalCalculator implements Calculator {

    private final CyclicBarrier all = new CyclicBarrier(CALLERS);

    @Override
    public int square(int number) {
      return number * number;
    }

    @Override
    public int meet() throws Exception {
      all.await(30, TimeUnit.SECONDS);
      return CALLERS;
    }

    @Override
    public void hang() throws InterruptedException {
      hanging.countDown();
      end.await();
    }
  }
}
