/** The verbs about runs that go on or have ended: their activity, output and end. */
@NullMarked
package org.troupe.cli.observe;

import org.jspecify.annotations.NullMarked;
