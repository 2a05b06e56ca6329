/** The encoder, the decoder and the codecs of all kinds of types. Not exported. */
@NullMarked
package org.troupe.serialization.internal;

import org.jspecify.annotations.NullMarked;
