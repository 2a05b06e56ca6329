package org.troupe.deployment.staging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.deployment.model.JobStatus.Copied;
import org.troupe.deployment.process.Machine;
import org.troupe.descriptors.Jvm;

/**
 * Copies the program and, where there is none, Java to other machines: each file once, identified
 * by its content, in {@code ~/.cache/troupe}. Thread-safe.
 */
public final class Staging {

  /*
   * Machines of a site often share their home directories. A random id in the cache shows this: machines that print
   * the same id receive each file only once, from the first thread that needs it.
   */
  private static final String PROBE =
      """
      cd && umask 077 && mkdir -p .cache/troupe || exit
      [ -s .cache/troupe/id ] || { echo "$1" >".cache/troupe/$1" && mv -n ".cache/troupe/$1" .cache/troupe/id; }
      rm -f ".cache/troupe/$1"
      echo "home $(pwd -P)"
      echo "site $(cat .cache/troupe/id)"
      echo "system $(uname -s) $(uname -m)"
      java_home=$2; needed=$3; image=$4; shift 4
      for file; do [ -f "$file" ] || echo "missing $file"; done
      enough=
      try() {
        [ -z "$enough" ] && [ -x "$1/bin/java" ] || return
        version=$(sed -n 's/^JAVA_VERSION="\\([0-9]*\\).*/\\1/p' "$1/release" 2>/dev/null)
        [ -n "$version" ] ||
          version=$("$1/bin/java" -version 2>&1 | sed -n '1s/[^"]*"\\([0-9]*\\).*/\\1/p')
        echo "java ${version:-0} $1/bin/java"
        [ "${version:-0}" -ge "$needed" ] && enough=yes
      }
      home_of() {
        program=$(command -v "$1") && program=$(readlink -f "$program") && try "${program%/bin/java}"
      }
      if [ -n "$java_home" ]; then
        try "$java_home"
      else
        [ -n "$JAVA_HOME" ] && try "$JAVA_HOME"
        home_of java
        for folder in /usr/lib/jvm/*; do try "$folder"; done
        try "$(pwd -P)/$image"
      fi
      exit 0
      """;

  private static final String UNPACK =
      """
      cd "$1" || exit
      [ -x java/bin/java ] && exit
      part=part-$$
      mkdir "$part" && tar -xzf "$2" -C "$part" && mv "$part/java" java && rm -rf "$part" "$2"
      """;

  /** The answers of a machine. */
  private static final class Found {
    private String home = "";
    private String site = "";
    private String system = "";
    private final Set<String> missing = new LinkedHashSet<>();
    private final Map<String, Integer> javas = new LinkedHashMap<>();

    Optional<String> java() {
      return javas.entrySet().stream()
          .filter(java -> java.getValue() >= NEEDED)
          .map(Map.Entry::getKey)
          .findFirst();
    }
  }

  private record Key(Machine machine, Jvm jvm) {}

  private static final int NEEDED = 25;

  private final String application;
  private final Path cache;
  private final Map<Key, CompletableFuture<Installation>> installations = new ConcurrentHashMap<>();
  private final Map<Path, StagedFile> files = new HashMap<>(); // under this
  private final Map<Jvm, Map<Path, StagedFile>> ofJvms = new HashMap<>(); // under this
  private final Map<String, Set<String>> sites = new ConcurrentHashMap<>();
  private final Map<Jvm, Copied> copied = new ConcurrentHashMap<>();

  /**
   * @param application the locations of the program's own classes
   */
  public Staging(String application) {
    this(application, Path.of(System.getProperty("user.home")).resolve(StagedFile.CACHE));
  }

  /**
   * @param cache the folder for archives on this machine
   */
  public Staging(String application, Path cache) {
    this.application = application;
    this.cache = cache;
  }

  /**
   * Returns the installation on a machine; copies it there first, if need be.
   *
   * @throws IOException if that fails; the message states the machine, the reason and the remedy
   */
  public Installation on(Machine machine, Jvm jvm) throws IOException {
    var mine = new CompletableFuture<Installation>();
    var others = installations.putIfAbsent(new Key(machine, jvm), mine);
    if (others != null) {
      return joined(others);
    }
    try {
      mine.complete(install(machine, jvm));
    } catch (IOException | RuntimeException | Error e) {
      mine.completeExceptionally(e);
    }
    return joined(mine);
  }

  /** Returns what was copied to machines for a JVM. */
  public Copied copied(Jvm jvm) {
    return copied.getOrDefault(jvm, Copied.NONE);
  }

  private static Installation joined(CompletableFuture<Installation> future) throws IOException {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  /** Returns the files of a JVM's class path with their paths on other machines. */
  synchronized Map<Path, StagedFile> files(Jvm jvm) throws IOException {
    var known = ofJvms.get(jvm);
    if (known != null) { // many machines need the same files
      return known;
    }
    var staged = new LinkedHashMap<Path, StagedFile>();
    for (var entry : JavaCommand.classPath(jvm)) {
      var file = files.get(entry);
      if (file == null) {
        file = StagedFile.of(entry);
        files.put(entry, file);
      }
      staged.put(entry, file);
    }
    ofJvms.put(jvm, staged);
    return staged;
  }

  /**
   * Returns the installation that is planned, relative to the home directory; contacts no machine.
   */
  public Installation planned(Jvm jvm) throws IOException {
    var places = new LinkedHashMap<Path, String>();
    files(jvm)
        .forEach(
            (entry, file) ->
                places.put(entry, jvm.hasSharedFiles() ? entry.toString() : file.path()));
    var java = jvm.javaHome().map(home -> home.resolve("bin/java").toString()).orElse("java");
    return Installation.of(java, places, application);
  }

  private Installation install(Machine machine, Jvm jvm) throws IOException {
    var began = System.nanoTime();
    var staged = jvm.hasSharedFiles() ? Map.<Path, StagedFile>of() : files(jvm);
    var found = probe(machine, jvm, staged.values().stream().map(StagedFile::path).toList());
    var places = new LinkedHashMap<Path, String>();
    if (jvm.hasSharedFiles()) {
      files(jvm).keySet().forEach(entry -> places.put(entry, entry.toString()));
    }
    staged.forEach((entry, file) -> places.put(entry, found.home + "/" + file.path()));
    var sent =
        putOnce(
            machine,
            found,
            staged.values().stream().filter(file -> found.missing.contains(file.path())).toList());
    var java = java(machine, jvm, found);
    var seconds = (System.nanoTime() - began) / 1e9;
    var bytes = 0L;
    for (var each : sent) {
      bytes += each.size();
    }
    copied.merge(
        jvm, new Copied(bytes, sent.size(), staged.size() - sent.size(), seconds), Copied::plus);
    return Installation.of(java, places, application);
  }

  /**
   * Copies files once to all machines that share a home directory; other callers wait for it.
   *
   * @return the files that this call has copied
   */
  private List<StagedFile> putOnce(Machine machine, Found found, List<StagedFile> wanted)
      throws IOException {
    var there = sites.computeIfAbsent(found.site, site -> ConcurrentHashMap.newKeySet());
    synchronized (there) {
      var missing = wanted.stream().filter(file -> !there.contains(file.path())).toList();
      machine.putAll(missing.stream().map(StagedFile::upload).toList());
      missing.forEach(file -> there.add(file.path()));
      return missing;
    }
  }

  private static Found probe(Machine machine, Jvm jvm, List<String> files) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                PROBE,
                "sh",
                "new-" + java.util.UUID.randomUUID(),
                jvm.javaHome().map(Path::toString).orElse(""),
                Integer.toString(NEEDED),
                image()));
    command.addAll(files);
    var found = new Found();
    for (var line : run(machine, command).split("\n")) {
      var words = line.split(" ", 3);
      switch (words[0]) {
        case "home" -> found.home = line.substring("home ".length());
        case "site" -> found.site = line.substring("site ".length());
        case "system" -> found.system = line.substring("system ".length());
        case "missing" -> found.missing.add(line.substring("missing ".length()));
        case "java" -> found.javas.put(words[2], Integer.parseInt(words[1]));
        default -> {
          // Output of the login shell.
        }
      }
    }
    return found;
  }

  private static String run(Machine machine, List<String> command) throws IOException {
    var started = machine.start(command, Map.of(), Optional.empty());
    var process = started.process();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var errorOutput = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() == 0) {
        return output;
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException(machine.name() + ": interrupted while files were put there", e);
    }
    throw new IOException(
        "%s: the program cannot be copied there: %s"
            .formatted(
                machine.name(),
                errorOutput.isBlank()
                    ? started.explanation().orElse("exit code " + process.exitValue())
                    : errorOutput.strip()));
  }

  // Java

  /**
   * The folder of this JVM's Java on other machines, named after its version instead of its
   * content.
   */
  private static String image() {
    return imageFolder() + "/java";
  }

  private static String imageFolder() {
    return StagedFile.CACHE + "/java-" + Runtime.version().toString().replace('+', '_');
  }

  /**
   * Describes the Java that nodes would get on a machine; copies nothing.
   *
   * @throws IOException if there would be none
   */
  public String java(Machine machine, Jvm jvm) throws IOException {
    var found = probe(machine, jvm, List.of());
    var there = found.java();
    if (there.isPresent()) {
      return there.get();
    }
    checkImage(machine, jvm, found);
    return "none there, ours will be copied";
  }

  private static void checkImage(Machine machine, Jvm jvm, Found found) throws IOException {
    if (jvm.javaHome().isPresent() || !found.system.equals(RuntimeImage.system())) {
      throw new IOException(noJava(machine, jvm, found));
    }
  }

  private String java(Machine machine, Jvm jvm, Found found) throws IOException {
    var there = found.java();
    if (there.isPresent()) {
      return there.get();
    }
    checkImage(machine, jvm, found);
    var folder = imageFolder();
    var archive = new StagedFile(RuntimeImage.archive(cache), folder + "/java.tar.gz");
    putOnce(machine, found, List.of(archive));
    synchronized (Objects.requireNonNull(sites.get(found.site), "made by putOnce")) {
      run(
          machine,
          List.of("/bin/sh", "-c", UNPACK, "sh", found.home + "/" + folder, "java.tar.gz"));
    }
    return found.home + "/" + image() + "/bin/java";
  }

  private static String noJava(Machine machine, Jvm jvm, Found found) {
    var seen =
        found.javas.isEmpty()
            ? "no Java at all"
            : String.join(
                ", ",
                found.javas.entrySet().stream()
                    .map(java -> java.getKey() + " (" + java.getValue() + ")")
                    .toList());
    return jvm.javaHome().isPresent()
        ? "%s: javaHome '%s' (%s) has no Java %d or newer there: %s; correct it, or leave it out"
            .formatted(machine.name(), jvm.javaHome().get(), jvm.place(), NEEDED, seen)
        : "%s: there is no Java %d or newer, and ours is for %s while the machine is %s; found: %s. Install one there, or name it as javaHome"
            .formatted(machine.name(), NEEDED, RuntimeImage.system(), found.system, seen);
  }
}
