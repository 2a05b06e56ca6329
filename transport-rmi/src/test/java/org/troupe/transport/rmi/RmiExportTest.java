package org.troupe.transport.rmi;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.testing.LogRecords;

@Timeout(60)
class RmiExportTest {

  /** An object that uses nothing of RMI but the remote interface. */
  public static class Bank implements Accounts {
    private final java.util.SortedMap<String, Long> accounts = new java.util.TreeMap<>();

    @Override
    public void deposit(String owner, long cents) {
      if (cents <= 0) {
        throw new IllegalArgumentException("a deposit of " + cents + " is none");
      }
      accounts.merge(owner, cents, Long::sum);
    }

    @Override
    public long balance(String owner) {
      return accounts.get(owner);
    }

    @Override
    public List<String> owners() {
      return List.copyOf(accounts.keySet());
    }

    @Override
    public int count(Object anything) {
      return anything instanceof List<?> list ? list.size() : 1;
    }
  }

  /** A class without a remote interface. */
  public static class Private {}

  /** A remote interface with a type that RMI cannot transfer. */
  public interface Unsuitable extends Remote {
    int count();
  }

  /** The implementation of that interface. */
  public static class UnsuitableCounter implements Unsuitable {
    @Override
    public int count() {
      return 0;
    }
  }

  private Bank bank;

  @BeforeEach
  void create(LogRecords records) {
    records.allow(WARNING, "RmiExportTest$Bank", "without secret or encryption");
    bank = ActiveObjects.here().create(Bank.class);
  }

  private static Accounts lookup(RmiExport export) throws IOException, NotBoundException {
    return (Accounts)
        LocateRegistry.getRegistry("127.0.0.1", export.registryPort()).lookup("accounts");
  }

  @Test
  void warnsThatEveryoneMayCall(LogRecords records) throws Exception {
    try (var export = RmiExport.open(bank, "accounts", RmiExport.Options.LOOPBACK)) {
      records.expect(
          WARNING,
          "127.0.0.1",
          "'accounts' in the registry at port " + export.registryPort(),
          "without secret or encryption");
    }
  }

  @Test
  void callsAreServedAndTheirResultsAwaited() throws Exception {
    try (var export = RmiExport.open(bank, "accounts", RmiExport.Options.LOOPBACK)) {
      var accounts = lookup(export);
      accounts.deposit("ada", 5);
      bank.deposit("bob", 7);

      assertThat(accounts.balance("ada")).isEqualTo(5);
      assertThat(accounts.owners()).containsExactly("ada", "bob");
      assertThatThrownBy(() -> accounts.deposit("ada", -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a deposit of -1 is none");
    }
  }

  @Test
  void letsInValuesOnly() throws Exception {
    try (var export = RmiExport.open(bank, "accounts", RmiExport.Options.LOOPBACK)) {
      var accounts = lookup(export);

      assertThat(accounts.count(List.of(1, "two", 3.0))).isEqualTo(3);
      assertThatThrownBy(() -> accounts.count(new java.util.PriorityQueue<>(List.of(1))))
          .isInstanceOf(RemoteException.class)
          .hasStackTraceContaining("REJECTED");
      assertThatThrownBy(
              () -> accounts.count((java.util.function.Supplier<Integer> & Serializable) () -> 1))
          .isInstanceOf(RemoteException.class);
    }
  }

  @Test
  void endsWhenClosed() throws Exception {
    var export = RmiExport.open(bank, "accounts", RmiExport.Options.LOOPBACK);
    var accounts = lookup(export);

    export.close();
    export.close();

    assertThatThrownBy(() -> accounts.balance("ada")).isInstanceOf(RemoteException.class);
    assertThatThrownBy(() -> lookup(export)).isInstanceOf(RemoteException.class);
  }

  @Test
  void sharesARegistryButNoName() throws Exception {
    try (var first = RmiExport.open(bank, "accounts", RmiExport.Options.LOOPBACK)) {
      var there =
          new RmiExport.Options(
              RmiExport.Options.LOOPBACK.address(), 0, first.registryPort(), false);

      try (var second = RmiExport.open(bank, "more", there)) {
        assertThat(second.registryPort()).isEqualTo(first.registryPort());
      }
      assertThatThrownBy(() -> RmiExport.open(bank, "accounts", there))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("'accounts' already");
      assertThat(lookup(first).owners()).isEmpty();
    }
  }

  @Test
  void saysWhyAClassCannotBeExported() {
    var unsuitable = ActiveObjects.here().create(UnsuitableCounter.class);
    var secluded = ActiveObjects.here().create(Private.class);

    assertThatThrownBy(() -> RmiExport.open(unsuitable, "x", RmiExport.Options.LOOPBACK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("method 'count'")
        .hasMessageContaining("RemoteException");
    assertThatThrownBy(() -> RmiExport.open(secluded, "x", RmiExport.Options.LOOPBACK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.rmi.Remote");
  }

  private static final String CLIENT =
      """
      import java.rmi.registry.LocateRegistry;
      import org.troupe.transport.rmi.Accounts;

      public class Client {
        public static void main(String[] arguments) throws Exception {
          var registry = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(arguments[0]));
          var accounts = (Accounts) registry.lookup("accounts");
          accounts.deposit("eve", 42);
          System.out.println(accounts.owners() + " " + accounts.balance("eve"));
        }
      }
      """;

  @Test
  void aForeignProgramNeedsTheInterfaceOnly(@TempDir Path folder) throws Exception {
    var source = Files.writeString(folder.resolve("Client.java"), CLIENT);
    var itself =
        Path.of(RmiExportTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                itself.toString(),
                "-d",
                folder.toString(),
                source.toString());
    assertThat(compiled).isZero();
    var itsInterface = Path.of("org/troupe/transport/rmi/Accounts.class");
    Files.createDirectories(folder.resolve(itsInterface).getParent());
    Files.copy(itself.resolve(itsInterface), folder.resolve(itsInterface));

    try (var export = RmiExport.open(bank, "accounts", RmiExport.Options.LOOPBACK)) {
      var client =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  folder.toString(),
                  "Client",
                  String.valueOf(export.registryPort()))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("out").toFile())
              .start();
      assertThat(client.waitFor(50, TimeUnit.SECONDS)).isTrue();

      assertThat(folder.resolve("out")).hasContent("[eve] 42");
      assertThat(bank.balance("eve")).isEqualTo(42);
    }
  }
}
