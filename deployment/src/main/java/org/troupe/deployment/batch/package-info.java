/**
 * Batch systems, all behind {@link org.troupe.deployment.batch.BatchSystem}: those with a native
 * DRMAA 1 library, and Slurm, PBS, Grid Engine, OAR, Flux, HTCondor and LSF by their commands. Read
 * {@code BatchJob} first: the life of one job, which holds all nodes of an element.
 *
 * <p>{@code BatchOptions} turns the element into a job template, {@code JobScript} writes the
 * script of the job, a {@code Dialect} spells both as commands, {@code CommandSession} runs these,
 * {@code JobWatch} polls the states of all jobs together, and {@code OutputFollower} reads what the
 * nodes print from files. This package does not know how a machine is reached or the program is
 * copied there: package {@code launch} passes both in as {@code BatchJob.Site}.
 *
 * <h2>Add a batch system</h2>
 *
 * <p>For a batch system with commands of its own:
 *
 * <ol>
 *   <li>Descriptor: add a record to {@code BatchJvms.Scheduler} (module descriptors), its element
 *       to {@code ElementSchema} and {@code troupe.xsd}, a list to {@code DescriptorDocument}, its
 *       translation to {@code DescriptorBuilder}, its checks to {@code MachineChecks}, and its name
 *       to {@code MisplacedParts}. The compiler, {@code SchemaBindingTest}, {@code
 *       DescriptorSchemaTest} and {@code DocumentationTest} name what is missing of the others.
 *   <li>Dialect: write a {@code Dialect} like {@code PbsDialect}, the smallest. Its states are
 *       those of {@code JobState}; one that it does not know is {@code UNDETERMINED}. {@code
 *       isAway} must recognise every answer that means "ask again", or nodes are reported lost
 *       while the batch system restarts. {@code CommandSession} gets a factory method for it.
 *   <li>Options: {@code BatchOptions} spells cores, memory, time, queue and account. Do not reuse
 *       {@code clock} unchecked: bsub, for one, takes hours and minutes only.
 *   <li>Script: {@code JobScript} starts the JVMs on all machines of the job. It needs the variable
 *       that numbers them, a command that starts a process on each (srun, pbsdsh, qrsh), and
 *       knowledge of how that command treats standard input.
 *   <li>Selection: the compiler names the switches over {@code Scheduler} that need a case: three
 *       in {@code BatchSystems}, two in {@code Doctor}, and the name of the scheduler in the record
 *       of a run, {@code RecordedScheduler} in package {@code journal}, which must not change
 *       later.
 *   <li>Tests: a {@code DialectTest} on answers copied from the real commands, among them those of
 *       a job that was killed, of one that the batch system has forgotten, and of a stopped server;
 *       {@code JobScriptTest} and {@code BatchOptionsTest} for the new kind; {@code
 *       RecordedSchedulerTest}; {@code public-api.txt} anew. If the test grid can run the batch
 *       system, add it to {@code BatchGridTest}.
 *   <li>Documents: {@code docs/descriptor.md}; {@code LegacyJob} (module descriptors, package
 *       convert) if old descriptors name it.
 * </ol>
 */
@NullMarked
package org.troupe.deployment.batch;

import org.jspecify.annotations.NullMarked;
