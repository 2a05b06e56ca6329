package ibis.ipl.internal.registry;

/** A member may not join; the message is sent to it. */
final class JoinRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  JoinRefusedException(String message) {
    super(message);
  }
}
