package ibis.ipl.registry;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.internal.base.IdentifierFactory;
import java.io.IOException;

/**
 * The registry of one instance; to be extended by registries of the program's own.
 *
 * <p>Such a class is named by the property {@code ibis.registry.implementation} and has a public
 * constructor that takes, in this order, {@code IbisCapabilities}, {@code RegistryEventHandler} (or
 * {@code null}), {@code Properties}, {@code byte[]} (where the instance can be reached, for {@link
 * #newIdentifier}), {@code String} (name and version of the implementation), {@code Credentials}
 * (or {@code null}) and {@code byte[]} (the program's tag, or {@code null}). It has joined the pool
 * when the constructor returns.
 */
public abstract class Registry implements ibis.ipl.Registry {

  /** Called by subclasses. */
  public Registry() {}

  /** Returns the identifier that this instance has got by joining. */
  public abstract IbisIdentifier getIbisIdentifier();

  /** Leaves the pool; called once, when the instance ends. */
  public abstract void leave() throws IOException;

  /**
   * Creates an identifier, for this instance or another one.
   *
   * @param name unique in the pool for ever
   * @param data the argument of the registry constructor of that instance
   * @param location levels separated by {@code @}, the most detailed first
   * @param tag may be {@code null}
   */
  public static IbisIdentifier newIdentifier(
      String poolName, String name, byte[] data, String location, byte[] tag) {
    return IdentifierFactory.make(poolName, name, data, location, tag);
  }
}
