/**
 * JVMs in the pods of one indexed Job of Kubernetes, by the command {@code kubectl}. Read {@code
 * KubernetesJob} first: the life of one Job, which holds all nodes of an element.
 *
 * <p>{@code JobManifest} writes the Job and its Secret, {@code Kubectl} runs the commands, {@code
 * PodStates} reads the states of the pods for a {@code JobWatch} of package {@code batch}, {@code
 * PodLogs} follows their output, and {@code PodMachine} is a pod on which commands are run and
 * files are put. {@code RecordedPods} finds and deletes what a killed launcher has left. This
 * package does not know how the machine with {@code kubectl} is reached, or which files a node
 * needs: package {@code launch} passes both in as {@code KubernetesJob.Site}.
 */
@NullMarked
package org.troupe.deployment.kubernetes;

import org.jspecify.annotations.NullMarked;
