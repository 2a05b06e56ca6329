package org.troupe.cli.launch;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import ibis.satin.weave.ClassPathWeaver;
import ibis.satin.weave.WeavingException;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.troupe.cli.command.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code satinc}: weaves the classes of a Satin program ahead of time. */
@Command(
    name = "satinc",
    description = {
      "Weaves a Satin program: spawnable calls become jobs.",
      "%n'run --model satin' weaves by itself; woven classes also run under plain " + "'java'."
    })
public final class SatincCommand extends CliCommand {

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "Jars and class folders that IN uses, as for 'java'.")
  private String libraries = "";

  @Option(
      names = "--entries",
      hidden = true,
      description =
          "IN is a class path: weaves its entries into the folder OUT and prints their class path.")
  private boolean entries;

  @Parameters(index = "0", paramLabel = "IN", description = "A jar or a folder of classes.")
  private String in = "";

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "The jar, or the new folder, for the woven classes.")
  private Path out = Path.of("");

  @Override
  public Integer call() {
    try {
      Map<Path, Path> places = new LinkedHashMap<>();
      if (entries) {
        for (Path entry : ClassPathWeaver.entries(in)) {
          places.put(existing(entry), out.resolve(places.size() + "-" + entry.getFileName()));
        }
      } else {
        Path source = existing(Path.of(in));
        if (Files.exists(out) && Files.isSameFile(source, out)) {
          throw wrong("IN and OUT are both '" + in + "'; name another OUT");
        }
        places.put(source, out);
      }
      int woven;
      try (URLClassLoader known = loader()) {
        woven = ClassPathWeaver.weave(places, known, only());
      }
      if (entries) {
        out()
            .println(
                places.values().stream().map(Path::toString).collect(joining(File.pathSeparator)));
      } else {
        out().println(woven + (woven == 1 ? " class" : " classes") + " woven into '" + out + "'");
      }
      return ExitCode.OK;
    } catch (WeavingException e) {
      throw wrong("the program cannot be woven:\n" + e.getMessage(), e);
    } catch (IOException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  private Path existing(Path entry) {
    if (!Files.exists(entry)) {
      throw wrong("'" + entry + "' does not exist");
    }
    return entry;
  }

  /** Returns a loader of the libraries; it reads files, and defines no class. */
  private URLClassLoader loader() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path each : ClassPathWeaver.entries(libraries)) {
      urls.add(existing(each).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), SatincCommand.class.getClassLoader());
  }

  private static Set<String> only() {
    return Stream.of(System.getProperty("satin.classes", "").split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .collect(toUnmodifiableSet());
  }
}
