package ibis.ipl;

/** A request of the program does not match its capabilities, port types or properties. */
public class IbisConfigurationException extends IbisRuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
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
