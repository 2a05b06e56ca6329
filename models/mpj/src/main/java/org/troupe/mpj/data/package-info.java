/**
 * The content of messages: element types, the layouts of datatypes, the user's arrays described by
 * them, and the operations of reductions. Read {@link org.troupe.mpj.data.MessageBuffer} first.
 * Knows nothing of ranks.
 */
@NullMarked
package org.troupe.mpj.data;

import org.jspecify.annotations.NullMarked;
