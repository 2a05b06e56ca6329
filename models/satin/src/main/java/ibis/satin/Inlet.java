package ibis.satin;

/**
 * A throwable that a job throws to hand a value to an inlet, the {@code catch} around its spawn. It
 * has no stack trace, so that throwing it is cheap.
 */
public class Inlet extends Throwable {

  private static final long serialVersionUID = 1;

  /** Creates an inlet without message, cause and trace. */
  public Inlet() {}

  /** Does nothing. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
