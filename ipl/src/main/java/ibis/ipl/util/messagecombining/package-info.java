/** Packs many small messages into few large ones. */
@NullMarked
package ibis.ipl.util.messagecombining;

import org.jspecify.annotations.NullMarked;
