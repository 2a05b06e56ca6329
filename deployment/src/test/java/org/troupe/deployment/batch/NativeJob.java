package org.troupe.deployment.batch;

import java.util.List;
import java.util.Optional;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.JobTemplate;
import org.ggf.drmaa.Session;

/**
 * Runs jobs through the DRMAA library of its machine and prints the results, which a test reads.
 */
final class NativeJob {

  private NativeJob() {}

  public static void main(String[] arguments) throws DrmaaException {
    BatchSystem system;
    try {
      system = NativeSession.open(Optional.empty(), Optional.empty());
    } catch (DrmaaException e) {
      System.out.println(e.getMessage());
      return;
    }
    System.out.println(system.getDrmSystem());

    var id = system.runJob(job(system, "exit 3"));
    System.out.println(((JobEnd) system.wait(id, 60)).text());

    var held = job(system, "true");
    held.setNativeSpecification("-h");
    var waiting = system.runJob(held);
    System.out.println(system.report(List.of(waiting)).get(waiting).text());
    system.control(waiting, Session.TERMINATE);
    System.out.println(((JobEnd) system.wait(waiting, 60)).text());

    try {
      var refused = job(system, "true");
      refused.setNativeSpecification("-q nope");
      system.runJob(refused);
    } catch (DrmaaException e) {
      System.out.println(e.getMessage());
    }
    system.exit();
  }

  private static JobTemplate job(BatchSystem system, String script) throws DrmaaException {
    var job = system.createJobTemplate();
    job.setRemoteCommand("/bin/sh");
    job.setArgs(List.of("-c", script));
    job.setJobName("troupe-native");
    job.setOutputPath(":/dev/null");
    job.setErrorPath(":/dev/null");
    return job;
  }
}
