/**
 * The errors of message passing: their classes, and how a dialect turns one into its own exception.
 * Read {@link org.troupe.mpj.error.MessagingError} first. Knows nothing of messages.
 */
@NullMarked
package org.troupe.mpj.error;

import org.jspecify.annotations.NullMarked;
