/** A user's program: its class path, its class and the exception that ends it. */
@NullMarked
package org.troupe.cli.program;

import org.jspecify.annotations.NullMarked;
