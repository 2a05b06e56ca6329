/**
 * Sites: the queues and machines that a front end offers, and the descriptor that is written from
 * it. Read {@code SiteSurvey} first: it asks a machine and returns {@code SiteFacts}, with a {@code
 * QueueSurvey} for each kind of batch system. {@code SiteDescriptor} writes them as a descriptor,
 * and {@code SiteFolder} keeps both, where {@code LineMerge} preserves the user's edits. {@code
 * QueueCheck} compares an element with the queues, for 'doctor'. This package starts no node, and
 * submits no job.
 */
@NullMarked
package org.troupe.deployment.site;

import org.jspecify.annotations.NullMarked;
