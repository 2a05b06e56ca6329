package ibis.ipl;

/** What the program asks for does not fit its capabilities, port types or properties. */
public class IbisConfigurationException extends IbisRuntimeException {

  private static final long serialVersionUID = 1L;

  /** Makes one without a message. */
  public IbisConfigurationException() {}

  public IbisConfigurationException(String message) {
    super(message);
  }

  public IbisConfigurationException(Throwable cause) {
    super(cause);
  }

  public IbisConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
