package org.troupe.deployment.ssh;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.Set;
import org.apache.sshd.agent.SshAgent;

/** The keys by which an ssh client logs in, and those by which it knows hosts. Thread-safe. */
public interface SshKeys {

  /**
   * Returns the keys for a host that are here whole.
   *
   * @param problems is told of those that cannot be used
   */
  List<KeyPair> keys(SshHost host, List<String> problems);

  /** Returns who signs for a host with keys that it does not give out. */
  SshAgent agent(SshHost host);

  /** Returns the kinds of keys that a host is known by: the ones to ask it for. */
  Set<String> kinds(SshHost host) throws IOException;

  /**
   * Returns why a host's key is not good enough; null if it is.
   *
   * @param isOurs whether this JVM has seen the key itself: what others say that they have seen is
   *     not noted down as known
   */
  String refusal(SshHost host, PublicKey key, boolean isOurs) throws IOException;
}
