package org.troupe.activeobjects.hosting;

import java.util.List;
import org.troupe.activeobjects.transport.Transport;

/**
 * The traffic that one node has sent to another one, at one moment. Immutable and serializable.
 *
 * @param methods the methods that it has called there, those with most calls first, {@value
 *     #MOST_METHODS} at most; calls are counted unless the tier is {@code off}, and those of the
 *     middleware are left out
 * @param moreMethods how many more methods it has called
 * @param moreCalls how many calls of them it has sent
 * @param messages how many messages the other node has not acknowledged
 * @param slices how many arrays, or slices of arrays, these messages have beside their bytes
 * @param bytes the size of these messages
 * @param addresses those of the connection that carries its messages at this moment
 */
public record PairDetail(
    List<CalledMethod> methods,
    int moreMethods,
    long moreCalls,
    int messages,
    int slices,
    long bytes,
    Transport.Addresses addresses) {

  /** How many methods are listed. */
  public static final int MOST_METHODS = 50;

  /** Copies the list. */
  public PairDetail {
    methods = List.copyOf(methods);
  }

  /**
   * A method that was called.
   *
   * @param type the name of the class or interface by which it was called
   * @param method its name with the types of its parameters, such as {@code step(double)}
   * @param calls how many calls were sent
   */
  public record CalledMethod(String type, String method, long calls) {}
}
