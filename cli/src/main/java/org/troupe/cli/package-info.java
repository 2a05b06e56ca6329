/**
 * The command line: one class per verb, and how programs are found, run and reported on.
 *
 * <p>It decides nothing of its own: each verb asks the module whose job it is and prints what that
 * says.
 */
@NullMarked
package org.troupe.cli;

import org.jspecify.annotations.NullMarked;
