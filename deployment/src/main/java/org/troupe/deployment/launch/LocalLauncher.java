package org.troupe.deployment.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.SourceProblem;

/** Starts JVMs on this machine. */
final class LocalLauncher implements Launcher {

  private final LocalJvms element;
  private final List<String> virtualNodes;
  private final JavaCommand java;
  private final FirstCommand firstCommand;

  LocalLauncher(LocalJvms element, List<String> virtualNodes, RunJournal run) {
    this.element = element;
    this.virtualNodes = virtualNodes;
    java = new JavaCommand(element.jvm(), run);
    firstCommand = new FirstCommand(this, java);
  }

  @Override
  public List<String> problems() {
    var problems = new ArrayList<>(java.problems());
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
    var line =
        ShellLine.plain(
            command(), element.jvm().environment(), element.workingDirectory().map(Path::toString));
    return IntStream.rangeClosed(planned + 1, planned + count)
        .mapToObj(number -> element.id() + "-" + number)
        .map(name -> new PlannedNode(name, virtualNodes, "localhost", line, element.place()))
        .toList();
  }

  @Override
  public List<JobStatus> jobs() {
    return List.of(
        JobStatus.of(
            element.id(), "local", firstCommand.get(), 1, element.jvms(), JobStatus.Copied.NONE));
  }

  private List<String> command() {
    return java.here(element.jvms() + 1); // this one, too
  }

  @Override
  public StartedProcess start(PlannedNode node) throws IOException {
    var builder = new ProcessBuilder(command());
    builder.environment().putAll(element.jvm().environment());
    element.workingDirectory().ifPresent(folder -> builder.directory(folder.toFile()));
    return StartedProcess.local(builder.start());
  }
}
