/**
 * A store of active objects in a database.
 *
 * <p>Read {@link org.troupe.store.jdbc.JdbcStore} first. {@code JdbcJournals} is the store of one
 * process, whose right to use it is a {@code RunLease}; {@code JdbcJournal} is the journal of one
 * object. All of them reach the database through {@code Transactions}.
 */
@NullMarked
package org.troupe.store.jdbc;

import org.jspecify.annotations.NullMarked;
