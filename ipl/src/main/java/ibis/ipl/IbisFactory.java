package ibis.ipl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Creates instances by an implementation that has the capabilities that the program requires. */
public final class IbisFactory {

  /** A properties file on the class path that describes the release. */
  public static final String IPL_MANIFEST_FILE = "ibis/ipl/IPL_MANIFEST";

  /** The implementation selected if several fit and the user has named none. */
  public static final String DEFAULT_IMPLEMENTATION = "troupe";

  private final ImplementationFinder implementations;
  private final boolean verbose;

  private IbisFactory(Properties properties) {
    implementations =
        ImplementationFinder.on(properties.getProperty(IbisProperties.IMPLEMENTATION_PATH));
    verbose = isTrue(properties.getProperty(IbisProperties.VERBOSE));
  }

  private static boolean isTrue(String value) {
    return value != null
        && switch (value.strip().toLowerCase(Locale.ROOT)) {
          case "1", "on", "true", "yes", "" -> true;
          default -> false;
        };
  }

  /** Returns an entry of the release's description, or {@code null}. */
  public static @Nullable String getManifestProperty(String name) {
    try {
      return CapabilitySet.properties(IPL_MANIFEST_FILE).getProperty(name);
    } catch (IOException _) {
      return null; // packaged without the file
    }
  }

  /**
   * Creates an instance with the default properties; returns once it has joined its pool.
   *
   * @param registryEventHandler receives the events of the pool; may be {@code null}
   * @param portTypes the types of all ports that the instance will create
   * @throws IbisCreationFailedException if no implementation fits, or the pool cannot be reached
   * @throws IbisConfigurationException if capabilities, port types and properties contradict each
   *     other, or the pool refuses this instance
   */
  public static Ibis createIbis(
      IbisCapabilities requiredCapabilities,
      @Nullable RegistryEventHandler registryEventHandler,
      PortType... portTypes)
      throws IbisCreationFailedException {
    return createIbis(
        requiredCapabilities, null, true, registryEventHandler, null, (byte[]) null, portTypes);
  }

  /**
   * Creates an instance with the given properties.
   *
   * @param properties may be {@code null}
   * @param addDefaultConfigProperties whether the default properties apply to keys that are absent
   */
  public static Ibis createIbis(
      IbisCapabilities requiredCapabilities,
      @Nullable Properties properties,
      boolean addDefaultConfigProperties,
      @Nullable RegistryEventHandler registryEventHandler,
      PortType... portTypes)
      throws IbisCreationFailedException {
    return createIbis(
        requiredCapabilities,
        properties,
        addDefaultConfigProperties,
        registryEventHandler,
        null,
        (byte[]) null,
        portTypes);
  }

  /**
   * Creates an instance with credentials for the policy of the server.
   *
   * @param credentials may be {@code null}
   */
  public static Ibis createIbis(
      IbisCapabilities requiredCapabilities,
      @Nullable Properties properties,
      boolean addDefaultConfigProperties,
      @Nullable RegistryEventHandler registryEventHandler,
      @Nullable Credentials credentials,
      PortType... portTypes)
      throws IbisCreationFailedException {
    return createIbis(
        requiredCapabilities,
        properties,
        addDefaultConfigProperties,
        registryEventHandler,
        credentials,
        (byte[]) null,
        portTypes);
  }

  /**
   * Creates an instance whose identifier carries a text as its tag.
   *
   * @param applicationTag encoded in UTF-8; may be {@code null}
   */
  public static Ibis createIbis(
      IbisCapabilities requiredCapabilities,
      @Nullable Properties properties,
      boolean addDefaultConfigProperties,
      @Nullable RegistryEventHandler registryEventHandler,
      @Nullable Credentials credentials,
      @Nullable String applicationTag,
      PortType... portTypes)
      throws IbisCreationFailedException {
    return createIbis(
        requiredCapabilities,
        properties,
        addDefaultConfigProperties,
        registryEventHandler,
        credentials,
        applicationTag == null ? null : applicationTag.getBytes(UTF_8),
        portTypes);
  }

  /**
   * Creates an instance whose identifier carries bytes as its tag.
   *
   * @param applicationTag copied; may be {@code null}
   */
  public static Ibis createIbis(
      IbisCapabilities requiredCapabilities,
      @Nullable Properties properties,
      boolean addDefaultConfigProperties,
      @Nullable RegistryEventHandler registryEventHandler,
      @Nullable Credentials credentials,
      byte @Nullable [] applicationTag,
      PortType... portTypes)
      throws IbisCreationFailedException {
    Properties all =
        addDefaultConfigProperties
            ? IbisProperties.getDefaultProperties()
            : IbisProperties.getHardcodedProperties();
    if (properties != null) {
      // not putAll, which would miss the defaults of the properties
      for (String name : properties.stringPropertyNames()) {
        all.setProperty(name, properties.getProperty(name));
      }
    }
    return new IbisFactory(all)
        .createIbis(
            registryEventHandler,
            requiredCapabilities,
            all,
            credentials,
            applicationTag,
            portTypes,
            all.getProperty(IbisProperties.IMPLEMENTATION));
  }

  /**
   * Creates an instance; for implementations that stand on another one.
   *
   * @param properties used without defaults
   * @param specifiedImplementation nickname, or a stack of them with commas or semicolons between;
   *     {@code null} lets the factory choose
   */
  public Ibis createIbis(
      @Nullable RegistryEventHandler registryEventHandler,
      IbisCapabilities requiredCapabilities,
      Properties properties,
      @Nullable Credentials credentials,
      byte @Nullable [] applicationTag,
      PortType[] portTypes,
      String specifiedImplementation)
      throws IbisCreationFailedException {
    check(requiredCapabilities, portTypes, registryEventHandler);
    ImplementationFinder.Choice choice =
        implementations.choose(specifiedImplementation, requiredCapabilities, portTypes);
    if (verbose) {
      System.err.println(implementations.explain(choice));
    }
    return choice
        .starter()
        .startIbis(
            this,
            registryEventHandler,
            properties,
            requiredCapabilities,
            credentials,
            applicationTag == null ? null : applicationTag.clone(),
            portTypes.clone(),
            choice.below());
  }

  private static void check(
      IbisCapabilities capabilities, PortType[] portTypes, @Nullable RegistryEventHandler handler) {
    if (capabilities == null) {
      throw new IbisConfigurationException(
          "no capabilities are given; an empty IbisCapabilities asks for none");
    }
    if (portTypes == null || Arrays.asList(portTypes).contains(null)) {
      throw new IbisConfigurationException(
          "no port types are given, or one of them is null; an instance without ports takes an"
              + " empty list");
    }
    for (PortType type : portTypes) {
      check(type);
    }
    if (handler != null
        && !capabilities.hasCapability(IbisCapabilities.MEMBERSHIP_UNRELIABLE)
        && !capabilities.hasCapability(IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED)) {
      throw new IbisConfigurationException(
          "a handler of registry events is given without a membership capability; add '"
              + IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED
              + "' or '"
              + IbisCapabilities.MEMBERSHIP_UNRELIABLE
              + "', or give no handler");
    }
  }

  private static void check(PortType type) {
    String[] cardinalities =
        Arrays.stream(type.getCapabilities())
            .filter(
                word ->
                    switch (word) {
                      case PortType.CONNECTION_ONE_TO_ONE,
                          PortType.CONNECTION_ONE_TO_MANY,
                          PortType.CONNECTION_MANY_TO_ONE,
                          PortType.CONNECTION_MANY_TO_MANY ->
                          true;
                      default -> false;
                    })
            .toArray(String[]::new);
    if (cardinalities.length != 1) {
      throw new IbisConfigurationException(
          "port type '"
              + type
              + "' says "
              + (cardinalities.length == 0 ? "nothing" : String.join(" and ", cardinalities))
              + " about how many connections there are; give exactly one of the four"
              + " connection.XtoY capabilities");
    }
    if (type.getCapabilitiesWithPrefix("serialization").size() == 0) {
      throw new IbisConfigurationException(
          "port type '"
              + type
              + "' says nothing about what messages hold; give one of the serialization"
              + " capabilities, such as '"
              + PortType.SERIALIZATION_OBJECT
              + "'");
    }
  }
}
