package org.troupe.deployment.tree;

import java.io.IOException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.sshd.agent.local.AgentImpl;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.BufferException;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.troupe.deployment.ssh.SshConnector;
import org.troupe.deployment.ssh.SshHost;
import org.troupe.deployment.ssh.SshKeys;
import org.troupe.deployment.tree.Branch.Answer;
import org.troupe.deployment.tree.Branch.Question;

/** Signs logins of branches, in the launcher. Thread-safe. */
final class SigningService {

  /*
   * A branch is trusted as much as a host to which the user's agent is forwarded, and less: it receives signatures
   * only of login requests (RFC 4252, section 7), only for the user of a host that the launcher has assigned to it,
   * only by the keys for that host, and only while a node is being started there.
   *
   * The signed data do not name the host, so a compromised branch could meanwhile log in to another host that accepts
   * the same key. Nor can the launcher verify that a host key comes from the host: if new host keys are accepted,
   * those that a branch reports are not added to the user's file.
   */
  private final SshKeys keys;

  SigningService(SshKeys keys) {
    this.keys = keys;
  }

  /** Returns a branch's description of a host. */
  Branch.Host host(int number, SshHost host) throws IOException {
    var publicKeys = new ArrayList<byte[]>();
    keys.keys(host, new ArrayList<>())
        .forEach(key -> publicKeys.add(RemoteKeys.encoded(key.getPublic())));
    try (var agent = keys.agent(host)) {
      for (var identity : agent.getIdentities()) {
        publicKeys.add(RemoteKeys.encoded(identity.getKey()));
      }
    }
    return new Branch.Host(
        number,
        host.name(),
        host.hostName(),
        host.port(),
        host.user(),
        host.timeout(),
        List.copyOf(publicKeys),
        List.copyOf(keys.keyTypes(host)));
  }

  /**
   * Answers a question.
   *
   * @param host the host that it is about
   */
  Answer answer(SshHost host, Question question) {
    try {
      return switch (question) {
        case Question.Check check -> {
          var refusal = keys.refusal(host, RemoteKeys.decoded(check.key()), false);
          yield refusal.map(Answer::no).orElseGet(Answer::yes);
        }
        case Question.Sign sign -> signed(host, sign);
      };
    } catch (IOException | RuntimeException e) {
      return Answer.no(host.name() + ": " + SshConnector.reason(e));
    }
  }

  private Answer signed(SshHost host, Question.Sign wanted) throws IOException {
    if (!isLogin(wanted, host.user())) {
      return Answer.no(
          "%s: the data to sign are no login request as '%s'; nothing else is signed for other nodes"
              .formatted(host.name(), host.user()));
    }
    var key = RemoteKeys.decoded(wanted.key());
    for (var own : keys.keys(host, new ArrayList<>())) {
      if (isSame(own.getPublic(), wanted.key())) {
        try (var signer = new AgentImpl()) {
          signer.addIdentity(own, "");
          return answer(signer.sign(null, key, wanted.algorithm(), wanted.data()));
        }
      }
    }
    try (var agent = keys.agent(host)) {
      for (var identity : agent.getIdentities()) {
        if (isSame(identity.getKey(), wanted.key())) {
          return answer(agent.sign(null, key, wanted.algorithm(), wanted.data()));
        }
      }
    }
    return Answer.no(
        host.name() + ": a signature was requested by a key that is not for this host");
  }

  private static boolean isSame(PublicKey key, byte[] encoded) {
    return Arrays.equals(RemoteKeys.encoded(key), encoded);
  }

  private static Answer answer(java.util.Map.Entry<String, byte[]> signature) {
    return new Answer("", signature.getKey(), signature.getValue());
  }

  /** Returns whether the data are exactly those that a login by public key signs. */
  private static boolean isLogin(Question.Sign wanted, String user) {
    Buffer data = new ByteArrayBuffer(wanted.data());
    try {
      return data.getBytes().length > 0 // the session id
          && data.getByte() == SshConstants.SSH_MSG_USERAUTH_REQUEST
          && data.getString().equals(user)
          && data.getString().equals("ssh-connection")
          && data.getString().equals("publickey")
          && data.getBoolean()
          && data.getString().equals(wanted.algorithm())
          && Arrays.equals(data.getBytes(), wanted.key())
          && data.available() == 0;
    } catch (BufferException | IndexOutOfBoundsException | IllegalArgumentException e) {
      return false; // the data are too short
    }
  }
}
