/** Results that are not here yet, transparent and explicit. */
@NullMarked
package org.troupe.futures;

import org.jspecify.annotations.NullMarked;
