/**
 * Brings the program and its Java to another machine: which files ({@code ProgramFiles}), under
 * which content-addressed names ({@code StagedFile}), a run-time image where the machine has no
 * suitable Java ({@code RuntimeImage}), and the command line that uses them ({@code JavaCommand}).
 * Read {@link org.troupe.deployment.staging.Staging} first. It works on any {@code Machine} and
 * must not know how that is reached.
 */
@NullMarked
package org.troupe.deployment.staging;

import org.jspecify.annotations.NullMarked;
