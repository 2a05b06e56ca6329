/** The verbs about runs that go on or have ended: what they do, what they print, how they end. */
@NullMarked
package org.troupe.cli.observe;

import org.jspecify.annotations.NullMarked;
