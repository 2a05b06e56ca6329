package org.troupe.activeobjects.internal.observe;

/**
 * The requests of one method that the objects of one class have served on a node.
 *
 * @param method its name for people, such as {@code step(double)}
 * @param served how many have ended, those that have failed included
 * @param failed how many of them have ended with an exception
 * @param recent how many were served lately, as a weight by which methods are compared
 * @param waits how long they were in the queue
 * @param services how long their service took
 */
public record MethodActivity(
    Class<?> type,
    String method,
    long served,
    long failed,
    double recent,
    LatencyHistogram.Summary waits,
    LatencyHistogram.Summary services) {}
