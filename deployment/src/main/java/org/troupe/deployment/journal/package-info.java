/**
 * The record of a run: before a deployment starts anything it writes down what it is about to
 * start, so that the tools find it after the launcher was killed. Read {@link
 * org.troupe.deployment.journal.RunJournal}, the writer, first; {@code RunRecord} is what the
 * reader gets. This package uses only {@code files} and the model of descriptors: it must not know
 * how a machine is reached.
 */
package org.troupe.deployment.journal;
