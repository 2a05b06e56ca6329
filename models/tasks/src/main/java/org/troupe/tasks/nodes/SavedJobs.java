package org.troupe.tasks.nodes;

import java.util.List;
import org.troupe.tasks.engine.JobName;

/**
 * Jobs whose results a node keeps, because the node that waited for them was lost.
 *
 * @param fingerprints as many as names; of the class and the arguments of each job
 */
record SavedJobs(List<JobName> names, List<Long> fingerprints) {}
