/** The verbs about a descriptor: its meaning, the nodes that it would start, and their start. */
@NullMarked
package org.troupe.cli.descriptor;

import org.jspecify.annotations.NullMarked;
