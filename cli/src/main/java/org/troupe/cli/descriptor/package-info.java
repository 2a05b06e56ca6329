/** The verbs about a descriptor: what it means, what it would start, and starting it. */
@NullMarked
package org.troupe.cli.descriptor;

import org.jspecify.annotations.NullMarked;
