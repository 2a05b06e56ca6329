/**
 * The cost of hashing and comparing the keys of decoded collections, which a sender could make
 * exponential. Not exported.
 *
 * <p>{@code MessageKeys} is the door: a codec hands it the keys and the code that fills the table.
 * The keys are charged to the {@code HashingBudget} of the message, which walks the objects that
 * hashing would visit. {@code KeyClass} says which these are for one class, and {@code
 * HashedFields} reads byte code where the first answer is too coarse. Read {@code HashingBudget}
 * first.
 *
 * <p>Knows no codec; {@code KeyClasses} is told which fields a class has.
 */
@NullMarked
package org.troupe.serialization.internal.keys;

import org.jspecify.annotations.NullMarked;
