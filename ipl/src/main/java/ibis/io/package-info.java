/** What programs use of the serialization below the Ibis Portability Layer. */
package ibis.io;
