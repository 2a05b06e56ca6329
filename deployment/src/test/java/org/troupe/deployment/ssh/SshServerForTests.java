package org.troupe.deployment.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.forward.PortForwardingEventListener;
import org.apache.sshd.common.io.nio2.Nio2ServiceFactoryFactory;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.keyboard.InteractiveChallenge;
import org.apache.sshd.server.auth.keyboard.KeyboardInteractiveAuthenticator;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.channel.ChannelSessionFactory;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.apache.sshd.server.session.ServerSession;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.SourcePosition;
import org.troupe.testing.Polling;

/**
 * A real ssh server in this JVM with one user, whose commands are run by {@code /bin/sh} in a
 * folder of its own, as sshd does.
 */
public final class SshServerForTests implements AutoCloseable {

  /*
   * Of all servers, and never shut down. The thread that waits for the end of a command closes the command's channel,
   * possibly after the server has stopped. MINA then needs a scheduler still, and a server's own one is gone.
   */
  private static final ScheduledExecutorService SCHEDULER =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  final Path folder;
  public final Path home;
  public final Path identity;
  public final Path knownHosts;
  private final SshServer server = SshServer.setUpDefaultServer();
  private final KeyPair hostKey = key("ssh-ed25519");
  private final Set<Integer> tunnelPorts = ConcurrentHashMap.newKeySet();

  public SshServerForTests(Path folder) throws IOException, GeneralSecurityException {
    this.folder = folder;
    home = Files.createDirectories(folder.resolve("home"));
    identity = folder.resolve("id_ed25519");
    knownHosts = folder.resolve("known_hosts");
    var user = key("ssh-ed25519");
    write(user, identity);
    server.setHost("127.0.0.1");
    server.setIoServiceFactoryFactory(new Nio2ServiceFactoryFactory(SshThreads::new));
    server.setScheduledExecutorService(SCHEDULER, false);
    server.setKeyPairProvider(KeyPairProvider.wrap(key("ecdsa-sha2-nistp256"), hostKey));
    server.setPublickeyAuthenticator(
        (name, key, session) -> KeyUtils.compareKeys(key, user.getPublic()));
    server.setCommandFactory((channel, line) -> new Shell(line));
    server.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
    server.addPortForwardingEventListener(
        new PortForwardingEventListener() {
          @Override
          public void establishedExplicitTunnel(
              Session session,
              SshdSocketAddress local,
              SshdSocketAddress remote,
              boolean localForwarding,
              SshdSocketAddress bound,
              Throwable failure) {
            if (bound != null) {
              tunnelPorts.add(bound.getPort());
            }
          }
        });
    server.start();
    Files.writeString(knownHosts, knownHost());
    writeConfig("");
  }

  public static KeyPair key(String kind) throws GeneralSecurityException {
    return kind.equals("ssh-ed25519")
        ? KeyPairGenerator.getInstance("Ed25519").generateKeyPair()
        : KeyUtils.generateKeyPair(kind, 256);
  }

  public static String publicKey(KeyPair key) {
    return PublicKeyEntry.toString(key.getPublic());
  }

  public static void write(KeyPair key, Path file) throws IOException, GeneralSecurityException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (var out = Files.newOutputStream(file)) {
      OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(key, "test", null, out);
    }
  }

  public int port() {
    return server.getPort();
  }

  /** The addresses of tunnels to its clients, past ones included. */
  public Set<Integer> tunnelPorts() {
    return tunnelPorts;
  }

  public String knownHost() {
    return "[127.0.0.1]:" + port() + " " + PublicKeyEntry.toString(hostKey.getPublic()) + "\n";
  }

  /** Writes the file that replaces the user's ~/.ssh/config. */
  public SshConfig config(String more) throws IOException {
    return SshConfig.read(writeConfig(more));
  }

  public Path writeConfig(String more) throws IOException {
    return Files.writeString(
        folder.resolve("config"),
        """
        %s
        Host *
          User tester
          IdentityFile %s
          IdentitiesOnly yes
          UserKnownHostsFile %s
          GlobalKnownHostsFile none
          ConnectTimeout 10
        """
            .formatted(more, identity, knownHosts));
  }

  public Login login() {
    return login("127.0.0.1", List.of());
  }

  Login login(String host, List<Login> via) {
    return new Login(
        host,
        host,
        OptionalInt.of(port()),
        Optional.empty(),
        Optional.empty(),
        HostKeys.STRICT,
        via,
        new SourcePosition("grid.xml", 1, 1));
  }

  /**
   * Demands a code after the key, as a second factor.
   *
   * @return the number of codes that have been received
   */
  AtomicInteger demandCode(String code) {
    var received = new AtomicInteger();
    server.setKeyboardInteractiveAuthenticator(
        new KeyboardInteractiveAuthenticator() {
          @Override
          public InteractiveChallenge generateChallenge(
              ServerSession session, String user, String language, String methods) {
            var challenge = new InteractiveChallenge();
            challenge.setInteractionName("");
            challenge.setInteractionInstruction("");
            challenge.setLanguageTag("");
            challenge.addPrompt("Verification code: ", false);
            return challenge;
          }

          @Override
          public boolean authenticate(ServerSession session, String user, List<String> answers) {
            received.incrementAndGet();
            return answers.equals(List.of(code));
          }
        });
    CoreModuleProperties.AUTH_METHODS.set(server, "publickey,keyboard-interactive");
    return received;
  }

  /** Limits the commands of a connection, as MaxSessions does. */
  void admitCommands(int most) {
    var opened = new ConcurrentHashMap<Session, Integer>();
    server.setChannelFactories(
        List.of(
            new ChannelSessionFactory() {
              @Override
              public @Nullable Channel createChannel(Session session) throws IOException {
                return opened.merge(session, 1, Integer::sum) > most
                    ? null // refused
                    : super.createChannel(session);
              }
            }));
  }

  /** Breaks all connections, as a network failure does. */
  public void breakConnections() {
    server.getActiveSessions().forEach(session -> session.close(true));
  }

  public int connections() {
    return server.getActiveSessions().size();
  }

  /** Waits until the server has noticed that its clients have closed all connections. */
  public void awaitNoConnections() throws Exception {
    Polling.until("no connection is left", () -> connections() == 0);
  }

  @Override
  public void close() throws IOException {
    server.stop(true);
  }

  /**
   * Runs a line as sshd does: by a shell, in the home directory; reports the signal that ended it.
   */
  private final class Shell implements Command {

    private final String line;
    private InputStream in;
    private OutputStream out;
    private OutputStream err;
    private Process process;

    Shell(String line) {
      this.line = line;
    }

    @Override
    public void setInputStream(InputStream stream) {
      in = stream;
    }

    @Override
    public void setOutputStream(OutputStream stream) {
      out = stream;
    }

    @Override
    public void setErrorStream(OutputStream stream) {
      err = stream;
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
      // This class reports the end by itself.
    }

    @Override
    public void start(ChannelSession channel, Environment environment) throws IOException {
      var builder = new ProcessBuilder("/bin/sh", "-c", line).directory(home.toFile());
      builder.environment().put("HOME", home.toString());
      process = builder.start();
      pump(in, process.getOutputStream(), true);
      var printed = pump(process.getInputStream(), out, false);
      var complained = pump(process.getErrorStream(), err, false);
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  var status = process.waitFor();
                  printed.join(TimeUnit.SECONDS.toMillis(5));
                  complained.join(TimeUnit.SECONDS.toMillis(5));
                  end(channel, status);
                } catch (InterruptedException | IOException e) {
                  channel.close(true);
                }
              });
    }

    /** Reports the end before that of the output, as sshd does. */
    private void end(ChannelSession channel, int status) throws IOException {
      var session = channel.getSession();
      var buffer = session.createBuffer(SshConstants.SSH_MSG_CHANNEL_REQUEST);
      buffer.putUInt(channel.getRecipient());
      // Java reports a signal and an exit code above 128 alike; a supervising shell ends with such
      // a code.
      if (status <= 128 || line.contains("; exit $?")) {
        buffer.putString("exit-status");
        buffer.putBoolean(false);
        buffer.putUInt(status);
      } else {
        buffer.putString("exit-signal");
        buffer.putBoolean(false);
        buffer.putString(status == 137 ? "KILL" : "TERM");
        buffer.putBoolean(false);
        buffer.putString("");
        buffer.putString("");
      }
      session.writePacket(buffer);
      channel.close(false);
    }

    /**
     * Copies a stream. The end of the output is reported with the exit code, since a client that
     * sees it earlier may close the channel, and this server would then not send the code.
     */
    private static Thread pump(InputStream from, OutputStream to, boolean closes) {
      return Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try (from) {
                  var bytes = new byte[8192];
                  for (int n; (n = from.read(bytes)) >= 0; to.flush()) {
                    to.write(bytes, 0, n);
                  }
                  if (closes) {
                    to.close();
                  }
                } catch (IOException e) {
                  // The other end is closed.
                }
              });
    }

    @Override
    public void destroy(ChannelSession channel) {
      // Like sshd: the command lives on, with its input ended.
    }
  }

  static {
    MinaSetup.apply();
  }
}
