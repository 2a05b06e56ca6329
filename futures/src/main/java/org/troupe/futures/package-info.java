/** Results that are not here yet, transparent and explicit. */
package org.troupe.futures;
