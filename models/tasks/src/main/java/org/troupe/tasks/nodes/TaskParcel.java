package org.troupe.tasks.nodes;

import java.util.List;
import org.troupe.tasks.engine.JobName;
import org.troupe.tasks.engine.Spawn;

/**
 * Jobs on their way to a node that has asked for them.
 *
 * @param names as many as jobs
 * @param repeated for each job, whether it was begun before on a node that was lost
 * @param labels for each job its label; empty: it has none
 */
record TaskParcel(
    List<Spawn> jobs, List<JobName> names, List<Boolean> repeated, List<String> labels) {}
