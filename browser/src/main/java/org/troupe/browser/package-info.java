/** A browser without a window, steered by the protocol of its developer tools. */
@NullMarked
package org.troupe.browser;

import org.jspecify.annotations.NullMarked;
