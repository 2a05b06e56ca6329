package org.troupe.tasks.nodes;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.OptionalLong;
import org.troupe.serialization.graph.Serializer;
import org.troupe.tasks.engine.Spawn;

/**
 * A number by which a job is recognised if it is forked again: a digest of its class and its
 * arguments.
 */
final class Fingerprint {

  private Fingerprint() {}

  /**
   * Returns the number of a job; empty if its arguments cannot be encoded without their node, as
   * stubs cannot, or change just now. Then no other job may pass for it.
   */
  static OptionalLong of(Spawn job) {
    byte[] bytes;
    try {
      bytes = Serializer.builder().build().encode(job).bytes();
    } catch (RuntimeException | StackOverflowError dependsOnItsNode) {
      return OptionalLong.empty();
    }
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(job.getClass().getName().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      return OptionalLong.of(ByteBuffer.wrap(digest.digest(bytes)).getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
