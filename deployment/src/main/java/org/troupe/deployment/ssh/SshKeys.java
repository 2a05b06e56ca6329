package org.troupe.deployment.ssh;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.sshd.agent.SshAgent;

/** The keys with which an ssh client logs in, and those by which it knows hosts. Thread-safe. */
public interface SshKeys {

  /**
   * Returns the key pairs for a host that this JVM can read.
   *
   * @param problems receives a message for each key that cannot be used
   */
  List<KeyPair> keys(SshHost host, List<String> problems);

  /** Returns the agent that signs for a host with keys of its own. */
  SshAgent agent(SshHost host);

  /** Returns the types of the keys by which a host is known, which a login requests. */
  Set<String> keyTypes(SshHost host) throws IOException;

  /**
   * Returns the reason to reject a host's key; empty if it is accepted.
   *
   * @param isOurs whether the host has shown the key to this JVM; keys that branches report are not
   *     added to the known-hosts files
   */
  Optional<String> refusal(SshHost host, PublicKey key, boolean isOurs) throws IOException;
}
