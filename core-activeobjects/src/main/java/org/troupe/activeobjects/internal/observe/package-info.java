/**
 * The record of the requests that the active objects of a node serve: counts, times, traces, and
 * groups of failures.
 *
 * <p>Read {@link ServiceObserver} first, of which each node has one. {@link TierSwitch} says what
 * is to be recorded; the code on the path of a request consults it, and calls the observer only if
 * it must. {@link BodyCounts} are the counts of one body, written by the thread that serves it,
 * {@link ClassCounts} those of a class; {@link LatencyHistogram} holds times, {@link CallTrace} the
 * last requests one by one. {@link FailureGroups} are independent of the tier.
 *
 * <p>{@link ObserverBinding} passes calls and services on to the observer of this JVM, if there is
 * one.
 *
 * <p>This package knows methods and classes, but neither bodies nor requests, and sends nothing.
 */
@NullMarked
package org.troupe.activeobjects.internal.observe;

import org.jspecify.annotations.NullMarked;
