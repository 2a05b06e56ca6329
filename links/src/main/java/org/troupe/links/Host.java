package org.troupe.links;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a process runs, as far as it matters for sharing files and memory with another: two with
 * equal texts are on one host.
 *
 * @param text empty if it could not be found out; then it equals no other
 */
record Host(String text) {

  /*
   * The boot id tells machines apart, and a machine from itself before a restart, where names and
   * addresses may repeat. Containers of one machine share it, so the namespaces follow: a process
   * in another one may have another /tmp, other process numbers, another loopback.
   */

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NAMESPACES = Path.of("/proc/self/ns");
  private static final Host HERE = find(BOOT_ID, NAMESPACES, Path.of("/proc/self"));

  static Host here() {
    return HERE;
  }

  static Host find(Path bootId, Path namespaces, Path process) {
    try {
      var text = new StringBuilder(Files.readString(bootId).strip());
      for (String kind : List.of("net", "pid", "mnt", "user")) {
        text.append(' ').append(Files.readSymbolicLink(namespaces.resolve(kind)));
      }
      text.append(" uid ").append(Files.getAttribute(process, "unix:uid"));
      return new Host(text.toString());
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
      return new Host(""); // not Linux, or /proc is hidden: no driver that needs one host
    }
  }

  boolean isKnown() {
    return !text.isEmpty();
  }

  byte[] identity() {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
