/**
 * The output of verbs: tables, lists that fit a screen, and the size and control characters of a
 * terminal.
 */
@NullMarked
package org.troupe.cli.terminal;

import org.jspecify.annotations.NullMarked;
