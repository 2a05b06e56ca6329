package org.troupe.links.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.troupe.links.Secret;

/**
 * The identity of the host of a process: processes with equal texts can share files and memory.
 *
 * @param stack identifies the system and its network stack, and thus the loopback address
 * @param text the stack, the namespaces and the user; both are empty if they cannot be determined
 */
public record HostIdentity(String stack, String text) {

  /*
   * The boot id distinguishes machines, and a machine from itself before a restart, whereas names and
   * addresses may repeat. Containers of one machine share it, so the text includes the namespaces: a
   * process in another namespace may have another /tmp, other process numbers and another loopback.
   */

  private static final int MARK_BYTES = 6;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NAMESPACES = Path.of("/proc/self/ns");

  /** The identity of an unknown host, which shares nothing with any other. */
  public static final HostIdentity UNKNOWN = new HostIdentity("", "");

  private static final HostIdentity HERE = find(BOOT_ID, NAMESPACES, Path.of("/proc/self"));

  /** Returns the identity of this process's host. */
  public static HostIdentity here() {
    return HERE;
  }

  /** Determines an identity from the files of {@code /proc}. */
  public static HostIdentity find(Path bootId, Path namespaces, Path process) {
    try {
      String boot = Files.readString(bootId).strip();
      String stack = boot + " " + Files.readSymbolicLink(namespaces.resolve("net"));
      var text = new StringBuilder(stack);
      for (String kind : List.of("pid", "mnt", "user")) {
        text.append(' ').append(Files.readSymbolicLink(namespaces.resolve(kind)));
      }
      text.append(" uid ").append(Files.getAttribute(process, "unix:uid"));
      return new HostIdentity(stack, text.toString());
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
      return UNKNOWN; // not Linux, or /proc is hidden
    }
  }

  /** Returns whether the identity could be determined. */
  public boolean isKnown() {
    return !text.isEmpty();
  }

  /** Returns a short public mark that identifies this host's loopback in addresses. */
  public String mark() {
    return isKnown()
        ? HexFormat.of().formatHex(Secret.digest(stack.getBytes(UTF_8)), 0, MARK_BYTES)
        : "";
  }
}
