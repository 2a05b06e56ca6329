package org.troupe.links.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.troupe.links.Secret;

/**
 * Where a process runs, as far as it matters for sharing files and memory with another: two with
 * equal texts are on one host.
 *
 * @param stack which system and which of its network stacks, so which loopback
 * @param text the stack and all else; both are empty if it could not be found out; then it equals
 *     no other
 */
public record HostIdentity(String stack, String text) {

  /*
   * The boot id tells machines apart, and a machine from itself before a restart, where names and
   * addresses may repeat. Containers of one machine share it, so the namespaces follow: a process
   * in another one may have another /tmp, other process numbers, another loopback.
   */

  private static final int MARK_BYTES = 6;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NAMESPACES = Path.of("/proc/self/ns");

  /** The identity of an unknown host; never on one host with another. */
  public static final HostIdentity UNKNOWN = new HostIdentity("", "");

  private static final HostIdentity HERE = find(BOOT_ID, NAMESPACES, Path.of("/proc/self"));

  public static HostIdentity here() {
    return HERE;
  }

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
      return UNKNOWN; // not Linux, or /proc is hidden: no driver that needs one host
    }
  }

  public boolean isKnown() {
    return !text.isEmpty();
  }

  /** Returns a short mark, not secret, that distinguishes this host's loopback in addresses. */
  public String mark() {
    return isKnown()
        ? HexFormat.of().formatHex(Secret.digest(stack.getBytes(UTF_8)), 0, MARK_BYTES)
        : "";
  }
}
