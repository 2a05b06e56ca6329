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
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.ggf.drmaa.AlreadyActiveSessionException;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.ExitTimeoutException;
import org.ggf.drmaa.InvalidJobException;
import org.ggf.drmaa.JobTemplate;
import org.ggf.drmaa.Session;
import org.ggf.drmaa.SimpleJobTemplate;
import org.ggf.drmaa.Version;
import org.jspecify.annotations.Nullable;

/** A batch system that is used through a native DRMAA 1 library. */
final class NativeSession implements BatchSystem {

  /*
   * DRMAA permits one session per library and process, so all users in a process share it: opening joins the active
   * session. DRMAA specifies that its functions may be called by several threads, except init and exit. Since not all
   * libraries comply, calls are serialized here; drmaa_wait is only called without a time-out or with a short one, so
   * that no caller waits long.
   */
  static final int EXIT_TIMEOUT = 23;

  static final int NO_RUSAGE = 24;
  private static final long TEXT = 1024;
  private static final long LONGEST_WAIT = 1;

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
   * @throws DrmaaException if the library cannot be loaded, or finds no batch system
   */
  static BatchSystem open(Optional<Path> file, Optional<BatchSystem> words) throws DrmaaException {
    var session = new NativeSession(NativeLibrary.load(file), words);
    try {
      session.init("");
    } catch (AlreadyActiveSessionException e) {
      // Other code of this process has opened the session, which is unique.
    }
    return session;
  }

  /** Returns a session that can only describe submissions. */
  static BatchSystem ofNoLibrary() {
    return new NativeSession(null, Optional.empty());
  }

  private void call(String function, Object... arguments) throws DrmaaException {
    lock.lock();
    try {
      Objects.requireNonNull(library, "only describes submissions").call(function, arguments);
    } finally {
      lock.unlock();
    }
  }

  // The session

  @Override
  public void init(String contact) throws DrmaaException {
    try (var arena = Arena.ofConfined()) {
      var text =
          contact == null || contact.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(contact);
      call("drmaa_init", text);
    }
  }

  @Override
  public void exit() throws DrmaaException {
    call("drmaa_exit");
  }

  @Override
  public String getContact() {
    return text("drmaa_get_contact");
  }

  @Override
  public String getDrmSystem() {
    return text("drmaa_get_DRM_system");
  }

  @Override
  public String getDrmaaImplementation() {
    return text("drmaa_get_DRMAA_implementation");
  }

  /** The Java binding declares no exception here. */
  private String text(String function) {
    try (var arena = Arena.ofConfined()) {
      var text = arena.allocate(TEXT);
      call(function, text, TEXT);
      return text.getString(0);
    } catch (DrmaaException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Override
  public Version getVersion() {
    try (var arena = Arena.ofConfined()) {
      var major = arena.allocate(JAVA_INT);
      var minor = arena.allocate(JAVA_INT);
      call("drmaa_version", major, minor);
      return new Version(major.get(JAVA_INT, 0), minor.get(JAVA_INT, 0));
    } catch (DrmaaException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  // Templates

  /** A template with the optional attributes that most libraries have. */
  private static final class Template extends SimpleJobTemplate {

    private static final long serialVersionUID = 1;

    private long hardWallSeconds;

    @Override
    public void setHardWallclockTimeLimit(long seconds) {
      hardWallSeconds = seconds;
    }

    @Override
    public long getHardWallclockTimeLimit() {
      return hardWallSeconds;
    }
  }

  @Override
  public JobTemplate createJobTemplate() {
    return new Template();
  }

  @Override
  public void deleteJobTemplate(JobTemplate job) {
    // The library has a template only during a submission.
  }

  @Override
  public List<String> submission(JobTemplate job) throws DrmaaException {
    var submission = new ArrayList<>(List.of("drmaa_run_job"));
    scalars(job).forEach((name, value) -> submission.add(name + "=" + value));
    vectors(job).forEach((name, values) -> submission.add(name + "=" + values));
    return submission;
  }

  private static Map<String, String> scalars(JobTemplate job) throws DrmaaException {
    var values = new HashMap<String, String>();
    values.put("drmaa_remote_command", job.getRemoteCommand());
    values.put("drmaa_wd", job.getWorkingDirectory());
    values.put("drmaa_job_category", job.getJobCategory());
    values.put("drmaa_native_specification", job.getNativeSpecification());
    values.put("drmaa_job_name", job.getJobName());
    values.put("drmaa_input_path", job.getInputPath());
    values.put("drmaa_output_path", job.getOutputPath());
    values.put("drmaa_error_path", job.getErrorPath());
    values.put("drmaa_join_files", job.getJoinFiles() ? "y" : null);
    values.put(
        "drmaa_js_state",
        job.getJobSubmissionState() == JobTemplate.HOLD_STATE ? "drmaa_hold" : null);
    if (job instanceof Template template && template.hardWallSeconds > 0) {
      var seconds = template.hardWallSeconds;
      values.put(
          "drmaa_wct_hlimit",
          "%02d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60));
    }
    values.values().removeIf(value -> value == null);
    return new TreeMap<>(values);
  }

  private static Map<String, List<String>> vectors(JobTemplate job) throws DrmaaException {
    var environment = new ArrayList<String>();
    if (job.getJobEnvironment() != null) {
      ((Map<?, ?>) job.getJobEnvironment())
          .forEach((name, value) -> environment.add(name + "=" + value));
    }
    var values = new TreeMap<String, List<String>>();
    values.put("drmaa_v_argv", CommandSession.arguments(job));
    values.put("drmaa_v_env", environment);
    values.values().removeIf(List::isEmpty);
    return values;
  }

  // Jobs

  @Override
  public String runJob(JobTemplate job) throws DrmaaException {
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
        for (var each : vectors(job).entrySet()) {
          call(
              "drmaa_set_vector_attribute",
              template,
              arena.allocateFrom(each.getKey()),
              strings(arena, each.getValue()));
        }
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
  public List<?> runBulkJobs(JobTemplate job, int start, int end, int step) throws DrmaaException {
    var ids = new ArrayList<String>();
    for (var i = start; i <= end; i += step) {
      ids.add(runJob(job));
    }
    return ids;
  }

  @Override
  public void control(String jobId, int action) throws DrmaaException {
    try (var arena = Arena.ofConfined()) {
      call("drmaa_control", arena.allocateFrom(jobId), action);
    }
  }

  @Override
  public int getJobProgramStatus(String jobId) throws DrmaaException {
    try (var arena = Arena.ofConfined()) {
      var status = arena.allocate(JAVA_INT);
      call("drmaa_job_ps", arena.allocateFrom(jobId), status);
      return status.get(JAVA_INT, 0);
    }
  }

  @Override
  public Map<String, JobReport> report(Collection<String> jobIds) throws DrmaaException {
    var reports = new HashMap<String, JobReport>();
    if (words.isPresent()) {
      try {
        reports.putAll(words.get().report(jobIds));
      } catch (DrmaaException e) {
        // The library, which is authoritative, is asked below.
      }
    }
    for (var id : jobIds) {
      try {
        var status = getJobProgramStatus(id);
        var said = reports.get(id);
        reports.put(id, new JobReport(status, said == null ? words(status) : said.text()));
      } catch (InvalidJobException e) {
        reports.remove(id); // the library no longer knows it
      }
    }
    return reports;
  }

  private static String words(int status) {
    return switch (status) {
      case Session.QUEUED_ACTIVE -> "queued";
      case Session.SYSTEM_ON_HOLD -> "held by the system";
      case Session.USER_ON_HOLD -> "held by its user";
      case Session.USER_SYSTEM_ON_HOLD -> "held by its user and the system";
      case Session.RUNNING -> "running";
      case Session.SYSTEM_SUSPENDED -> "suspended by the system";
      case Session.USER_SUSPENDED -> "suspended by its user";
      case Session.USER_SYSTEM_SUSPENDED -> "suspended by its user and the system";
      case Session.DONE -> "finished";
      case Session.FAILED -> "failed";
      default -> "in a state that the DRMAA library does not report";
    };
  }

  @Override
  public JobEnd end(String jobId) throws DrmaaException {
    var end = wait(jobId, TIMEOUT_NO_WAIT);
    if (words.isPresent()) {
      try {
        return end.with(words.get().end(jobId).text());
      } catch (DrmaaException e) {
        // The accounting record may not be written yet, or not be readable by users.
      }
    }
    return end;
  }

  @Override
  public JobEnd wait(String jobId, long timeout) throws DrmaaException {
    var start = System.nanoTime();
    while (true) {
      var left = timeout - (System.nanoTime() - start) / 1_000_000_000;
      var isLast = timeout != TIMEOUT_WAIT_FOREVER && left <= LONGEST_WAIT;
      try {
        return waitShortly(jobId, isLast ? Math.max(0, left) : LONGEST_WAIT);
      } catch (ExitTimeoutException e) {
        if (isLast) {
          throw e;
        }
      }
    }
  }

  private JobEnd waitShortly(String jobId, long seconds) throws DrmaaException {
    try (var arena = Arena.ofConfined()) {
      var id = arena.allocate(TEXT);
      var status = arena.allocate(JAVA_INT);
      call("drmaa_wait", arena.allocateFrom(jobId), id, TEXT, status, seconds, MemorySegment.NULL);
      return end(id.getString(0), status.get(JAVA_INT, 0));
    }
  }

  private JobEnd end(String jobId, int status) throws DrmaaException {
    if (flag("drmaa_wifaborted", status)) {
      return new JobEnd(jobId, OptionalInt.empty(), Optional.empty(), true, "ended before it ran");
    }
    if (flag("drmaa_wifsignaled", status)) {
      try (var arena = Arena.ofConfined()) {
        var name = arena.allocate(TEXT);
        call("drmaa_wtermsig", name, TEXT, status);
        return new JobEnd(
            jobId,
            OptionalInt.empty(),
            Optional.of(name.getString(0)),
            false,
            "ended by signal " + name.getString(0));
      }
    }
    if (flag("drmaa_wifexited", status)) {
      var code = value("drmaa_wexitstatus", status);
      return JobEnd.exited(jobId, code, "finished, exit status " + code);
    }
    return JobEnd.unknown(jobId, "finished; the library does not report how");
  }

  private boolean flag(String function, int status) throws DrmaaException {
    return value(function, status) != 0;
  }

  private int value(String function, int status) throws DrmaaException {
    try (var arena = Arena.ofConfined()) {
      var value = arena.allocate(JAVA_INT);
      call(function, value, status);
      return value.get(JAVA_INT, 0);
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // as DRMAA declares it
  public void synchronize(List ids, long timeout, boolean dispose) throws DrmaaException {
    try (var arena = Arena.ofConfined()) {
      var all = ((List<?>) ids).stream().map(String::valueOf).toList();
      call("drmaa_synchronize", strings(arena, all), timeout, dispose ? 1 : 0);
    }
  }
}
