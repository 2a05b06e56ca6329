package org.troupe.tasks.nodes;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.troupe.serialization.graph.Serializer;
import org.troupe.tasks.engine.Spawn;

/**
 * A number by which a job is recognised if it is forked again: a digest of its class and its
 * arguments. If the arguments cannot be encoded without their node, as stubs, it is that of the
 * class alone.
 */
final class Fingerprint {

  private Fingerprint() {}

  static long of(Spawn job) {
    byte[] bytes;
    try {
      bytes = Serializer.builder().build().encode(job).bytes();
    } catch (RuntimeException dependsOnItsNode) {
      bytes = new byte[0];
    }
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(job.getClass().getName().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest.digest(bytes)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
