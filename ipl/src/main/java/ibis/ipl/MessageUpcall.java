package ibis.ipl;

import java.io.IOException;

/** Receives the messages of a receive port while upcalls are enabled there. */
public interface MessageUpcall {

  /**
   * Handles one message.
   *
   * <p>Until the message is finished, the port delivers no other message, and this thread must not
   * send or connect. After {@link ReadMessage#finish()} these restrictions end, and other upcalls
   * may run concurrently. The return finishes a message that is not finished.
   *
   * @throws IOException to close the connection of the message
   * @throws ClassNotFoundException likewise
   */
  void upcall(ReadMessage message) throws IOException, ClassNotFoundException;
}
