package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.descriptors.read.DescriptorReader;

/** The plan for pods, which asks no cluster. */
class PodsPlanTest {

  @TempDir private Path folder;

  private Plan plan(String element) throws IOException {
    var file =
        Files.writeString(
            folder.resolve("grid.xml"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <virtualNodes><virtualNode name="solvers"/></virtualNodes>
              <mapping><map virtualNode="solvers" to="cloud"/></mapping>
              <infrastructure>
                <jvm id="there" javaHome="/opt/jdk" sharedFiles="true"/>
                <cluster id="site"/>
                %s
              </infrastructure>
            </troupe>
            """
                .formatted(element));
    return Plan.of(DescriptorReader.read(file, Map.of()));
  }

  @Test
  void showsTheJobAndTheCommandThatCreatesIt() throws IOException {
    var plan =
        plan(
            "<kubernetes id='cloud' image='java:25' pods='2' context='production'"
                + " namespace='physics' jvm='there' cluster='site'/>");

    assertThat(plan.problems()).isEmpty();
    assertThat(plan.nodes()).extracting(PlannedNode::name).containsExactly("cloud-1", "cloud-2");
    assertThat(plan.toString())
        .contains("cloud-1 on Kubernetes 'production' for solvers (")
        .contains("kubectl --context=production --namespace=physics create --filename=-")
        .contains("\"completionMode\" : \"Indexed\"")
        .contains("\"image\" : \"java:25\"")
        .contains("\"command\" : [ \"/opt/jdk/bin/java\",")
        .contains("$(JOB_COMPLETION_INDEX)")
        .doesNotContain("/bin/sh");
  }

  @Test
  void showsTheWaitForTheProgramWhereItIsCopied() throws IOException {
    assertThat(plan("<kubernetes id='cloud' image='java:25'/>").toString())
        .contains("\"command\" : [ \"/bin/sh\", \"-c\",")
        .contains("the program was not copied to this pod within 10 minutes");
  }

  @Test
  void reportsAMissingPatch() throws IOException {
    assertThat(plan("<kubernetes id='cloud' image='java:25' patch='none.yaml'/>").problems())
        .hasSize(1)
        .first()
        .asString()
        .contains("grid.xml:7:5: the patch '" + folder.resolve("none.yaml") + "' is not there");
  }
}
