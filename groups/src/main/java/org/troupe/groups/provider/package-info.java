/**
 * Services of typed groups that modules below find by {@link java.util.ServiceLoader}: {@code core}
 * rebuilds a typed group from its members when one arrives in a call. Stands above {@code groups};
 * no other package may depend on it.
 */
@NullMarked
package org.troupe.groups.provider;

import org.jspecify.annotations.NullMarked;
