/** What a verb prints: tables, lists that fit a screen, and what a terminal accepts. */
@NullMarked
package org.troupe.cli.terminal;

import org.jspecify.annotations.NullMarked;
