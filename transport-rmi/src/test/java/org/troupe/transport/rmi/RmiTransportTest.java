package org.troupe.transport.rmi;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.contract.TransportContract;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Addresses;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.testing.LogRecords;

class RmiTransportTest extends TransportContract {

  RmiTransportTest() {
    super("rmi");
  }

  @Test
  void returnsTheReplyOfAnExchange() throws IOException {
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (frame.header()[0] == 1) {
                assertThat(exchange.reply(frame(7, frame.body()[0]))).isTrue();
              }
            });

    assertThat(connection.exchange(frame(1, 2))).usingRecursiveComparison().isEqualTo(frame(7, 2));
    assertThat(connection.exchange(frame(0, 2))).isNull();
  }

  @Test
  void tellsTheAddressesOfASocket() throws IOException {
    var connection = connectedTo((frame, exchange) -> {});
    connection.send(List.of(frame(1, 2)));

    assertThat(connection.addresses().local()).startsWith("127.0.0.1:");
    assertThat(connection.addresses().remote()).startsWith("127.0.0.1:");
    connection.close();
    assertThat(connection.addresses()).isEqualTo(Addresses.NONE);
  }

  @Test
  void carriesArraysOfAllTypesOfNumbers() throws IOException {
    var all =
        new Frame(
            new byte[] {1},
            new byte[] {2},
            List.of(
                new byte[] {1, -1},
                new short[] {2, -2},
                new char[] {3, '\uffff'},
                new int[] {4, -4},
                new long[] {5, -5},
                new float[] {6.5f, -6.5f},
                new double[] {7.25, -7.25}));
    var received = new ArrayList<Frame>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              received.add(frame);
              if (exchange != null) {
                exchange.reply(frame);
              }
            });

    connection.send(List.of(frame(3, 4), all, frame(5, 6)));
    var back = connection.exchange(all);

    assertThat(received).hasSize(4);
    assertThat(List.of(received.get(1), received.get(3), back))
        .allSatisfy(frame -> assertThat(frame).usingRecursiveComparison().isEqualTo(all));
    assertThat(received.get(2)).usingRecursiveComparison().isEqualTo(frame(5, 6));
  }

  @Test
  void endsAnExchangeWhenItsCallHasReturned() throws IOException {
    var ended = new ArrayList<Exchange>();
    var connection = connectedTo((frame, exchange) -> ended.add(exchange));

    assertThat(connection.exchange(frame(1, 2))).isNull();

    assertThat(ended).singleElement().matches(exchange -> !exchange.reply(frame(7, 2)));
  }

  @Test
  void closesTheSocketOfACallWhoseArgumentsAreNoFrames(LogRecords records) throws Exception {
    var peer = ((RmiConnection) connectedTo(DEAF)).peer;

    assertThatThrownBy(() -> peer.deliver(new byte[][] {{1, 2, 3}}))
        .isInstanceOf(RemoteException.class)
        .hasCauseInstanceOf(EOFException.class); // and not with an answer of the server

    records.expect(WARNING, "a peer sent an unreadable frame", "do not hold frames");
  }
}
