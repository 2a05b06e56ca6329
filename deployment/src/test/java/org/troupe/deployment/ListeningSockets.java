package org.troupe.deployment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The listening sockets of processes of this machine, as Linux reports them. */
public final class ListeningSockets {

  private static final Path PROC = Path.of("/proc");
  private static final Pattern OPEN = Pattern.compile("socket:\\[(\\d+)]");
  private static final String LISTENS = "0A"; // the state of a TCP socket
  private static final String ACCEPTS = "00010000"; // the flags of a Unix socket

  private ListeningSockets() {}

  public static boolean areKnown() {
    return Files.isReadable(PROC.resolve("self/net/unix"));
  }

  /** Returns the listening sockets of some processes; TCP ports as loopback addresses. */
  public static Set<SocketAddress> of(List<Long> pids) throws IOException {
    var inodes = new HashSet<String>();
    for (var pid : pids) {
      inodes.addAll(inodes(pid));
    }
    var found = new LinkedHashSet<SocketAddress>();
    for (var table : List.of("tcp", "tcp6")) {
      for (var words : words(PROC.resolve("self/net").resolve(table))) {
        if (words.get(3).equals(LISTENS) && inodes.contains(words.get(9))) {
          var port = words.get(1).substring(words.get(1).lastIndexOf(':') + 1);
          found.add(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port, 16)));
        }
      }
    }
    for (var words : words(PROC.resolve("self/net/unix"))) {
      if (words.get(3).equals(ACCEPTS) && inodes.contains(words.get(6)) && words.size() > 7) {
        found.add(UnixDomainSocketAddress.of(words.get(7)));
      }
    }
    return found;
  }

  private static List<List<String>> words(Path table) throws IOException {
    return Files.readAllLines(table).stream()
        .skip(1)
        .map(line -> List.of(line.strip().split(" +")))
        .toList();
  }

  private static Set<String> inodes(long pid) throws IOException {
    var inodes = new HashSet<String>();
    for (var descriptor : descriptors(pid)) {
      try {
        var matcher = OPEN.matcher(Files.readSymbolicLink(descriptor).toString());
        if (matcher.matches()) {
          inodes.add(matcher.group(1));
        }
      } catch (NoSuchFileException e) {
        // The file was closed meanwhile.
      }
    }
    return inodes;
  }

  /** Returns the open files and connections of a process. */
  static List<Path> descriptors(long pid) throws IOException {
    var all = new ArrayList<Path>();
    try (var files = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
      files.forEach(all::add);
    }
    return all;
  }

  /** Returns the memory that a process uses, in bytes. */
  public static long resident(long pid) throws IOException {
    return Files.readAllLines(PROC.resolve(pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
  }
}
