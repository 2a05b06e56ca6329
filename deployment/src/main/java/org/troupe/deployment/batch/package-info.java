/**
 * Batch systems, all behind the DRMAA 1 interface {@link org.ggf.drmaa.Session}: those with a
 * native DRMAA library, and Slurm, PBS and Grid Engine by their commands.
 *
 * <p>What DRMAA does not know, the scheduler's own words about a job, is added by {@link
 * org.troupe.deployment.batch.BatchSystem}.
 */
package org.troupe.deployment.batch;
