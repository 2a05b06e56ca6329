package org.troupe.deployment.ssh;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.SshAgentFactory;
import org.apache.sshd.agent.SshAgentServer;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.pubkey.PublicKeyAuthenticationReporter;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.FactoryManager;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.io.nio2.Nio2ServiceFactoryFactory;
import org.apache.sshd.common.kex.KexProposalOption;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.session.ConnectionService;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;

/**
 * Logs in to machines over ssh: finds the user's keys, checks the hosts' keys, explains failures.
 * Thread-safe.
 */
public final class SshConnector implements Closeable {

  static {
    MinaSetup.apply();
  }

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** More simultaneous logins than these only wait for each other, and look like an attack. */
  public static final int LOGINS_AT_ONCE = 32;

  /** The interval of heartbeats; a connection that is silent for three of them is broken. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private static final int SILENT_HEARTBEATS = 3;

  private static final AttributeKey<Attempt> ATTEMPT = new AttributeKey<>();

  /** A login, from its start to the end of its connection. */
  private static final class Attempt {
    private final SshHost host;
    private final AtomicReference<String> refusal = new AtomicReference<>(); // of the host's key
    private final AtomicReference<String> end = new AtomicReference<>(); // of the connection
    private volatile boolean isKeyAccepted; // but does not suffice
    private volatile List<String> methods = List.of(); // with which the server lets a user go on

    Attempt(SshHost host) {
      this.host = host;
    }

    static Attempt of(Session session) {
      return ((ClientSession) session).getConnectionContext().getAttribute(ATTEMPT);
    }
  }

  private final SshClient client = SshClient.setUpDefaultClient();
  private final Semaphore logins;
  private final SshKeys keys;

  /**
   * @param atOnce the number of simultaneous logins
   */
  public SshConnector(SshKeys keys, int atOnce) {
    this.keys = keys;
    logins = new Semaphore(atOnce);
    client.setIoServiceFactoryFactory(new Nio2ServiceFactoryFactory(SshThreads::new));
    client.setScheduledExecutorService(
        Executors.newSingleThreadScheduledExecutor(SshThreads.daemons("troupe-ssh-timer")), true);
    client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
    client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
    client.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
    client.setAgentFactory(new Agents());
    client.setServerKeyVerifier(this::accepts);
    client.setPublicKeyAuthenticationReporter(new Rejections());
    client.addSessionListener(new Listener());
    // Servers can only use the ports that this client has asked them to forward.
    client.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
    CoreModuleProperties.HEARTBEAT_REQUEST.set(client, "keepalive@openssh.com");
    CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, HEARTBEAT);
    CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, SILENT_HEARTBEATS);
    CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
    CoreModuleProperties.NIO2_READ_TIMEOUT.set(client, Duration.ZERO);
    client.start();
  }

  /**
   * Logs in.
   *
   * @param gateway the connection to the gateway; empty for a direct one
   * @throws IOException if that fails; the message states the host, the reason and the remedy
   */
  ClientSession login(SshHost host, Optional<ClientSession> gateway) throws IOException {
    try {
      logins.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted before the login to " + host, e);
    }
    try {
      return gateway.isPresent() ? through(gateway.get(), host) : login(host, address(host));
    } finally {
      logins.release();
    }
  }

  /** Returns the reason of the end of a connection. */
  static String end(ClientSession session) {
    var end = Attempt.of(session).end.get();
    return end == null ? "the other side closed it" : end;
  }

  private static InetSocketAddress address(SshHost host) throws IOException {
    var address = new InetSocketAddress(host.hostName(), host.port());
    if (address.isUnresolved()) {
      throw new IOException(
          "%s: there is no host '%s'; correct its name in %s, or set HostName in the ssh configuration"
              .formatted(host.name(), host.hostName(), host.source()));
    }
    return address;
  }

  private ClientSession through(ClientSession gateway, SshHost host) throws IOException {
    var target = new SshdSocketAddress(host.hostName(), host.port());
    var tunnel =
        gateway.createLocalPortForwardingTracker(new SshdSocketAddress("127.0.0.1", 0), target);
    try {
      var session = login(host, tunnel.getBoundAddress().toInetSocketAddress());
      session.addCloseFutureListener(closed -> closeQuietly(tunnel));
      return session;
    } catch (IOException e) {
      closeQuietly(tunnel);
      checkPassage(gateway, target, host);
      throw e;
    }
  }

  /**
   * Opens one connection through a gateway, since only that reports that the gateway cannot
   * connect.
   */
  private static void checkPassage(ClientSession gateway, SshdSocketAddress target, SshHost host)
      throws IOException {
    try (var channel =
        gateway.createDirectTcpipChannel(SshdSocketAddress.LOCALHOST_ADDRESS, target)) {
      channel.open().verify(host.timeout());
    } catch (IOException e) {
      throw new IOException(
          "%s: the gateway %s cannot connect to %s: %s; check its name and port there, and whether the gateway allows forwarding"
              .formatted(host.name(), Attempt.of(gateway).host, target, reason(e)),
          e);
    }
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a forwarded port was not closed in order", e);
    }
  }

  private ClientSession login(SshHost host, SocketAddress address) throws IOException {
    var attempt = new Attempt(host);
    ClientSession session;
    try {
      session =
          client
              .connect(
                  host.user(), address, AttributeRepository.ofKeyValuePair(ATTEMPT, attempt), null)
              .verify(host.timeout())
              .getSession();
    } catch (IOException e) {
      throw unreachable(host, e);
    }
    try {
      var problems = new ArrayList<String>();
      keys.keys(host, problems).forEach(session::addPublicKeyIdentity);
      authenticate(session, attempt, problems);
      return session;
    } catch (IOException | RuntimeException e) {
      session.close(true);
      throw e;
    }
  }

  private static void authenticate(ClientSession session, Attempt attempt, List<String> problems)
      throws IOException {
    var host = attempt.host;
    try {
      session.auth().verify(host.timeout());
    } catch (IOException e) {
      if (attempt.refusal.get() != null) {
        throw new IOException(attempt.refusal.get(), e);
      }
      if (session.getServerVersion() == null) {
        throw new IOException(
            "%s: %s accepted the connection, but no ssh server answered within %d s; check its host name and port"
                .formatted(host.name(), host, host.timeout().toSeconds()),
            e);
      }
      if (!session.isAuthenticated() && session.isOpen() || refusedOurKeys(e)) {
        throw new IOException(refusedLogin(attempt, problems), e);
      }
      throw new IOException(
          "%s: the login to %s failed: %s".formatted(host.name(), host, reason(e)), e);
    }
  }

  private static boolean refusedOurKeys(IOException e) {
    return String.valueOf(e.getMessage()).contains("authentication methods");
  }

  private static String refusedLogin(Attempt attempt, List<String> problems) {
    var host = attempt.host;
    var others =
        attempt.methods.stream()
            .filter(method -> !method.equals(UserAuthPublicKeyFactory.NAME))
            .collect(Collectors.joining(", "));
    if (attempt.isKeyAccepted) {
      return "%s: %s accepts the key, but demands a code or password after it (%s), for which only OpenSSH's ssh program asks: install it"
          .formatted(host.name(), host, others);
    }
    var tried =
        Stream.concat(
                host.identities().stream().map(Path::toString),
                host.agent().stream().map(socket -> "the keys of the agent at " + socket))
            .collect(Collectors.joining(", "));
    return "%s: %s rejected every key (tried: %s)%s; add the public key to ~/.ssh/authorized_keys there, or name another user or identity%s%s"
        .formatted(
            host.name(),
            host,
            tried.isEmpty() ? "there are none" : tried,
            problems.isEmpty() ? "" : "; " + String.join("; ", problems),
            others.isEmpty()
                ? ""
                : "; or log in by a code or password (it accepts "
                    + others
                    + "), for which only OpenSSH's ssh program asks",
            certificates(host));
  }

  private static String certificates(SshHost host) {
    return host.identities().stream()
        .map(key -> Path.of(key + "-cert.pub"))
        .filter(Files::exists)
        .map(file -> "; only OpenSSH's ssh program shows the certificate '" + file + "'")
        .collect(Collectors.joining());
  }

  private static IOException unreachable(SshHost host, IOException e) {
    var cause = root(e);
    var why =
        switch (cause) {
          case NoRouteToHostException _ -> "there is no route to it";
          case ConnectException _ -> "it refuses connections: " + cause.getMessage();
          default ->
              isTimeout(e)
                  ? "no answer within " + host.timeout().toSeconds() + " s"
                  : reason(cause);
        };
    return new IOException(
        "%s: cannot connect to %s: %s; check whether it is up and runs an ssh server on port %d"
            .formatted(host.name(), host, why, host.port()),
        e);
  }

  private static boolean isTimeout(IOException e) {
    return e instanceof java.io.InterruptedIOException
        || String.valueOf(e.getMessage()).toLowerCase(java.util.Locale.ROOT).contains("timeout");
  }

  private static Throwable root(Throwable e) {
    return e.getCause() == null ? e : root(e.getCause());
  }

  public static String reason(Throwable e) {
    var cause = root(e);
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  /** Passes MINA's requests for signatures to the agent of the host. */
  private final class Agents implements SshAgentFactory {

    @Override
    public SshAgent createClient(Session session, FactoryManager manager) {
      return keys.agent(Attempt.of(session).host);
    }

    @Override
    public List<ChannelFactory> getChannelForwardingFactories(FactoryManager manager) {
      return List.of(); // agents are not forwarded
    }

    @Override
    public SshAgentServer createServer(ConnectionService service) {
      throw new UnsupportedOperationException("agents are not forwarded");
    }
  }

  private boolean accepts(ClientSession session, SocketAddress address, PublicKey key) {
    var attempt = Attempt.of(session);
    try {
      var refusal = keys.refusal(attempt.host, key, true);
      refusal.ifPresent(attempt.refusal::set);
      return refusal.isEmpty();
    } catch (IOException e) {
      attempt.refusal.set(
          attempt.host.name() + ": the known-hosts files cannot be used: " + reason(e));
      return false;
    }
  }

  /** Keeps the answers of servers that do not let a user in by a key. */
  private static final class Rejections implements PublicKeyAuthenticationReporter {

    @Override
    public void signalAuthenticationFailure(
        ClientSession session,
        String service,
        KeyPair identity,
        boolean partial,
        List<String> serverMethods) {
      var attempt = Attempt.of(session);
      if (partial) {
        attempt.isKeyAccepted = true;
      }
      attempt.methods = List.copyOf(serverMethods);
    }
  }

  private final class Listener implements SessionListener {

    /**
     * Requests keys of the types by which the host is known, since others would look unknown, and
     * no certificates.
     */
    @Override
    public void sessionNegotiationOptionsCreated(
        Session session, Map<KexProposalOption, String> proposal) {
      Set<String> known;
      try {
        known = keys.keyTypes(Attempt.of(session).host);
      } catch (IOException e) {
        return; // the check of the key reports the problem
      }
      proposal.computeIfPresent(
          KexProposalOption.SERVERKEYS,
          (option, names) ->
              Stream.of(names.split(","))
                  .filter(name -> !name.contains("-cert-"))
                  .sorted(
                      java.util.Comparator.comparing(
                          name -> !known.contains(KeyUtils.getCanonicalKeyType(name))))
                  .collect(Collectors.joining(",")));
    }

    @Override
    public void sessionException(Session session, Throwable problem) {
      Attempt.of(session).end.compareAndSet(null, reason(problem));
    }

    @Override
    public void sessionDisconnect(
        Session session, int code, String message, String language, boolean isOurs) {
      Attempt.of(session)
          .end
          .compareAndSet(null, isOurs ? message : "the other side ended it: " + message);
    }
  }

  @Override
  public void close() {
    client.stop();
  }
}
