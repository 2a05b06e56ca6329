package org.troupe.deployment.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class FlightArchiveTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final FlightArchive archive = new FlightArchive(out);

  private static FlightRecord.Node node(String name) {
    return new FlightRecord.Node(name, "workers", "h1", 11, 1_500, 20);
  }

  private Map<String, byte[]> entries() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (var zip = new ZipInputStream(new ByteArrayInputStream(out.toByteArray()))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), zip.readAllBytes());
      }
    }
    return entries;
  }

  @Test
  void hasAFilePerNodeAndAnIndex() throws IOException {
    archive.add(new FlightRecord.Begin(1, "17", "0a1b", "Program", 1_700_000_000_000L, 60, 3));
    archive.add(new FlightRecord.Missing("n3", "its disk is full"));
    archive.add(node("n1"));
    archive.add(new FlightRecord.Part("n1", new byte[] {1, 2}));
    archive.add(new FlightRecord.Part("n1", new byte[] {3}));
    archive.add(node("n2"));
    archive.add(new FlightRecord.End(2));
    archive.finish();

    var entries = entries();
    assertThat(entries).containsOnlyKeys("n1.jfr", "n2.jfr", "index.json");
    assertThat(entries.get("n1.jfr")).containsExactly(1, 2, 3);
    var index = new JsonMapper().readTree(entries.get("index.json"));
    assertThat(index.path("isWhole").asBoolean()).isFalse();
    assertThat(index.path("run").asString()).isEqualTo("0a1b");
    assertThat(index.path("nodes").get(2).path("missing").asString()).isEqualTo("its disk is full");
    assertThat(index.path("nodes").get(0).path("bytes").asLong()).isEqualTo(3);
    assertThat(index.path("nodes").get(0).path("clockAheadNanos").asLong()).isEqualTo(1_500);
    assertThat(archive.missing()).containsExactly("n3: its disk is full");
    assertThat(archive.hasEnded()).isTrue();
  }

  @Test
  void namesOfNodesCannotLeaveTheArchiveOrMeet() throws IOException {
    for (var name : List.of("../../etc/n", "a b", "a/b")) {
      archive.add(node(name));
    }
    archive.finish();

    assertThat(entries().keySet())
        .containsExactly(".._.._etc_n.jfr", "a_b.jfr", "a_b-2.jfr", "index.json");
    assertThat(archive.hasEnded()).isFalse();
  }
}
