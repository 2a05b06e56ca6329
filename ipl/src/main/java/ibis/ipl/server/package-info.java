/** The server that knows the pools, for programs that have one inside. */
package ibis.ipl.server;
