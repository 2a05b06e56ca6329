package org.troupe.deployment.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.descriptors.SourcePosition;

@Timeout(60)
class NodeProcessTest {

  @Test
  void whatAJvmWarnsOfAtEachStartIsNotAmongItsWords() throws Exception {
    List<String> given = Collections.synchronizedList(new ArrayList<>());
    var words = "echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2; echo on >&2";
    var process = new ProcessBuilder("sh", "-c", words).start();

    var node =
        new NodeProcess(plan(), StartedProcess.local(process), line -> given.add(line.text()));
    node.onEnd().get(30, TimeUnit.SECONDS);

    assertThat(given).containsExactly("on");
    assertThat(node.printed().last(2)).extracting(OutputTail.Line::text).containsExactly("on");
    assertThat(node.end("; its last line: ")).endsWith("code 0; its last line: on");
  }

  @Test
  void aReleasedNodeHasNotFailed() throws Exception {
    var process = new ProcessBuilder("sh", "-c", "echo 'NOTE: an option'").start();
    var node = new NodeProcess(plan(), StartedProcess.local(process), line -> {});
    node.setReleased(true);
    node.onEnd().get(30, TimeUnit.SECONDS);

    assertThat(node.end("; ")).isEqualTo("it was released");
  }

  private static PlannedNode plan() {
    return new PlannedNode("a-1", List.of(), "localhost", "", new SourcePosition("grid.xml", 0, 0));
  }
}
