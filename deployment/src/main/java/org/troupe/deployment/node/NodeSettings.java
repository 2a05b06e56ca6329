package org.troupe.deployment.node;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport;

/**
 * The settings that a node reads from its standard input or a file, which no other user can read.
 *
 * @param contact the contact of the coordinator
 * @param secret the secret of the grid, in hexadecimal
 * @param listening the addresses on which the node listens, and its relay
 * @param attributes the attributes that the launcher knows of the node
 * @param properties system properties, where the command line has not set them
 */
public record NodeSettings(
    String name,
    List<String> virtualNodes,
    String host,
    String transport,
    String contact,
    String secret,
    Transport.Listening listening,
    long silenceNanos,
    Map<String, String> attributes,
    Map<String, String> properties) {

  /** The attribute that names the node that has started this one, if one has. */
  static final String STARTED_BY = "startedBy";

  NodeSettings onHost(String name) {
    return new NodeSettings(
        this.name,
        virtualNodes,
        name,
        transport,
        contact,
        secret,
        listening,
        silenceNanos,
        attributes,
        properties);
  }

  /** Returns a copy for a node that another node starts. */
  public NodeSettings startedBy(String node) {
    var more = new LinkedHashMap<>(attributes);
    more.put(STARTED_BY, node);
    return new NodeSettings(
        name,
        virtualNodes,
        host,
        transport,
        contact,
        secret,
        listening,
        silenceNanos,
        more,
        properties);
  }

  /** Returns a copy with other routes to the coordinator. */
  public NodeSettings withContact(String other) {
    return new NodeSettings(
        name,
        virtualNodes,
        host,
        transport,
        other,
        secret,
        listening.relay().isEmpty()
            ? listening
            : new Transport.Listening(
                listening.host(),
                listening.port(),
                listening.networks(),
                listening.isRelay(),
                GridMember.address(other),
                listening.trusted()),
        silenceNanos,
        attributes,
        properties);
  }

  /** Writes the settings; the stream stays open. */
  public void write(OutputStream stream) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    write(out, name);
    write(out, virtualNodes);
    write(out, host);
    write(out, transport);
    write(out, contact);
    write(out, secret);
    write(out, listening.host());
    out.writeInt(listening.port());
    write(out, listening.networks());
    out.writeBoolean(listening.isRelay());
    write(out, listening.relay());
    write(out, listening.trusted());
    out.writeLong(silenceNanos);
    write(out, attributes);
    write(out, properties);
    bytes.writeTo(stream);
    stream.flush();
  }

  /**
   * Reads the settings that {@link #write} has written, and no byte beyond.
   *
   * @throws IOException if the stream ends too early
   */
  public static NodeSettings read(InputStream stream) throws IOException {
    var in = new DataInputStream(stream);
    return new NodeSettings(
        text(in),
        texts(in),
        text(in),
        text(in),
        text(in),
        text(in),
        new Transport.Listening(
            text(in), in.readInt(), texts(in), in.readBoolean(), text(in), text(in)),
        in.readLong(),
        named(in),
        named(in));
  }

  /**
   * Reads the settings of one of several nodes from a file: their number, and for each the length
   * and then the settings as {@link #write} writes them.
   *
   * @param rank of the node, from 0
   */
  static NodeSettings read(Path file, int rank) throws IOException {
    try (var in = new DataInputStream(opened(file))) {
      var count = in.readInt();
      if (rank < 0 || rank >= count) {
        throw new IOException(
            "'" + file + "' has the settings of " + count + " nodes, and none of rank " + rank);
      }
      for (var other = 0; other < rank; other++) {
        in.skipNBytes(in.readInt());
      }
      in.readInt();
      return read(in);
    }
  }

  /** Opens a file, which is compressed if its name says so. */
  private static InputStream opened(Path file) throws IOException {
    var stream = new BufferedInputStream(Files.newInputStream(file));
    return file.toString().endsWith(".gz") ? new GZIPInputStream(stream) : stream;
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    var texts = new ArrayList<String>();
    for (var left = in.readInt(); left > 0; left--) {
      texts.add(text(in));
    }
    return texts;
  }

  private static Map<String, String> named(DataInputStream in) throws IOException {
    var named = new LinkedHashMap<String, String>();
    for (var left = in.readInt(); left > 0; left--) {
      named.put(text(in), text(in));
    }
    return named;
  }

  private static void write(DataOutputStream out, Map<String, String> named) throws IOException {
    out.writeInt(named.size());
    for (var each : named.entrySet()) {
      write(out, each.getKey());
      write(out, each.getValue());
    }
  }

  private static void write(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (var each : texts) {
      write(out, each);
    }
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    var bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "NodeSettings[name=" + name + "]"; // never the secret
  }
}
