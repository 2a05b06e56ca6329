package ibis.ipl.internal;

/** Why a member may not join; the text goes to it. */
final class RefusedJoin extends Exception {

  private static final long serialVersionUID = 1L;

  RefusedJoin(String message) {
    super(message);
  }
}
