/** What generated classes refer to; exported, while running, only to the modules they live in. */
@NullMarked
package org.troupe.stubs.internal;

import org.jspecify.annotations.NullMarked;
