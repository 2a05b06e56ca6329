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

/** Signs, in the launcher, for the logins of branches. Thread-safe. */
final class SigningService {

  /*
   * A branch is as trusted as a host to which the user's agent is forwarded, and no more: it gets signatures of
   * requests to log in (RFC 4252, section 7) and of nothing else, for the user of a host that it has been asked to log
   * in to, by the keys for that host, and as long as a node is being started there. What is signed does not name the
   * host: so a branch in bad hands could meanwhile log in to another one that lets the same key in. Nor can it be
   * checked that a key is the one of the host, so where new ones are accepted, the user's file does not get them.
   */
  private final SshKeys keys;

  SigningService(SshKeys keys) {
    this.keys = keys;
  }

  /** Returns what a branch needs to know for a login. */
  Branch.Host host(int number, SshHost host) throws IOException {
    var lent = new ArrayList<byte[]>();
    keys.keys(host, new ArrayList<>())
        .forEach(key -> lent.add(RemoteKeys.encoded(key.getPublic())));
    try (var agent = keys.agent(host)) {
      for (var identity : agent.getIdentities()) {
        lent.add(RemoteKeys.encoded(identity.getKey()));
      }
    }
    return new Branch.Host(
        number,
        host.name(),
        host.hostName(),
        host.port(),
        host.user(),
        host.timeout(),
        List.copyOf(lent),
        List.copyOf(keys.kinds(host)));
  }

  /**
   * Answers a question.
   *
   * @param host which it is about
   */
  Answer answer(SshHost host, Question question) {
    try {
      return switch (question) {
        case Question.Check check -> {
          var refusal = keys.refusal(host, RemoteKeys.decoded(check.key()), false);
          yield refusal == null ? Answer.yes() : Answer.no(refusal);
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
          "%s: what was to be signed is no request to log in as '%s'; nothing else is signed for other nodes"
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
    return Answer.no(host.name() + ": a signature by a key that is not for it was wanted");
  }

  private static boolean isSame(PublicKey key, byte[] encoded) {
    return Arrays.equals(RemoteKeys.encoded(key), encoded);
  }

  private static Answer answer(java.util.Map.Entry<String, byte[]> signature) {
    return new Answer("", signature.getKey(), signature.getValue());
  }

  /** Whether this is all that a login by a key has to sign, and nothing else. */
  private static boolean isLogin(Question.Sign wanted, String user) {
    Buffer data = new ByteArrayBuffer(wanted.data());
    try {
      return data.getBytes().length > 0 // the session's id
          && data.getByte() == SshConstants.SSH_MSG_USERAUTH_REQUEST
          && data.getString().equals(user)
          && data.getString().equals("ssh-connection")
          && data.getString().equals("publickey")
          && data.getBoolean()
          && data.getString().equals(wanted.algorithm())
          && Arrays.equals(data.getBytes(), wanted.key())
          && data.available() == 0;
    } catch (BufferException | IndexOutOfBoundsException | IllegalArgumentException e) {
      return false; // it is too short
    }
  }
}
