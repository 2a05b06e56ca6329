/** Packs many small messages into few large ones. */
package ibis.ipl.util.messagecombining;
