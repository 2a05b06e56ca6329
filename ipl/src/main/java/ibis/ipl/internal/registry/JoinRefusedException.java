package ibis.ipl.internal.registry;

/** Why a member may not join; the text goes to it. */
final class JoinRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  JoinRefusedException(String message) {
    super(message);
  }
}
