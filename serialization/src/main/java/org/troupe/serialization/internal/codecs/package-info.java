/**
 * The codecs that are written by hand: of platform classes, arrays, enums, proxies and views. Not
 * exported.
 *
 * <p>{@code PlatformCodecs} lists the platform classes whose numbers are fixed; {@code
 * CollectionCodecs} has those of collections. {@code DescribedCodec} is for platform types whose
 * classes are closed, and {@code RefusedCodec} for classes whose objects cannot travel. Read {@code
 * ListedCodec} first.
 *
 * <p>Does not know which class gets which codec; {@code internal.registry} chooses.
 */
@NullMarked
package org.troupe.serialization.internal.codecs;

import org.jspecify.annotations.NullMarked;
