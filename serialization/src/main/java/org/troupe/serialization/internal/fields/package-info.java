/**
 * The codecs that are generated: of records and of ordinary classes, field by field, and of the
 * arguments of calls. Not exported.
 *
 * <p>{@code CodecGenerator} makes a subclass of {@code FieldCodec} for each class, and {@code
 * CursorGenerator} the cursors over its objects where recursion would be too deep. {@code
 * EvolvedCodec} reads what another version of a class wrote. {@code SharingAnalysis} finds graphs
 * whose objects need no look-up. Read {@code FieldCodec} first.
 *
 * <p>Does not know which class gets which codec; a {@code CodecFinder} finds the codecs of fields.
 */
@NullMarked
package org.troupe.serialization.internal.fields;

import org.jspecify.annotations.NullMarked;
