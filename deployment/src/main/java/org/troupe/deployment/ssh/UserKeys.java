package org.troupe.deployment.ssh;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.security.SecurityUtils;

/** The user's own keys, agent and known-hosts files. */
public final class UserKeys implements SshKeys {

  static {
    MinaSetup.apply();
  }

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final Map<Path, List<KeyPair>> keys = new ConcurrentHashMap<>();
  private final Map<Path, KnownHosts.Content> knownHosts = new ConcurrentHashMap<>();

  @Override
  public List<KeyPair> keys(SshHost host, List<String> problems) {
    return host.identities().stream().flatMap(file -> keys(file, problems).stream()).toList();
  }

  private List<KeyPair> keys(Path file, List<String> problems) {
    var known = keys.get(file);
    if (known != null) {
      return known;
    }
    try (var in = Files.newInputStream(file)) {
      var found = new ArrayList<KeyPair>();
      var read =
          SecurityUtils.loadKeyPairIdentities(
              null, NamedResource.ofName(file.toString()), in, null);
      if (read != null) {
        read.forEach(found::add);
      }
      keys.put(file, found);
      return found;
    } catch (IOException | GeneralSecurityException e) {
      problems.add(
          e instanceof java.nio.file.NoSuchFileException
              ? "there is no file '" + file + "'"
              : "'%s' cannot be used (%s); if it has a passphrase, give it to ssh-agent by 'ssh-add %s'"
                  .formatted(file, SshConnector.reason(e), file));
      return List.of();
    }
  }

  /** Returns the agent for the host, or one without keys. */
  @Override
  public SshAgent agent(SshHost host) {
    var place = host.agent();
    if (place.isEmpty()) {
      return new NoAgent();
    }
    try {
      return new SshAgentClient(place.get());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "no ssh agent at " + place.get(), e);
      return new NoAgent();
    }
  }

  /** Stands for an agent that does not exist. */
  private static final class NoAgent extends AbstractAgentProxy {

    NoAgent() {
      super(null);
    }

    @Override
    public Iterable<Map.Entry<PublicKey, String>> getIdentities() {
      return List.of();
    }

    @Override
    protected Buffer request(Buffer question) throws IOException {
      throw new IOException("there is no ssh agent to ask");
    }

    @Override
    public boolean isOpen() {
      return true;
    }
  }

  @Override
  public Set<String> keyTypes(SshHost host) throws IOException {
    return new KnownHosts(host, knownHosts).keyTypes();
  }

  @Override
  public Optional<String> refusal(SshHost host, PublicKey key, boolean isOurs) throws IOException {
    var known = new KnownHosts(host, knownHosts);
    var shown = KeyUtils.getKeyType(key) + " " + KeyUtils.getFingerPrint(key);
    return switch (known.check(key)) {
      case KnownHosts.Verdict.Known _ -> Optional.empty();
      case KnownHosts.Verdict.Unknown _ ->
          switch (host.hostKeys()) {
            case ACCEPT_NEW -> {
              if (isOurs) {
                known.add(key);
                LOG.log(Level.INFO, "{0} is now known by its key {1}", host, shown);
              }
              yield Optional.empty();
            }
            case STRICT ->
                Optional.of(
                    "%s: the key of %s is not known: %s%s; if that is its key, run 'ssh-keyscan -p %d %s >> %s', or set hostKeys=\"acceptNew\""
                        .formatted(
                            host.name(),
                            host,
                            shown,
                            known
                                .authority()
                                .map(
                                    place ->
                                        " (its certificate authority is, by "
                                            + place
                                            + ", but only OpenSSH's ssh program checks certificates: install it)")
                                .orElse(""),
                            host.port(),
                            host.hostName(),
                            host.knownHosts().isEmpty()
                                ? "~/.ssh/known_hosts"
                                : host.knownHosts().getFirst()));
          };
      case KnownHosts.Verdict.Changed(var file, var line) ->
          Optional.of(
              "%s: THE KEY OF %s HAS CHANGED: it shows %s, but %s:%d has another. The connection may be intercepted, or the host was reinstalled; ask its administrator, and only then remove that line"
                  .formatted(host.name(), host, shown, file, line));
      case KnownHosts.Verdict.Revoked(var file, var line) ->
          Optional.of(
              "%s: THE KEY OF %s IS REVOKED by %s:%d: %s. Do not log in; ask the host's administrator"
                  .formatted(host.name(), host, file, line, shown));
    };
  }
}
