/**
 * Converts ProActive's XML descriptors, of both forms, to those of Troupe. Read {@link
 * org.troupe.descriptors.convert.LegacyConversion} first.
 *
 * <p>A {@code LegacyElement} records which of its parts are used; {@code ProActiveReader} and
 * {@code GcmReader} translate it into a {@code DescriptorDraft}, which is written as XML; parts
 * that no reader has used become losses in {@code ConversionLosses}. This package writes text and
 * must not use the model or the reader of descriptors.
 */
@NullMarked
package org.troupe.descriptors.convert;

import org.jspecify.annotations.NullMarked;
