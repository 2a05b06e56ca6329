/**
 * The record of a run: a deployment records each process and job before it starts it, so that the
 * tools find them after the launcher was killed. Read {@link
 * org.troupe.deployment.journal.RunJournal}, the writer, first; {@code RunRecord} is its content as
 * it is read. This package uses only {@code files} and the model of descriptors: it must not know
 * how a machine is reached.
 */
@NullMarked
package org.troupe.deployment.journal;

import org.jspecify.annotations.NullMarked;
