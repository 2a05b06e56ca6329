package ibis.ipl;

import java.io.IOException;

/** Receives the messages of a receive port while upcalls are enabled there. */
public interface MessageUpcall {

  /**
   * Handles one message.
   *
   * <p>Until it is finished no other message of the port is given out, and this thread must not
   * send or connect. After {@link ReadMessage#finish()} it may do anything, and other messages may
   * come at the same time. A message that is not finished is finished on return.
   *
   * @throws IOException to close the connection that the message came from
   * @throws ClassNotFoundException likewise
   */
  void upcall(ReadMessage message) throws IOException, ClassNotFoundException;
}
