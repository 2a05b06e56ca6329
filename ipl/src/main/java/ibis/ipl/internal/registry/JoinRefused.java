package ibis.ipl.internal.registry;

/** Why a member may not join; the text goes to it. */
final class JoinRefused extends Exception {

  private static final long serialVersionUID = 1L;

  JoinRefused(String message) {
    super(message);
  }
}
