package org.troupe.opentelemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** Receives spans and metrics by OTLP over HTTP, as a collector does. */
final class OtlpReceiver implements AutoCloseable {

  /** A span that has arrived. */
  record Received(
      String trace, String span, String parent, String name, long kind, List<String> links) {}

  static final long SERVER = 2;
  static final long CLIENT = 3;
  static final long PRODUCER = 4;
  static final long CONSUMER = 5;

  private final HttpServer server;
  private final List<Received> spans = new CopyOnWriteArrayList<>();
  private final List<String> metrics = new CopyOnWriteArrayList<>();

  OtlpReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", exchange -> answer(exchange, true));
    server.createContext("/v1/metrics", exchange -> answer(exchange, false));
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Received> spans() {
    return List.copyOf(spans);
  }

  /** Returns the names of the metrics that have arrived. */
  List<String> metrics() {
    return List.copyOf(metrics);
  }

  private void answer(HttpExchange exchange, boolean isTraces) throws IOException {
    try (exchange) {
      var in = exchange.getRequestBody();
      var isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      var body = (isPacked ? new GZIPInputStream(in) : in).readAllBytes();
      for (var resource : fields(body, 1)) {
        for (var scope : fields(resource, 2)) {
          for (var each : fields(scope, 2)) {
            if (isTraces) {
              spans.add(span(each));
            } else {
              metrics.add(text(each, 1));
            }
          }
        }
      }
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static Received span(byte[] span) {
    var links = fields(span, 13).stream().map(link -> hex(link, 2)).toList();
    return new Received(
        hex(span, 1), hex(span, 2), hex(span, 4), text(span, 5), number(span, 6), links);
  }

  private static String hex(byte[] message, int field) {
    var all = fields(message, field);
    return all.isEmpty() ? "" : HexFormat.of().formatHex(all.getFirst());
  }

  private static String text(byte[] message, int field) {
    return new String(fields(message, field).getFirst(), StandardCharsets.UTF_8);
  }

  private static long number(byte[] message, int field) {
    return ByteBuffer.wrap(fields(message, field).getFirst()).getLong();
  }

  /** Returns the values of a field of a message in protobuf's encoding. */
  private static List<byte[]> fields(byte[] message, int wanted) {
    Map<Integer, List<byte[]>> all = new HashMap<>();
    var in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      var key = varint(in);
      var value =
          switch ((int) (key & 7)) {
            case 0 -> ByteBuffer.allocate(Long.BYTES).putLong(varint(in)).array();
            case 1 -> bytes(in, 8);
            case 2 -> bytes(in, (int) varint(in));
            case 5 -> bytes(in, 4);
            default -> throw new IllegalArgumentException("a wire type of groups");
          };
      all.computeIfAbsent((int) (key >>> 3), _ -> new ArrayList<>()).add(value);
    }
    return all.getOrDefault(wanted, List.of());
  }

  private static byte[] bytes(ByteBuffer in, int count) {
    var bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  private static long varint(ByteBuffer in) {
    var value = 0L;
    for (var shift = 0; ; shift += 7) {
      var next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
