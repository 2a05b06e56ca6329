/**
 * The codec of classes with {@code java.io} hooks. Not exported.
 *
 * <p>A {@code HookedCodec} lets each class of a hierarchy write and read its part through a {@code
 * HookOutput} and a {@code HookInput}, which look like the streams of {@code java.io}. {@code
 * HookKeys} charges for the keys that a hook of a platform collection hashes. Read {@code
 * HookedCodec} first.
 *
 * <p>Does not know which class gets which codec; {@code internal.registry} chooses.
 */
@NullMarked
package org.troupe.serialization.internal.hooks;

import org.jspecify.annotations.NullMarked;
