package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.EarlierBuild;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.NetworkNamespaces;

/** Starts contenders that consist of several JVMs, all with equal pinning and options. */
public record ContenderSides(CorePinning pinning, MeasurementEffort effort) {

  /** The load of a mebibyte of doubles. */
  public static final String MEBI_OF_DOUBLES = CalleeLoads.DOUBLES + (1 << 20) / Double.BYTES;

  /** The load of a mebibyte of doubles that is received in a new array; only for bare links. */
  public static final String FRESH_MEBI_OF_DOUBLES =
      LinkClient.FRESH_DOUBLES + (1 << 20) / Double.BYTES;

  /** The reason why {@link BareDriver#SHM} is not available. */
  public static final String NO_FUTEX =
      "shared memory needs the futex of Linux on x86-64 or AArch64";

  private static final List<String> OPTIONS =
      Stream.concat(Stream.of("-Xmx512m", "-XX:+UseSerialGC"), JvmCommand.TROUPE_OPTIONS.stream())
          .toList();

  /** The measured operations of programs that neither move nor keep objects. */
  public enum UnusedFeatures {
    NULL_CALL("off-null-call", "us", TroupeClient.class, CalleeLoads.CALL),
    ONE_WAY("off-one-way", "us", TroupeClient.class, CalleeLoads.ONE_WAY),
    CALL_AND_WAIT("off-call-and-wait", "us", LocalCalls.class, ""),
    IDLE_HEAP("off-idle-heap", "MiB", IdleMillion.class, ""),
    BROADCAST("off-broadcast-8", "us", GroupClient.class, GroupClient.ONE_WAY + 8);

    private final String row;
    private final String unit;
    private final Class<?> main;
    private final String load;

    UnusedFeatures(String row, String unit, Class<?> main, String load) {
      this.row = row;
      this.unit = unit;
      this.main = main;
      this.load = load;
    }

    public String row() {
      return row;
    }

    public String unit() {
      return unit;
    }

    public String load() {
      return load;
    }

    /** Starts a JVM of this build. */
    public ContenderProcess start(CorePinning pinning, MeasurementEffort effort)
        throws IOException {
      return ContenderProcess.start(main, pinning, options(), arguments(effort));
    }

    /** Starts a JVM of an earlier build. */
    public ContenderProcess start(
        CorePinning pinning, MeasurementEffort effort, EarlierBuild earlier) throws IOException {
      return earlier.start(main, pinning, options(), arguments(effort));
    }

    private List<String> options() {
      if (this == IDLE_HEAP) {
        return List.of("-Xms2g", "-Xmx2g", "-XX:+UseSerialGC");
      }
      var options = new ArrayList<>(OPTIONS);
      options.add(property(TroupeServer.TRANSPORT, "ibis"));
      return options;
    }

    private Object[] arguments(MeasurementEffort effort) {
      return switch (this) {
        case NULL_CALL, ONE_WAY -> new Object[] {effort.roundMillis()};
        case CALL_AND_WAIT ->
            new Object[] {
              LocalCalls.Call.WAIT, LocalCalls.Side.ACTIVE_OBJECT, effort.roundMillis()
            };
        case IDLE_HEAP -> new Object[] {IdleMillion.Quantity.HEAP, IdleMillion.Item.ACTIVE_OBJECTS};
        case BROADCAST -> new Object[] {effort.roundMillis(), 1};
      };
    }
  }

  /** Starts a caller of an active object on another node, over the default driver. */
  public ContenderProcess troupe(String transport) throws IOException {
    return start(TroupeClient.class, List.of(property(TroupeServer.TRANSPORT, transport)));
  }

  /** Starts a caller of an active object on another node, with a mode of collection. */
  public ContenderProcess collecting(String mode) throws IOException {
    return start(
        TroupeClient.class,
        List.of(property(TroupeServer.TRANSPORT, "ibis"), property("troupe.collect", mode)));
  }

  /** Starts a caller of an active object on another node that is kept in some way. */
  public ContenderProcess kept(KeptClient.Mode mode) throws IOException {
    return start(KeptClient.class, List.of(property(TroupeServer.TRANSPORT, "ibis")), mode);
  }

  /** Starts a caller of a group whose members, on two other nodes, have checkpoints. */
  public ContenderProcess checkpoints() throws IOException {
    return start(
        CheckpointClient.class,
        List.of(
            property(TroupeServer.TRANSPORT, "ibis"),
            "-Xmx2g")); // a node has states, and two generations of two images
  }

  /** Starts a JVM that moves objects between two others, and calls them. */
  public ContenderProcess moving() throws IOException {
    return start(MovingClient.class, List.of(property(TroupeServer.TRANSPORT, "ibis")));
  }

  /** Starts a caller of an active object on another node that sleeps between calls. */
  public ContenderProcess sleeping() throws IOException {
    return start(SleepingClient.class, List.of(property(TroupeServer.TRANSPORT, "ibis")));
  }

  /** Starts many callers of an active object on another node whose log is synced. */
  public ContenderProcess syncedCallers() throws IOException {
    return start(SyncedCallers.class, List.of(property(TroupeServer.TRANSPORT, "ibis")));
  }

  /** Starts a JVM with kept objects. */
  public ContenderProcess keptHere() throws IOException {
    return start(KeptHere.class, List.of());
  }

  /** Starts a program that deploys nodes, and ends the process of one with kept objects. */
  public ContenderProcess restarts() throws IOException {
    return start(RestartedObjects.class, List.of());
  }

  /** Starts a JVM that sends events to objects of itself, which keep them in files. */
  public static ContenderProcess persisting(
      PersistedEvents.Side side, int objects, boolean isSynced, MeasurementEffort effort)
      throws IOException {
    var options = new ArrayList<>(OPTIONS);
    // Pekko calls sun.misc.Unsafe, of which the JVM would print warnings.
    options.add("--sun-misc-unsafe-memory-access=allow");
    return ContenderProcess.start(
        PersistedEvents.class,
        CorePinning.NONE,
        options,
        side,
        objects,
        isSynced,
        effort.roundMillis());
  }

  /** Starts a JVM that drops references to objects of another one. */
  public static ContenderProcess dropping(RemoteGarbage.Quantity quantity) throws IOException {
    var options = new ArrayList<>(OPTIONS);
    options.add(property(TroupeServer.TRANSPORT, "ibis"));
    return ContenderProcess.start(RemoteGarbage.class, CorePinning.NONE, options, quantity);
  }

  /** Starts a JVM that drops a ring of objects over itself and another one. */
  public static ContenderProcess droppingRing() throws IOException {
    var options = new ArrayList<>(OPTIONS);
    options.add(property(TroupeServer.TRANSPORT, "ibis"));
    options.add(property("troupe.collect", "cycles"));
    options.add(property("troupe.collect.idle", RemoteRing.IDLE.toString()));
    return ContenderProcess.start(RemoteRing.class, CorePinning.NONE, options);
  }

  /**
   * Starts a caller of an active object on another node, over the transport {@code ibis} by one
   * driver.
   */
  public ContenderProcess ibis(BareDriver driver) throws IOException {
    return start(
        TroupeClient.class,
        List.of(
            property(TroupeServer.TRANSPORT, "ibis"), property("troupe.links", driver.label())));
  }

  /**
   * Starts a caller of groups whose members are in a number of other JVMs, over the default driver.
   */
  public ContenderProcess groups(int jvms) throws IOException {
    return groups(jvms, "ibis");
  }

  /** Starts a caller of groups whose members are in a number of other JVMs, over one transport. */
  public ContenderProcess groups(int jvms, String transport) throws IOException {
    return start(GroupClient.class, List.of(property(TroupeServer.TRANSPORT, transport)), jvms);
  }

  /** Starts a caller of groups whose members are in a number of other JVMs, over one driver. */
  public ContenderProcess groups(int jvms, BareDriver driver) throws IOException {
    return start(
        GroupClient.class,
        List.of(property(TroupeServer.TRANSPORT, "ibis"), property("troupe.links", driver.label())),
        jvms);
  }

  /** Starts a JVM that lets ranks in a number of other JVMs pass messages. */
  public ContenderProcess ranks(int jvms) throws IOException {
    return start(RankClient.class, List.of(property(TroupeServer.TRANSPORT, "ibis")), jvms);
  }

  /** Starts a JVM that replicates an object to a number of other JVMs. */
  public ContenderProcess replicas(int jvms) throws IOException {
    return start(ReplicaClient.class, List.of(property(TroupeServer.TRANSPORT, "ibis")), jvms);
  }

  /** Starts a JVM that lets ranks in a number of other JVMs pass messages over one driver. */
  public ContenderProcess ranks(int jvms, BareDriver driver) throws IOException {
    return start(
        RankClient.class,
        List.of(property(TroupeServer.TRANSPORT, "ibis"), property("troupe.links", driver.label())),
        jvms);
  }

  /**
   * Starts a caller of groups whose members are in JVMs on simulated hosts, between which they
   * communicate over tcp.
   *
   * @param jvms the number of JVMs on each host
   */
  public ContenderProcess groups(NetworkNamespaces network, int jvms) throws IOException {
    var command = new ArrayList<>(network.hosts().getFirst().prefix());
    command.addAll(pinning.prefix());
    List<Object> arguments = new ArrayList<>();
    arguments.add(effort.roundMillis());
    arguments.add(network.hosts().size() * jvms);
    network.hosts().forEach(each -> arguments.addAll(Collections.nCopies(jvms, each)));
    command.addAll(
        JvmCommand.command(GroupClient.class.getName(), groupOptions(), arguments.toArray()));
    return ContenderProcess.start(GroupClient.class.getSimpleName(), command);
  }

  private static List<String> groupOptions() {
    var options = new ArrayList<>(OPTIONS);
    options.add(property(TroupeServer.TRANSPORT, "ibis"));
    options.add(property("troupe.links", BareDriver.SHM.label() + "," + BareDriver.TCP.label()));
    return options;
  }

  /** Starts a caller of an object exported by the JDK's RMI. */
  public ContenderProcess bareRmi() throws IOException {
    return start(BareRmiClient.class, List.of());
  }

  /** Starts the two ends of a bare link. */
  public ContenderProcess bareLink(BareDriver driver) throws IOException {
    return start(LinkClient.class, List.of(), driver);
  }

  /** Starts the two ends of a link of the module {@code links}, over the default driver. */
  public ContenderProcess link() throws IOException {
    return start(LinkClient.class, List.of(), PortLink.NAME);
  }

  /** Starts a JVM that only encodes and decodes. */
  public ContenderProcess copies() throws IOException {
    return start(ArgumentCopies.class, List.of());
  }

  /** Converts the microseconds of {@link #MEBI_OF_DOUBLES} to MB/s. */
  public static double mebiRate(double micros) {
    return (1 << 20) / micros;
  }

  private static String property(String name, String value) {
    return "-D" + name + "=" + value;
  }

  private ContenderProcess start(Class<?> client, List<String> options, Object... arguments)
      throws IOException {
    var all = new ArrayList<>(OPTIONS);
    all.addAll(options);
    var rest = new ArrayList<Object>();
    rest.add(effort.roundMillis());
    rest.addAll(List.of(arguments));
    return ContenderProcess.start(client, pinning, all, rest.toArray());
  }
}
