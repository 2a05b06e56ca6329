/**
 * The matching of messages and receives by context, source and tag: one engine for each rank. Read
 * {@link org.troupe.mpj.matching.MessageEngine} first.
 *
 * <p>A send becomes a packet of the {@link org.troupe.mpj.matching.RankNetwork}. The engine of the
 * receiving rank finds the posted receive in its {@code MatchingTable}, or keeps the message there
 * until a receive comes. Knows ranks of the whole run only, nothing of communicators.
 */
@NullMarked
package org.troupe.mpj.matching;

import org.jspecify.annotations.NullMarked;
