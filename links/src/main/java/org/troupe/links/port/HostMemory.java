package org.troupe.links.port;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Driver;
import org.troupe.links.Secret;
import org.troupe.links.handshake.DriverPreferences;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.host.LinuxSystemCalls;
import org.troupe.links.host.MemoryFile;

/**
 * Memory that ports of one user on one host share, mapped until the garbage collector finds it
 * unused. Thread-safe.
 */
public final class HostMemory implements Closeable {

  /*
   * The details begin with a keyed hash of the creator's host: a process in another network namespace
   * could open the file, too, but counts as another host everywhere else.
   */
  private static final byte[] PURPOSE = "memory".getBytes(US_ASCII);
  private static final int HASH_BYTES = 32;

  private final LinuxSystemCalls system;
  private final MemorySegment all;
  private final byte[] details;
  private final @Nullable MemoryFile file; // of the creator

  private HostMemory(
      LinuxSystemCalls system, MemorySegment all, byte[] details, @Nullable MemoryFile file) {
    this.system = system;
    this.all = all;
    this.details = details;
    this.file = file;
  }

  /** Creates memory; empty if links of this JVM may not use shared memory. */
  static Optional<HostMemory> create(Secret secret, DriverPreferences drivers, long size)
      throws IOException {
    if (!isPermitted(drivers)) {
      return Optional.empty();
    }
    var system = LinuxSystemCalls.system().orElseThrow();
    var file = MemoryFile.create(system, "troupe-memory", size, Arena.ofAuto());
    byte[] host = hash(secret);
    byte[] details = Arrays.copyOf(host, HASH_BYTES + file.details().length);
    System.arraycopy(file.details(), 0, details, HASH_BYTES, file.details().length);
    return Optional.of(new HostMemory(system, file.memory(), details, file));
  }

  /** Opens memory of another port; empty if it is on another host, or may not be used. */
  static Optional<HostMemory> open(
      Secret secret, DriverPreferences drivers, byte[] details, long size) throws IOException {
    if (!isPermitted(drivers)
        || details.length < HASH_BYTES
        || !MessageDigest.isEqual(hash(secret), Arrays.copyOf(details, HASH_BYTES))) {
      return Optional.empty();
    }
    var rest = Arrays.copyOfRange(details, HASH_BYTES, details.length);
    return Optional.of(
        new HostMemory(
            LinuxSystemCalls.system().orElseThrow(),
            MemoryFile.open(rest, size, Arena.ofAuto()),
            details,
            null));
  }

  private static boolean isPermitted(DriverPreferences drivers) {
    return drivers.forLink(true).contains(Driver.SHM);
  }

  private static byte[] hash(Secret secret) {
    return secret.sign(PURPOSE, HostIdentity.here().text().getBytes(UTF_8));
  }

  /**
   * Returns the memory; it begins with some bytes that must not be overwritten before all use it.
   */
  public MemorySegment all() {
    return all;
  }

  /** Returns the data by which other ports open the memory. */
  public byte[] details() {
    return details.clone();
  }

  /**
   * Waits until {@link #wake} is called for the word, if the word has this value; may return
   * earlier. Called on platform threads; not interruptible.
   */
  public void await(MemorySegment word, int value) {
    system.await(word, value);
  }

  /** Wakes all threads, of any process, that wait on the word. */
  public void wake(MemorySegment word) {
    system.wake(word);
  }

  /** Ends the offer: no further port can open the memory. */
  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
