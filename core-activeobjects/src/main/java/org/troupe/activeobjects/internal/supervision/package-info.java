/**
 * The coordinator's supervision of objects that are restarted on another node when theirs is lost:
 * the data that it keeps of each of them, and when, where and how often each may be made anew.
 *
 * <p>{@link org.troupe.activeobjects.internal.supervision.Supervisor} decides, and is the class to
 * read first. It reaches the nodes through its interface {@code Grid}, and knows neither how
 * members join nor how an object is made: an {@code Origin} is only passed on.
 */
@NullMarked
package org.troupe.activeobjects.internal.supervision;

import org.jspecify.annotations.NullMarked;
