package org.troupe.deployment.batch;

import java.util.concurrent.CompletableFuture;

/** A job of a deployment, which ends before the deployment does. */
public interface DeployedJob {

  /** Completes when the job has ended, and all that was made for it is removed. */
  CompletableFuture<Void> finished();

  /** Describes what may remain if the job does not finish. */
  String leftovers();
}
