/**
 * The texts of attribute values and of messages: types of values, host lists, quantities with
 * units, paths; quoting, and hints on misspelt names. Read {@link
 * org.troupe.descriptors.text.ValueType} first. This is the ground of the module: it imports no
 * other package of it.
 */
@NullMarked
package org.troupe.descriptors.text;

import org.jspecify.annotations.NullMarked;
