package ibis.ipl;

import java.lang.System.Logger.Level;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Makes instances of one implementation; to be extended by implementations of the layer.
 *
 * <p>The factory finds starters by {@link java.util.ServiceLoader}, which needs a constructor
 * without arguments, or by the manifests of jars and {@link #createInstance}, which needs one that
 * takes nickname, version of the layer and version of the implementation.
 */
public abstract class IbisStarter {

  private final String nickName;
  private final String iplVersion;
  private final String implementationVersion;

  /**
   * Creates a starter.
   *
   * @param nickName the name in the property {@code ibis.implementation}
   * @param iplVersion the version of the layer that is implemented
   */
  public IbisStarter(String nickName, String iplVersion, String implementationVersion) {
    this.nickName = nickName;
    this.iplVersion = iplVersion;
    this.implementationVersion = implementationVersion;
  }

  /**
   * Creates a starter by the name of its class; {@code null}, and a line in the log, if it fails.
   */
  public static @Nullable IbisStarter createInstance(
      String className,
      ClassLoader loader,
      String nickName,
      String iplVersion,
      String implementationVersion) {
    try {
      return Class.forName(className, true, loader)
          .asSubclass(IbisStarter.class)
          .getConstructor(String.class, String.class, String.class)
          .newInstance(nickName, iplVersion, implementationVersion);
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      System.getLogger(IbisStarter.class.getPackageName())
          .log(Level.DEBUG, "starter '" + className + "' cannot be used", e);
      return null;
    }
  }

  public String getNickName() {
    return nickName;
  }

  public String getIplVersion() {
    return iplVersion;
  }

  public String getImplementationVersion() {
    return implementationVersion;
  }

  /** Returns whether instances can have these capabilities and port types. */
  public abstract boolean matches(IbisCapabilities capabilities, PortType[] portTypes);

  /** Returns those of the capabilities that instances cannot have. */
  public abstract CapabilitySet unmatchedIbisCapabilities(
      IbisCapabilities capabilities, PortType[] portTypes);

  /** Returns those of the port types that instances cannot have. */
  public abstract PortType[] unmatchedPortTypes(
      IbisCapabilities capabilities, PortType[] portTypes);

  /**
   * Creates an instance; returns once it has joined its pool.
   *
   * @param factory creates the instance below, if this implementation stands on another
   * @param handler receives the events of the pool; may be {@code null}
   * @param credentials for the policy of the server; may be {@code null}
   * @param applicationTag for the identifier; may be {@code null}
   * @param subImplementation the rest of the stack below this implementation; may be {@code null}
   * @throws IbisCreationFailedException if the pool cannot be reached
   */
  public abstract Ibis startIbis(
      IbisFactory factory,
      @Nullable RegistryEventHandler handler,
      Properties userProperties,
      IbisCapabilities capabilities,
      @Nullable Credentials credentials,
      byte @Nullable [] applicationTag,
      PortType[] portTypes,
      @Nullable String subImplementation)
      throws IbisCreationFailedException;

  /** Returns the nickname. */
  @Override
  public String toString() {
    return nickName;
  }
}
