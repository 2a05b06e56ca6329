/** What verbs have in common: help, errors, the selection of a run, a descriptor or a machine. */
@NullMarked
package org.troupe.cli.command;

import org.jspecify.annotations.NullMarked;
