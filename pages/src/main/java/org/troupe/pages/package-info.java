/**
 * Pages for browsers of this machine, over the JDK's HTTP server. Read {@link
 * org.troupe.pages.PageServer} first, with its design note on threats.
 *
 * <p>A {@link org.troupe.pages.PageSite} is the served content: static files, and requests that are
 * answered with a token. {@code TokenCheck} and {@code RequestOrigin} decide who is answered;
 * {@code ExchangeThreads} and {@code LineStream} bound what a client can hold. The package knows
 * nothing of grids.
 */
@NullMarked
package org.troupe.pages;

import org.jspecify.annotations.NullMarked;
