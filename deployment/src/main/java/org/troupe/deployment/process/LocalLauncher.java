package org.troupe.deployment.process;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.troupe.deployment.PlannedNode;
import org.troupe.deployment.runs.RunJournal;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.SourceProblem;

/** Starts JVMs on this machine. */
record LocalLauncher(LocalJvms element, List<String> virtualNodes, RunJournal run)
    implements Launcher {

  @Override
  public List<String> problems() {
    var problems = new ArrayList<>(JavaCommand.problems(element.jvm()));
    element
        .workingDirectory()
        .filter(folder -> !Files.isDirectory(folder))
        .map(
            folder ->
                new SourceProblem(
                    element.place(),
                    "the working directory '" + folder + "' is not there",
                    "make it, or correct workingDirectory"))
        .map(SourceProblem::toString)
        .ifPresent(problems::add);
    return problems;
  }

  @Override
  public List<PlannedNode> nodes() {
    return more(0, element.jvms());
  }

  @Override
  public List<PlannedNode> more(int planned, int count) {
    var command = JavaCommand.of(element.jvm(), run);
    return IntStream.rangeClosed(planned + 1, planned + count)
        .mapToObj(number -> node(element.id() + "-" + number, command))
        .toList();
  }

  private PlannedNode node(String name, List<String> command) {
    return new PlannedNode(
        name,
        virtualNodes,
        "localhost",
        command,
        element.jvm().environment(),
        element.workingDirectory(),
        element.place());
  }

  @Override
  public Process start(PlannedNode node) throws IOException {
    var builder = new ProcessBuilder(node.command());
    Map<String, String> environment = builder.environment();
    environment.putAll(node.environment());
    node.workingDirectory().ifPresent(folder -> builder.directory(folder.toFile()));
    return builder.start();
  }
}
