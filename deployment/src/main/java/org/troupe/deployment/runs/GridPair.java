package org.troupe.deployment.runs;

import java.util.List;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.transport.Transport;

/**
 * What one node of a deployment has sent to another one, as other processes on the same machine see
 * it. Immutable. It is the form of the JSON, which stays when {@link PairDetail}, the value between
 * nodes, changes.
 *
 * @param methods the methods that it has called there, those with most calls first, {@value
 *     PairDetail#MOST_METHODS} at most
 * @param moreMethods how many more methods it has called
 * @param moreCalls how many calls of them it has sent
 * @param unacknowledged what the other node has not acknowledged
 * @param addresses those of the connection that carries its messages
 */
public record GridPair(
    List<Called> methods,
    int moreMethods,
    long moreCalls,
    Unacknowledged unacknowledged,
    Transport.Addresses addresses) {

  /** Copies the list. */
  public GridPair {
    methods = List.copyOf(methods);
  }

  /**
   * A method that was called.
   *
   * @param type the name of the class or interface by which it was called
   * @param method its name with the types of its parameters
   * @param calls how many calls were sent while requests were counted
   */
  public record Called(String type, String method, long calls) {}

  /**
   * Messages that were sent and not acknowledged.
   *
   * @param slices how many arrays, or slices of arrays, they have beside their bytes
   * @param bytes their size
   */
  public record Unacknowledged(int messages, int slices, long bytes) {}

  /** Returns what a node says of its messages to another one. */
  static GridPair of(PairDetail detail) {
    return new GridPair(
        detail.methods().stream()
            .map(each -> new Called(each.type(), each.method(), each.calls()))
            .toList(),
        detail.moreMethods(),
        detail.moreCalls(),
        new Unacknowledged(detail.messages(), detail.slices(), detail.bytes()),
        detail.addresses());
  }
}
