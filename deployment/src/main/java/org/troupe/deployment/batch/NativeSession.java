package org.troupe.deployment.batch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.ShellLine;

/** A batch system that is used through a native DRMAA 1 library. */
final class NativeSession implements BatchSystem {

  /*
   * DRMAA permits one session per library and process, so all users in a process share it: opening joins the active
   * session, and the session ends with the process. DRMAA specifies that its functions may be called by several
   * threads, except init and exit. Since not all libraries comply, calls are serialized here; drmaa_wait is only called
   * without a time-out, so that no caller waits long. The library has a job template only during a submission.
   */
  private static final long TEXT = 1024;
  private static final long NO_WAIT = 0;
  private static final int TERMINATE = 4;

  private final @Nullable NativeLibrary library; // null if the session only describes submissions
  private final Optional<BatchSystem> words;
  private final ReentrantLock lock = new ReentrantLock();

  private NativeSession(@Nullable NativeLibrary library, Optional<BatchSystem> words) {
    this.library = library;
    this.words = words;
  }

  /**
   * Opens the session of a library.
   *
   * @param file empty for the system's own
   * @param words the session by the batch system's commands, if it has any; they report more of a
   *     job than a library
   * @throws BatchException if the library cannot be loaded, or finds no batch system
   */
  static BatchSystem open(Optional<Path> file, Optional<BatchSystem> words) throws BatchException {
    var session = new NativeSession(NativeLibrary.load(file), words);
    session.call("drmaa_init", MemorySegment.NULL);
    return session;
  }

  /** Returns a session that can only describe submissions. */
  static BatchSystem ofNoLibrary() {
    return new NativeSession(null, Optional.empty());
  }

  private void call(String function, Object... arguments) throws BatchException {
    lock.lock();
    try {
      Objects.requireNonNull(library, "only describes submissions").call(function, arguments);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<String> submission(JobTemplate job) {
    var submission = new ArrayList<>(List.of("drmaa_run_job"));
    scalars(job).forEach((name, value) -> submission.add(name + "=" + value));
    submission.add("drmaa_v_argv=" + arguments(job));
    return submission;
  }

  private static Map<String, String> scalars(JobTemplate job) {
    var values = new TreeMap<String, String>();
    values.put("drmaa_remote_command", job.command().getFirst());
    values.put("drmaa_wd", job.folder());
    values.put("drmaa_job_name", job.name());
    values.put("drmaa_output_path", ":" + job.output());
    values.put("drmaa_error_path", ":" + job.errorOutput());
    if (!job.options().isEmpty()) {
      values.put("drmaa_native_specification", ShellLine.of(job.options()));
    }
    job.wallTime()
        .ifPresent(
            time ->
                values.put(
                    "drmaa_wct_hlimit",
                    "%02d:%02d:%02d"
                        .formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart())));
    return values;
  }

  private static List<String> arguments(JobTemplate job) {
    return job.command().subList(1, job.command().size());
  }

  @Override
  public String submit(JobTemplate job) throws BatchException {
    try (var arena = Arena.ofConfined()) {
      var pointer = arena.allocate(ADDRESS);
      call("drmaa_allocate_job_template", pointer);
      var template = pointer.get(ADDRESS, 0);
      try {
        for (var each : scalars(job).entrySet()) {
          call(
              "drmaa_set_attribute",
              template,
              arena.allocateFrom(each.getKey()),
              arena.allocateFrom(each.getValue()));
        }
        call(
            "drmaa_set_vector_attribute",
            template,
            arena.allocateFrom("drmaa_v_argv"),
            strings(arena, arguments(job)));
        var id = arena.allocate(TEXT);
        call("drmaa_run_job", id, TEXT, template);
        return id.getString(0);
      } finally {
        call("drmaa_delete_job_template", template);
      }
    }
  }

  /** Returns an array of C strings that a null pointer ends. */
  private static MemorySegment strings(Arena arena, List<String> texts) {
    var array = arena.allocate(ADDRESS, texts.size() + 1L);
    for (var i = 0; i < texts.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
    }
    array.setAtIndex(ADDRESS, texts.size(), MemorySegment.NULL);
    return array;
  }

  @Override
  public void terminate(String jobId) throws BatchException {
    try (var arena = Arena.ofConfined()) {
      call("drmaa_control", arena.allocateFrom(jobId), TERMINATE);
    }
  }

  @Override
  public Map<String, JobReport> report(Collection<String> jobIds) throws BatchException {
    var reports = new HashMap<String, JobReport>();
    if (words.isPresent()) {
      try {
        reports.putAll(words.get().report(jobIds));
      } catch (BatchException e) {
        // The library, which is authoritative, is asked below.
      }
    }
    for (var id : jobIds) {
      try {
        var state = state(id);
        var said = reports.get(id);
        reports.put(id, new JobReport(state, said == null ? state.text() : said.text()));
      } catch (BatchException.UnknownJob e) {
        reports.remove(id); // the library no longer knows it
      }
    }
    return reports;
  }

  private JobState state(String jobId) throws BatchException {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(JAVA_INT);
      call("drmaa_job_ps", arena.allocateFrom(jobId), state);
      return JobState.of(state.get(JAVA_INT, 0));
    }
  }

  @Override
  public JobEnd end(String jobId) throws BatchException {
    var end = ended(jobId);
    if (words.isPresent()) {
      try {
        return end.with(words.get().end(jobId).text());
      } catch (BatchException e) {
        // The accounting record may not be written yet, or not be readable by users.
      }
    }
    return end;
  }

  private JobEnd ended(String jobId) throws BatchException {
    try (var arena = Arena.ofConfined()) {
      var id = arena.allocate(TEXT);
      var status = arena.allocate(JAVA_INT);
      call("drmaa_wait", arena.allocateFrom(jobId), id, TEXT, status, NO_WAIT, MemorySegment.NULL);
      return end(id.getString(0), status.get(JAVA_INT, 0));
    }
  }

  private JobEnd end(String jobId, int status) throws BatchException {
    if (flag("drmaa_wifaborted", status)) {
      return JobEnd.aborted(jobId, "ended before it ran");
    }
    if (flag("drmaa_wifsignaled", status)) {
      try (var arena = Arena.ofConfined()) {
        var name = arena.allocate(TEXT);
        call("drmaa_wtermsig", name, TEXT, status);
        return JobEnd.signalled(jobId, name.getString(0), "ended by signal " + name.getString(0));
      }
    }
    if (flag("drmaa_wifexited", status)) {
      var code = value("drmaa_wexitstatus", status);
      return JobEnd.exited(jobId, code, "finished, exit status " + code);
    }
    return JobEnd.unknown(jobId, "finished; the library does not report how");
  }

  private boolean flag(String function, int status) throws BatchException {
    return value(function, status) != 0;
  }

  private int value(String function, int status) throws BatchException {
    try (var arena = Arena.ofConfined()) {
      var value = arena.allocate(JAVA_INT);
      call(function, value, status);
      return value.get(JAVA_INT, 0);
    }
  }
}
