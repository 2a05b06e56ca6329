package org.troupe.deployment.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SshJvms;
import org.troupe.links.OwnerOnly;

/**
 * The record of a run, as its launcher writes it: a deployment records each process and job before
 * it starts it, so that the tools find them when the launcher has been killed. Thread-safe.
 */
public final class RunJournal {

  /*
   * Each run has a folder of the launcher's user, which is removed when the run has ended in order. The record grows
   * by lines, so that a crash at any moment leaves a record of everything before. A line consists of words separated
   * by spaces, each encoded as in a URL; the first word is the kind of the line. It is not JSON, since loading a JSON
   * library would cost every deployment more than the record itself.
   */
  public static final String RUNS = ".local/state/troupe/runs/";

  /** The property on the command line of every node's JVM that names its run. */
  public static final String PROPERTY = "troupe.run";

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");
  static final String FILE = "record";
  static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  static final Path HOST = Path.of("/proc/sys/kernel/hostname");

  private final String id;
  private final @Nullable Path folder; // null for a run that does not take place
  private final List<String> jvmOptions;
  private boolean hasBegun; // under this
  private final Set<String> open =
      new HashSet<>(); // folders and names of jobs that have not ended; under this

  private RunJournal(String id, @Nullable Path folder, List<String> jvmOptions) {
    this.id = id;
    this.folder = folder;
    this.jvmOptions = jvmOptions;
  }

  /** Returns the journal of a run that does not take place, which writes nothing. */
  public static RunJournal planned() {
    return new RunJournal("RUN", null, List.of());
  }

  /**
   * Returns the journal of a new run, whose folder does not exist before {@link #begin} or {@link
   * #folder}.
   *
   * @param jvmOptions the program's options for the JVMs of all nodes
   */
  public static RunJournal create(List<String> jvmOptions) {
    return create(home(), jvmOptions);
  }

  /** Returns the journal of a new run, among the records in another folder. */
  public static RunJournal create(Path home) {
    return create(home, List.of());
  }

  private static RunJournal create(Path home, List<String> jvmOptions) {
    var id = UUID.randomUUID().toString().substring(0, 13);
    return new RunJournal(id, home.resolve(id), jvmOptions);
  }

  /** Returns the folder of this user's records. */
  public static Path home() {
    return Path.of(System.getProperty("user.home")).resolve(RUNS);
  }

  public String id() {
    return id;
  }

  /** Returns the program's options for the JVMs of all nodes. */
  public List<String> jvmOptions() {
    return jvmOptions;
  }

  /** Returns the option of a JVM that names its run. */
  public String option() {
    return "-D" + PROPERTY + "=" + id;
  }

  /** Returns the folder of the record; the one for temporary files if there is no record. */
  Path folder() throws IOException {
    if (folder == null) {
      return Path.of(System.getProperty("java.io.tmpdir"));
    }
    return Files.createDirectories(folder, OwnerOnly.folder());
  }

  /**
   * Writes a file into the folder of the record, readable by its owner only; it is removed with the
   * record.
   *
   * @return the file
   */
  public Path write(String name, String text) throws IOException {
    var file = folder().resolve(name);
    AtomicFile.write(
        file, channel -> channel.write(StandardCharsets.UTF_8.encode(text)), OwnerOnly.file());
    return file;
  }

  /**
   * Records the launcher, and the logins of the elements' machines.
   *
   * @param sshConfig the file that replaces the user's ssh configuration; empty if there is none
   */
  public synchronized void begin(Collection<? extends Infrastructure> elements, String sshConfig) {
    var self = ProcessHandle.current();
    hasBegun = folder != null;
    note(
        "launcher",
        self.pid(),
        self.info().startInstant().map(Instant::toEpochMilli).orElse(0L),
        System.currentTimeMillis(),
        firstLine(BOOT),
        firstLine(HOST),
        ProgramCommand.line(),
        sshConfig);
    var logins = new LinkedHashSet<Login>();
    for (var element : elements) {
      switch (element) {
        case LocalJvms _ -> {
          // On this machine, which the tools always examine.
        }
        case SshJvms ssh -> logins.addAll(ssh.hosts());
        case BatchJvms batch -> batch.via().ifPresent(logins::add);
        case KubernetesJvms pods -> pods.via().ifPresent(logins::add);
      }
    }
    logins.forEach(login -> note("machine", words(Optional.of(login)).toArray()));
  }

  /**
   * Records a job that is about to be submitted.
   *
   * @param runFolder the folder of the job, relative to the home directory there
   */
  public synchronized void job(BatchJvms element, String runFolder) {
    open.add(runFolder);
    var words = new ArrayList<Object>(List.of(runFolder, element.id()));
    words.addAll(List.of(RecordedScheduler.words(element.scheduler())));
    words.addAll(words(element.via()));
    note("job", words.toArray());
  }

  /**
   * Records a Job of Kubernetes that is about to be created.
   *
   * @param name of the Job
   */
  public synchronized void pods(KubernetesJvms element, String name) {
    open.add(name);
    var words =
        new ArrayList<Object>(
            List.of(
                name, element.id(), element.context().orElse(""), element.namespace().orElse("")));
    words.addAll(words(element.via()));
    note("pods", words.toArray());
  }

  /**
   * Records that a job holds its machines for other runs.
   *
   * @param runFolder the folder of the job, relative to the home directory there
   */
  public void held(BatchJvms element, String runFolder) {
    note("held", runFolder, element.nodes(), element.jvmsPerNode());
  }

  /** Records the id of the job that uses the folder. */
  public void submitted(String runFolder, String jobId) {
    note("submitted", runFolder, jobId);
  }

  /**
   * Records that a job has ended, and all that was made for it is removed.
   *
   * @param job its folder; of a Job of Kubernetes, its name
   */
  public synchronized void gone(String job) {
    open.remove(job);
    note("gone", job);
  }

  /** Removes the record, unless a job could not be ended, or its folder could not be removed. */
  public synchronized void end() {
    hasBegun = false;
    if (folder == null || !open.isEmpty()) {
      return;
    }
    try {
      remove(folder);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the record of this run remains; 'troupe clean' removes it", e);
    }
  }

  public static void remove(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (var all = Files.walk(folder)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private synchronized void note(String kind, Object... words) {
    if (!hasBegun) {
      return;
    }
    var line =
        Stream.concat(Stream.of(kind), Arrays.stream(words))
            .map(word -> URLEncoder.encode(word.toString(), StandardCharsets.UTF_8))
            .collect(Collectors.joining(" ", "", "\n"));
    try {
      AtomicFile.append(folder().resolve(FILE), line);
    } catch (IOException e) {
      hasBegun = false;
      LOG.log(
          Level.WARNING,
          "this run cannot be recorded, so 'troupe clean' will not find its leftovers if"
              + " it is killed: "
              + e);
    }
  }

  static String firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      return ""; // not Linux
    }
  }

  private static List<Object> words(Optional<Login> login) {
    if (login.isEmpty()) {
      return List.of("here");
    }
    var words = new ArrayList<Object>();
    words.add("ssh");
    words.addAll(words(login.get()));
    return words;
  }

  private static List<Object> words(Login login) {
    var words =
        new ArrayList<Object>(
            List.of(
                login.id(),
                login.host(),
                login.port().isPresent() ? login.port().getAsInt() : "",
                login.user().orElse(""),
                login.identity().map(Path::toString).orElse(""),
                login.hostKeys(),
                login.via().size()));
    login.via().forEach(gateway -> words.addAll(words(gateway)));
    return words;
  }
}
