package ibis.ipl.internal.registry;

import ibis.ipl.Credentials;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisCreationFailedException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.IbisProperties;
import ibis.ipl.RegistryEventHandler;
import ibis.ipl.internal.base.IdentifierFactory;
import ibis.ipl.registry.Registry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.troupe.links.port.Port;

/** Creates the registry that the properties name. */
public final class RegistryFactory {

  private static final String CENTRAL = "central";
  private static final String GOSSIP = "gossip";
  private static final String NULL = "null";

  private RegistryFactory() {}

  /** Receives every departure of a member, in order; must not block. */
  public interface Leavers {
    void gone(IbisIdentifier member, boolean died);
  }

  private static String name(Properties properties) {
    String name = properties.getProperty(IbisProperties.REGISTRY_IMPLEMENTATION, CENTRAL).strip();
    return switch (name.toLowerCase(Locale.ROOT)) {
      case CENTRAL,
          "ibis.ipl.registry.central.client.registry",
          "ibis.ipl.impl.registry.central.client.registry" ->
          CENTRAL;
      case GOSSIP, "ibis.ipl.registry.gossip.registry" -> GOSSIP;
      case NULL, "ibis.ipl.registry.nullregistry" -> NULL;
      default -> name;
    };
  }

  /** Returns whether the registry needs no server. */
  public static boolean isServerless(Properties properties) {
    return switch (name(properties)) {
      case CENTRAL, GOSSIP -> false;
      default -> true;
    };
  }

  /** Checks the properties before a port is opened. */
  public static void check(Properties properties, IbisCapabilities capabilities) {
    if (isServerless(properties)) {
      return;
    }
    require(properties, IbisProperties.POOL_NAME, "the pool to join");
    require(properties, IbisProperties.SERVER_ADDRESS, "the server that knows the pool");
    if (capabilities.hasCapability(IbisCapabilities.CLOSED_WORLD)) {
      poolSize(properties);
    }
  }

  private static String require(Properties properties, String name, String what) {
    String value = properties.getProperty(name);
    if (value == null || value.isBlank()) {
      throw new IbisConfigurationException(
          "the property '"
              + name
              + "' is not set: "
              + what
              + "; give it as -D"
              + name
              + "=..., or in a file 'ibis.properties'");
    }
    return value.strip();
  }

  static String poolName(Properties properties) {
    return require(properties, IbisProperties.POOL_NAME, "the pool to join");
  }

  static int poolSize(Properties properties) {
    String text = require(properties, IbisProperties.POOL_SIZE, "a closed world has a size");
    try {
      int size = Integer.parseInt(text);
      if (size > 0) {
        return size;
      }
    } catch (NumberFormatException _) {
      // Reported below, like a number below 1.
    }
    throw new IbisConfigurationException(
        "the property '"
            + IbisProperties.POOL_SIZE
            + "' is '"
            + text
            + "'; a closed world has 1 member or more");
  }

  /** Joins the pool; blocks until this instance is a member. */
  public static Registry join(
      Properties properties,
      IbisCapabilities capabilities,
      @Nullable RegistryEventHandler handler,
      @Nullable Credentials credentials,
      byte @Nullable [] tag,
      String version,
      Port links,
      Leavers leavers)
      throws IOException, IbisCreationFailedException {
    return switch (name(properties)) {
      case NULL -> new NullRegistry(properties, links.address().toString(), tag);
      case CENTRAL ->
          CentralRegistry.join(
              properties, capabilities, handler, credentials, tag, version, links, leavers);
      case GOSSIP -> GossipRegistry.join(properties, capabilities, handler, tag, links, leavers);
      default ->
          byName(
              name(properties),
              capabilities,
              handler,
              properties,
              links,
              version,
              credentials,
              tag);
    };
  }

  private static Registry byName(
      String className,
      IbisCapabilities capabilities,
      @Nullable RegistryEventHandler handler,
      Properties properties,
      Port links,
      String version,
      @Nullable Credentials credentials,
      byte @Nullable [] tag)
      throws IbisCreationFailedException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : RegistryFactory.class.getClassLoader();
    try {
      return Class.forName(className, true, loader)
          .asSubclass(Registry.class)
          .getConstructor(
              IbisCapabilities.class,
              RegistryEventHandler.class,
              Properties.class,
              byte[].class,
              String.class,
              Credentials.class,
              byte[].class)
          .newInstance(
              capabilities,
              handler,
              properties,
              IdentifierFactory.data(links.address()),
              version,
              credentials,
              tag);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IbisConfigurationException refused) {
        throw refused;
      }
      throw new IbisCreationFailedException(
          "the registry '" + className + "' did not start: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw new IbisCreationFailedException(
          "'"
              + className
              + "', named by '"
              + IbisProperties.REGISTRY_IMPLEMENTATION
              + "', is no registry: use central, gossip, null, or a class that extends "
              + Registry.class.getName()
              + " and has its constructor",
          e);
    }
  }
}
