/**
 * Troupe's implementation of the Ibis Portability Layer: {@code TroupeStarter}, found by the
 * service loader, creates an {@code IbisImplementation}.
 *
 * <p>An instance opens one authenticated link port, creates the {@code PortTable} of package {@code
 * port} on it and joins its pool through a registry of package {@code registry}, which reports
 * departed members to the table. The packages below it depend on one another in one direction only:
 * {@code port} uses {@code message} and {@code base}, {@code registry} uses {@code base}, and
 * neither knows this package.
 */
@NullMarked
package ibis.ipl.internal;

import org.jspecify.annotations.NullMarked;
