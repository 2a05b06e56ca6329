/**
 * Typed groups: ordered sets of active objects, on which one call is a collective operation. Read
 * {@link org.troupe.groups.Group} first.
 *
 * <p>{@link org.troupe.groups.Groups} creates groups. A call on a group's stub reaches {@code
 * GroupStub}, which makes a {@code GroupInvocation} of it; {@link org.troupe.groups.Group} makes
 * one of a lambda. The invocation sends one {@code GroupCall} of core to all active members, and
 * one to each {@code DeferredMember} when that has arrived. The answers settle {@link
 * org.troupe.groups.Results}, in the order that {@code ArrivalOrder} records; {@code
 * InNetworkReduction} combines them on the members' nodes instead.
 *
 * <p>Must not know {@code groups.spmd}, which stands above; the one call in that direction goes
 * through {@code internal.SpmdEnrolment}.
 */
@NullMarked
package org.troupe.groups;

import org.jspecify.annotations.NullMarked;
