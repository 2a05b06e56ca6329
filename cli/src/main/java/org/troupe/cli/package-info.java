/**
 * The command line: its entry point, its list of verbs, and the verbs about the command line
 * itself.
 *
 * <p>It decides nothing of its own: each verb asks the module whose job it is and prints what that
 * says.
 */
@NullMarked
package org.troupe.cli;

import org.jspecify.annotations.NullMarked;
