package org.troupe.deployment.tree;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.SshAgentKeyConstraint;
import org.apache.sshd.common.session.SessionContext;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.troupe.deployment.ssh.MinaSetup;
import org.troupe.deployment.ssh.SshHost;
import org.troupe.deployment.ssh.SshKeys;
import org.troupe.deployment.tree.Branch.Answer;
import org.troupe.deployment.tree.Branch.Question;

/** The launcher's keys, as a branch uses them: the launcher signs, and judges the keys of hosts. */
final class RemoteKeys implements SshKeys {

  static {
    MinaSetup.apply();
  }

  private final Map<SshHost, Branch.Host> hosts = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<Question> questions = new LinkedBlockingQueue<>();
  private final Map<Long, CompletableFuture<Answer>> pending = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();

  /** Registers a host, with the public keys for its login. */
  void register(Branch.Host host) {
    hosts.put(host.login(), host);
  }

  private Branch.Host registered(SshHost host) {
    return Objects.requireNonNull(hosts.get(host), "logins are to registered hosts");
  }

  /** Waits for the next question. */
  Question question() throws InterruptedException {
    return questions.take();
  }

  void answered(long question, Answer answer) {
    var waiting = pending.remove(question);
    if (waiting != null) {
      waiting.complete(answer);
    }
  }

  private Answer ask(SshHost host, LongFunction<Question> question) throws IOException {
    var id = ids.incrementAndGet();
    var answer = new CompletableFuture<Answer>();
    pending.put(id, answer);
    questions.add(question.apply(id));
    try {
      return answer.get(host.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("the launcher did not answer during the login to " + host, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in the login to " + host, e);
    } catch (ExecutionException e) {
      throw new AssertionError(e); // it never completes exceptionally
    } finally {
      pending.remove(id);
    }
  }

  static byte[] encoded(PublicKey key) {
    var buffer = new ByteArrayBuffer();
    buffer.putRawPublicKey(key);
    return buffer.getCompactData();
  }

  static PublicKey decoded(byte[] key) throws IOException {
    return new ByteArrayBuffer(key).getRawPublicKey();
  }

  @Override
  public List<KeyPair> keys(SshHost host, List<String> problems) {
    return List.of(); // private keys stay with the launcher
  }

  @Override
  public SshAgent agent(SshHost host) {
    return new Agent(host);
  }

  @Override
  public Set<String> keyTypes(SshHost host) {
    return Set.copyOf(registered(host).keyTypes());
  }

  @Override
  public Optional<String> refusal(SshHost host, PublicKey key, boolean isOurs) throws IOException {
    var number = registered(host).number();
    var refusal = ask(host, id -> new Question.Check(id, number, encoded(key))).refusal();
    return Optional.of(refusal).filter(reason -> !reason.isEmpty());
  }

  /** The agent that MINA asks for signatures. */
  private final class Agent implements SshAgent {

    private final SshHost host;

    Agent(SshHost host) {
      this.host = host;
    }

    @Override
    public Iterable<? extends Map.Entry<PublicKey, String>> getIdentities() throws IOException {
      var identities = new ArrayList<Map.Entry<PublicKey, String>>();
      for (var key : registered(host).keys()) {
        identities.add(Map.entry(decoded(key), "key of the launcher"));
      }
      return identities;
    }

    @Override
    public Map.Entry<String, byte[]> sign(
        SessionContext session, PublicKey key, String algorithm, byte[] data) throws IOException {
      var number = registered(host).number();
      var answer = ask(host, id -> new Question.Sign(id, number, encoded(key), algorithm, data));
      if (!answer.refusal().isEmpty()) {
        throw new IOException(answer.refusal());
      }
      return Map.entry(answer.algorithm(), answer.signature());
    }

    @Override
    public void addIdentity(KeyPair key, String comment, SshAgentKeyConstraint... constraints) {
      throw new UnsupportedOperationException("the keys stay with the launcher");
    }

    @Override
    public void removeIdentity(PublicKey key) {
      throw new UnsupportedOperationException("the keys stay with the launcher");
    }

    @Override
    public void removeAllIdentities() {
      throw new UnsupportedOperationException("the keys stay with the launcher");
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      // Holds no resource.
    }
  }
}
