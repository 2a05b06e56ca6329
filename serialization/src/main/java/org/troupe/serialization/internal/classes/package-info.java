/**
 * The class model of serialization: the layout that two sides agree on, the hooks and the fields of
 * a class, and the reasons for which a class is refused. Not exported.
 *
 * <p>{@code ClassLayout} is the value that type definitions carry, and {@code ClassFields} reaches
 * the fields in it. {@code PlatformReflection} and {@code ClosedFields} reach constructors, hooks
 * and closed fields of the platform, {@code PlatformValues} lists its values, and {@code
 * RefusalReasons} explains why an object cannot travel. Every failure is a {@code CodecFailure}, to
 * which the codecs add the path of the object. Read {@code ClassLayout} first.
 *
 * <p>Knows no codec, encoder or decoder, which all stand above.
 */
@NullMarked
package org.troupe.serialization.internal.classes;

import org.jspecify.annotations.NullMarked;
