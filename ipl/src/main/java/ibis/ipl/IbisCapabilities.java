package ibis.ipl;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The capabilities that a program requires of the pool and its registry. Immutable. */
public final class IbisCapabilities extends CapabilitySet {

  /** The pool has a fixed size, the property {@code ibis.pool.size}, and closes when complete. */
  public static final String CLOSED_WORLD = "closed.world";

  /** Instances may join and leave during the run. */
  public static final String MALLEABLE = "malleable";

  /** Members receive joins, departures and failures; events may be lost or reordered. */
  public static final String MEMBERSHIP_UNRELIABLE = "membership.unreliable";

  /** Members receive joins, departures and failures, all in the same order. */
  public static final String MEMBERSHIP_TOTALLY_ORDERED = "membership.totally.ordered";

  /** Elections may, for a while, have several winners. */
  public static final String ELECTIONS_UNRELIABLE = "elections.unreliable";

  /** Elections have one winner, on which all members agree. */
  public static final String ELECTIONS_STRICT = "elections.strict";

  /** Members can send each other signals through the registry. */
  public static final String SIGNALS = "signals";

  /** A member can terminate the pool. */
  public static final String TERMINATION = "termination";

  public IbisCapabilities(String... capabilities) {
    super(capabilities);
  }

  /** Creates a set of the keys whose value is 1, on, true, yes or empty. */
  protected IbisCapabilities(Properties properties) {
    super(properties);
  }

  /** Creates a copy of any set. */
  protected IbisCapabilities(CapabilitySet capabilities) {
    super(capabilities);
  }

  /** Reads a set from a properties file on the class path. */
  public static IbisCapabilities load(String resource) throws IOException {
    return new IbisCapabilities(properties(resource));
  }

  /** Reads a set from a properties file. */
  public static IbisCapabilities load(InputStream in) throws IOException {
    return new IbisCapabilities(properties(in));
  }
}
