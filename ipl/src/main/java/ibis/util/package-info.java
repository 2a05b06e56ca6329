/** Small helpers that programs for the Ibis Portability Layer use. */
package ibis.util;
